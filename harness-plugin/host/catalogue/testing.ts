import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { CatalogueStatus, StoreListing } from '../../protocol/index.ts'
import type { directoryOf } from '../testing.ts'
import { Catalogue } from './catalogue.ts'

type Directory = Pick<ReturnType<typeof directoryOf>, 'fetch'>

/** Opens catalogues over a directory in memory for tests, and closes them after each test. */
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
    const catalogue = new Catalogue({
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
    /** Every status that was announced. */
    statuses,
    /** Callback of a test for each announced status. */
    onTold,
    catalogueOf,
    /** Errors of background work. */
    problems,
    /** Returns the folder that catalogues are stored in, one for each address. */
    stateDir: () => stateDir,
    /** Returns a catalogue that was read once and is stored. */
    async loaded(directory: Directory): Promise<Catalogue> {
      const catalogue = catalogueOf(directory, { kept: true })
      await catalogue.load()
      return catalogue
    },
  }
}

/** Returns all rows by id, as a page reads them. */
export async function copied(catalogue: Catalogue): Promise<Map<string, StoreListing>> {
  const rows = new Map<string, StoreListing>()
  for (let from = 0; ; ) {
    const page = await catalogue.page(from)
    for (const row of page.rows) rows.set(row.id, row)
    if (page.next === page.status.end) return rows
    from = page.next
  }
}

/** Returns the same directory with records that have no verdict. */
export const withoutVerdicts = (directory: Directory): Directory => ({
  fetch: async (...given) =>
    new Response((await (await directory.fetch(...given)).text()).replaceAll(/,"installCheck":"[\w-]+"/g, '')),
})
