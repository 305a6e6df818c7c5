import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { CatalogueStatus, StoreListing } from '../../protocol/index.ts'
import type { directoryOf } from '../testing.ts'
import { type Catalogue, openCatalogue } from './catalogue.ts'

type Directory = Pick<ReturnType<typeof directoryOf>, 'fetch'>

/** For tests of the catalogue: opens it over a directory in memory, and closes it when the test is over. */
export function catalogueForTests() {
  const clock = { now: 0 }
  const statuses: CatalogueStatus[] = []
  const onTold = { status: (_: CatalogueStatus) => {} }
  const open: Catalogue[] = []
  const problems: string[] = []
  let stateDir: string
  beforeEach(async () => {
    clock.now = Date.UTC(2026, 8, 1)
    statuses.length = 0
    problems.length = 0
    onTold.status = () => {}
    stateDir = await mkdtemp(join(tmpdir(), 'plugmark-catalogue-'))
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((catalogue) => catalogue.close()))
    await rm(stateDir, { recursive: true })
  })

  function catalogueOf({ fetch }: Directory, { kept = false, baseUrl = 'https://directory.example' } = {}): Catalogue {
    const catalogue = openCatalogue({
      baseUrl,
      cli: 'dsh',
      stateDir: kept ? stateDir : null,
      fetch,
      now: () => clock.now,
      onStatus(status) {
        statuses.push(status)
        onTold.status(status)
      },
      onProblem: (message) => problems.push(message),
    })
    open.push(catalogue)
    return catalogue
  }

  return {
    clock,
    /** Every status that was told. */
    statuses,
    /** What a test does when a status is told. */
    onTold,
    catalogueOf,
    /** What went wrong in the background. */
    problems,
    /** The folder that catalogues are stored in, one for each address. */
    stateDir: () => stateDir,
    /** A catalogue that was read once, and is stored. */
    async loaded(directory: Directory): Promise<Catalogue> {
      const catalogue = catalogueOf(directory, { kept: true })
      await catalogue.load()
      return catalogue
    },
  }
}

/** What a page has that copies all rows. */
export async function copied(catalogue: Catalogue): Promise<Map<string, StoreListing>> {
  const rows = new Map<string, StoreListing>()
  for (let from = 0; ; ) {
    const page = await catalogue.page(from)
    for (const row of page.rows) rows.set(row.id, row)
    if (page.next === page.status.end) return rows
    from = page.next
  }
}

/** The same directory, but that its records carry no verdict. */
export const withoutVerdicts = (directory: Directory): Directory => ({
  fetch: async (...given) =>
    new Response((await (await directory.fetch(...given)).text()).replaceAll(/,"installCheck":"[\w-]+"/g, '')),
})
