import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { CatalogueStatus, StoreListing } from '../../bridge/index.ts'
import type { directoryOf } from '../testing.ts'
import type { Listings } from './listings.ts'
import { openListings } from './open.ts'

type Directory = Pick<ReturnType<typeof directoryOf>, 'fetch'>

/** For tests of listings: opens them over a directory in memory, and closes them when the test is over. */
export function listingsForTests() {
  const clock = { now: 0 }
  const statuses: CatalogueStatus[] = []
  const onTold = { status: (_: CatalogueStatus) => {} }
  const open: Listings[] = []
  let stateDir: string
  beforeEach(async () => {
    clock.now = Date.UTC(2026, 8, 1)
    statuses.length = 0
    onTold.status = () => {}
    stateDir = await mkdtemp(join(tmpdir(), 'plugmark-listings-'))
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((listings) => listings.close()))
    await rm(stateDir, { recursive: true })
  })

  function listingsOf({ fetch }: Directory, { kept = false, baseUrl = 'https://directory.example' } = {}): Listings {
    const listings = openListings({
      baseUrl,
      cli: 'dsh',
      stateDir: kept ? stateDir : null,
      fetch,
      now: () => clock.now,
      onStatus(status) {
        statuses.push(status)
        onTold.status(status)
      },
      onProblem: () => {},
    })
    open.push(listings)
    return listings
  }

  return {
    clock,
    /** Every status that was told. */
    statuses,
    /** What a test does when a status is told. */
    onTold,
    listingsOf,
    /** Listings that were read once, and are kept. */
    async loaded(directory: Directory): Promise<Listings> {
      const listings = listingsOf(directory, { kept: true })
      await listings.load()
      return listings
    },
  }
}

/** What a page has that copies all rows. */
export async function copied(listings: Listings): Promise<Map<string, StoreListing>> {
  const rows = new Map<string, StoreListing>()
  for (let from = 0; ; ) {
    const page = await listings.page(from)
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
