import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CatalogueStatus, StoreListing } from '../../bridge/index.ts'
import { aRecord, directoryOf } from '../testing.ts'
import type { Listings } from './listings.ts'
import { openListings } from './open.ts'

let now = 0
let statuses: CatalogueStatus[] = []
let stateDir: string
const open: Listings[] = []
beforeEach(async () => {
  now = Date.UTC(2026, 8, 1)
  statuses = []
  stateDir = await mkdtemp(join(tmpdir(), 'plugmark-listings-'))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((listings) => listings.close()))
  await rm(stateDir, { recursive: true })
})

function listingsOf(directory: ReturnType<typeof directoryOf>, kept: string | null = null) {
  const listings = openListings({
    baseUrl: 'https://directory.example',
    cli: 'dsh',
    stateDir: kept,
    fetch: directory.fetch,
    now: () => now,
    onStatus: (status) => statuses.push(status),
    onProblem: () => {},
  })
  open.push(listings)
  return listings
}

/** What a page has that copies all rows. */
async function copied(listings: Listings): Promise<Map<string, StoreListing>> {
  const rows = new Map<string, StoreListing>()
  for (let from = 0; ; ) {
    const page = await listings.page(from)
    for (const row of page.rows) rows.set(row.id, row)
    if (page.next === page.status.end) return rows
    from = page.next
  }
}

describe('rows', () => {
  test('are all listings of the index; what passed is described, and the server is asked for just that', async () => {
    const directory = directoryOf([
      aRecord('a/failed', { installCheck: 'failed', npmPackage: null }),
      aRecord('a/passed', { installCheck: 'passed', stars: 3 }),
      aRecord('a/waits', { installCheck: 'needs-approval' }),
    ])
    const listings = listingsOf(directory)
    await listings.load()
    const rows = await copied(listings)
    expect(rows.get('a/passed')).toMatchObject({ described: true, verdict: 'passed', stars: 3, installable: true })
    expect(rows.get('a/failed')).toMatchObject({ described: false, verdict: null, stars: null, installable: true })
    expect(listings.status()).toMatchObject({ state: 'ready', count: 3, described: 2, loadedAt: now })
    expect(rows.get('a/waits')).toMatchObject({ described: true, verdict: 'needs-approval' })
    const verdicts = directory.asked.map((url) => url.searchParams.get('installCheck'))
    expect(new Set(verdicts)).toEqual(new Set(['passed', 'needs-approval']))
  })

  test('come in pages, and a status goes out while they arrive', async () => {
    const records = Array.from({ length: 700 }, (_, n) => aRecord(`a/n${n}`, { installCheck: 'passed' }))
    const listings = listingsOf(directoryOf(records))
    await listings.load()
    const first = await listings.page(0)
    expect([first.rows.length, first.next]).toEqual([100, 100])
    expect((await listings.page(100)).next).toBe(200)
    expect((await listings.page(600)).rows).toHaveLength(100)
    expect((await listings.page(10_000)).rows).toEqual([])
    expect(statuses.filter(({ state }) => state === 'loading').length).toBeGreaterThan(5)
  })

  test('that a page has already come again only when they changed', async () => {
    const directory = directoryOf([
      aRecord('a/b', { installCheck: 'passed' }),
      aRecord('a/c', { installCheck: 'passed' }),
    ])
    const listings = listingsOf(directory)
    await listings.load()
    const { end, revision } = listings.status()
    directory.change([aRecord('a/b', { installCheck: 'passed', stars: 9 }), aRecord('a/c', { installCheck: 'passed' })])
    await listings.load({ force: true })
    const page = await listings.page(end)
    expect(page.status.revision).toBe(revision)
    expect(page.rows).toMatchObject([{ id: 'a/b', stars: 9 }])
  })

  test('of listings that are gone go, and what passes no more is not called passed', async () => {
    const directory = directoryOf([
      aRecord('a/b', { installCheck: 'passed' }),
      aRecord('a/c', { installCheck: 'passed' }),
    ])
    await (await loaded(directory)).close()
    const listings = listingsOf(directory, stateDir)
    directory.change([aRecord('a/c', { installCheck: 'failed' })])
    now += 60_000
    await listings.load({ force: true })
    expect([...(await copied(listings))]).toMatchObject([['a/c', { verdict: null }]])
  })
})

async function loaded(directory: ReturnType<typeof directoryOf>) {
  const listings = listingsOf(directory, stateDir)
  await listings.load()
  return listings
}

describe('rows that do not parse', () => {
  test('are counted, each time anew', async () => {
    const broken = { ...aRecord('a/b', { installCheck: 'passed' }), stars: -1 }
    const listings = listingsOf(directoryOf([broken, aRecord('a/c', { installCheck: 'passed' })]))
    await listings.load()
    await listings.search('a/')
    await listings.load({ force: true })
    expect(listings.status()).toMatchObject({ described: 1, rejected: 1 })
  })
})

describe('a directory without usable verdicts', () => {
  test('that has plugins is unverifiable', async () => {
    const listings = listingsOf(directoryOf([aRecord('a/b', { installCheck: undefined })], { filters: false }))
    await listings.load()
    expect(listings.status()).toMatchObject({ state: 'unverifiable', described: 1 })
  })

  test('is not one that only filters by them: what passed and what waits is told by that', async () => {
    const records = (['passed', 'needs-approval', 'failed'] as const).map((installCheck) =>
      aRecord(`a/${installCheck}`, { installCheck }),
    )
    const directory = directoryOf(records)
    const withoutVerdicts: typeof globalThis.fetch = async (...given) =>
      new Response((await (await directory.fetch(...given)).text()).replaceAll(/,"installCheck":"[\w-]+"/g, ''))
    const listings = listingsOf({ ...directory, fetch: withoutVerdicts })
    await listings.load()
    expect(listings.status()).toMatchObject({ state: 'ready' })
    const verdicts = [...(await copied(listings)).values()].map(({ id, verdict }) => [id, verdict])
    expect(Object.fromEntries(verdicts)).toEqual({
      'a/passed': 'passed',
      'a/needs-approval': 'needs-approval',
      'a/failed': null,
    })
  })

  test('withdraws what waited for approval by no longer sending it, with verdicts of its own and without', async () => {
    for (const hasVerdicts of [true, false]) {
      const directory = directoryOf([
        aRecord('a/passed', { installCheck: 'passed' }),
        aRecord('a/waits', { installCheck: 'needs-approval' }),
        aRecord('a/waited', { installCheck: 'needs-approval' }),
      ])
      const withoutVerdicts: typeof globalThis.fetch = async (...given) =>
        new Response((await (await directory.fetch(...given)).text()).replaceAll(/,"installCheck":"[\w-]+"/g, ''))
      const listings = listingsOf({ ...directory, fetch: hasVerdicts ? directory.fetch : withoutVerdicts })
      await listings.load()
      expect((await copied(listings)).get('a/waited')?.verdict).toBe('needs-approval')
      directory.change([
        aRecord('a/passed', { installCheck: 'passed' }),
        aRecord('a/waits', { installCheck: 'needs-approval' }),
        aRecord('a/waited', { installCheck: 'failed' }),
      ])
      now += 60_000
      await listings.load({ force: true })
      const verdicts = [...(await copied(listings)).values()].map(({ id, verdict }) => [id, verdict])
      expect(Object.fromEntries(verdicts)).toEqual({
        'a/passed': 'passed',
        'a/waits': 'needs-approval',
        'a/waited': null,
      })
    }
  })

  test('is not one whose first verdict comes late', async () => {
    const untested = Array.from({ length: 150 }, (_, n) => aRecord(`a/n${n}`, { installCheck: null }))
    const records = [...untested, aRecord('a/failed', { installCheck: 'failed' })]
    const listings = listingsOf(directoryOf(records, { filters: false }))
    await listings.load()
    expect(listings.status()).toMatchObject({ state: 'ready', described: 151 })
  })

  test('is not one that has no plugins, or only others', async () => {
    for (const records of [[], [aRecord('a/b', { installCheck: 'failed' })]]) {
      const listings = listingsOf(directoryOf(records))
      await listings.load()
      expect(listings.status()).toMatchObject({ state: 'ready', described: 0 })
    }
  })
})

describe('asking again', () => {
  test('what is recent is not read again, what is old is, and a person always may', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await listings.load()
    const once = directory.asked.length
    now += 6 * 3_600_000 - 1
    await listings.load()
    expect(directory.asked.length).toBe(once)
    await listings.load({ force: true })
    expect(directory.asked.length).toBe(2 * once)
    now += 6 * 3_600_000
    await listings.load()
    expect(directory.asked.length).toBe(3 * once)
  })

  test('loads that overlap are one', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await Promise.all([listings.load(), listings.load(), listings.load({ force: true })])
    expect(directory.asked.map(({ search }) => /passed.*page=1$/.test(search)).filter(Boolean)).toHaveLength(1)
  })

  test('a failure keeps the rows and says why; opening does not ask again at once', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await listings.load()
    directory.fail(true)
    await listings.load({ force: true })
    expect(listings.status()).toMatchObject({ state: 'failed', count: 1, failure: { kind: 'http' } })
    const asked = directory.asked.length
    now += 29_999
    await listings.load()
    expect(directory.asked.length).toBe(asked)
    now += 1
    directory.fail(false)
    await listings.load()
    expect(listings.status()).toMatchObject({ state: 'ready', count: 1, failure: null })
  })
})

describe('a copy', () => {
  test('is all there is at a start without a network, those that passed first', async () => {
    const directory = directoryOf([
      aRecord('a/few', { installCheck: 'passed', stars: 1 }),
      aRecord('a/many', { installCheck: 'passed', stars: 5 }),
      aRecord('a/other'),
    ])
    await (await loaded(directory)).close()
    directory.fail(true)
    const again = listingsOf(directory, stateDir)
    const first = await again.page(0)
    expect(first.rows.map(({ id }) => id)).toEqual(['a/many', 'a/few', 'a/other'])
    expect(first.status).toMatchObject({ state: 'ready', loadedAt: now })
    await again.load({ force: true })
    expect([...(await copied(again)).keys()]).toEqual(['a/many', 'a/few', 'a/other'])
    expect(again.status()).toMatchObject({ state: 'failed', loadedAt: now })
  })

  test('of another directory is not used', async () => {
    await (await loaded(directoryOf([aRecord('a/b', { installCheck: 'passed' })]))).close()
    const other = openListings({
      baseUrl: 'https://other.example',
      cli: 'dsh',
      stateDir,
      fetch: directoryOf([]).fetch,
      now: () => now,
      onStatus: () => {},
      onProblem: () => {},
    })
    open.push(other)
    expect((await other.page(0)).rows).toEqual([])
  })
})

describe('finding one', () => {
  test('a record that is here is found without asking, whatever the case', async () => {
    const directory = directoryOf([aRecord('Some/Plugin', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await listings.load()
    const asked = directory.asked.length
    expect(await listings.find('some/plugin')).toMatchObject({ verdict: 'passed', record: { fullName: 'Some/Plugin' } })
    expect(directory.asked.length).toBe(asked)
  })

  test('another is asked for by its exact name, with its own verdict, and is here from then on', async () => {
    const listings = listingsOf(directoryOf([aRecord('a/failed', { installCheck: 'failed' }), aRecord('a/unknown')]))
    expect(await listings.find('a/failed')).toMatchObject({ verdict: 'failed' })
    expect(await listings.find('a/unknown')).toMatchObject({ verdict: null })
    expect(await listings.find('a/fail')).toBeNull()
    expect([...(await copied(listings)).values()]).toMatchObject([{ verdict: 'failed' }, { described: true }])
  })

  test('a search asks the directory and keeps its order; what it brings is here from then on', async () => {
    const listings = listingsOf(directoryOf([aRecord('a/kite-b'), aRecord('a/other'), aRecord('a/kite-a')]))
    expect((await listings.search('kite')).map(({ id }) => id)).toEqual(['a/kite-b', 'a/kite-a'])
    expect([...(await copied(listings)).keys()]).toEqual(['a/kite-b', 'a/kite-a'])
  })

  test('a verdict that the server’s filter gave outlasts a record without one', async () => {
    const records = [aRecord('a/b', { installCheck: 'passed' }), aRecord('a/c', { installCheck: 'failed' })]
    const { fetch, asked } = directoryOf(records)
    const withoutVerdicts: typeof globalThis.fetch = async (...given) =>
      new Response((await (await fetch(...given)).text()).replace(/,"installCheck":"\w+"/g, ''))
    const listings = listingsOf({ ...directoryOf(records), asked, fetch: withoutVerdicts })
    await listings.load()
    await listings.search('a/')
    expect((await copied(listings)).get('a/b')).toMatchObject({ verdict: 'passed' })
    expect((await copied(listings)).get('a/c')).toMatchObject({ verdict: null })
  })
})

describe('details', () => {
  test('say the exact command for the profile, the bound options, and what else the repository has', async () => {
    const options = [
      { label: 'npm', cmd: 'dsh plugin --profile web add b', note: '' },
      { label: 'Shell', cmd: 'curl https://x.example | sh', note: 'As its author says.' },
    ]
    const directory = directoryOf([
      aRecord('a/b', { installCheck: 'passed', installOptions: options, url: 'https://directory.example/plugins/a-b' }),
      aRecord('a/b#packages/c', { npmPackage: 'c' }),
    ])
    const listings = listingsOf(directory)
    await listings.load()
    expect(await listings.details('A/B', 'work')).toMatchObject({
      id: 'a/b',
      command: 'dsh plugin --profile work add b',
      reason: null,
      options: [
        { label: 'npm', command: 'dsh plugin --profile work add b' },
        { label: 'Shell', command: null, note: 'As its author says.' },
      ],
      siblings: ['a/b#packages/c'],
      page: 'https://directory.example/plugins/a-b',
    })
  })

  test('say why there is no command', async () => {
    const listings = listingsOf(directoryOf([aRecord('a/b', { npmPackage: null, install: null, installable: false })]))
    expect(await listings.details('a/b', 'web')).toMatchObject({ command: null, reason: 'unpublished', page: null })
  })

  test('of a listing that only the index knows are what that says, when the directory cannot be asked', async () => {
    const directory = directoryOf([aRecord('a/b')])
    const listings = listingsOf(directory)
    await listings.load()
    directory.fail(true)
    expect(await listings.details('a/b', 'web')).toMatchObject({ id: 'a/b', described: false, installable: true })
    await expect(listings.details('a/unknown', 'web')).rejects.toThrow('status 400')
  })
})

describe('the download', () => {
  const many = Array.from({ length: 250 }, (_, n) => aRecord(`a/n${n}`))

  test('brings every record, one page after another, and tells how far it is', async () => {
    const directory = directoryOf(many)
    const listings = listingsOf(directory)
    await listings.download()
    expect(listings.status()).toMatchObject({ described: 250, download: null, downloadedAt: now })
    expect(directory.asked.map(({ searchParams }) => searchParams.get('page'))).toEqual(['1', '2', '3', '4'])
    expect(statuses.flatMap(({ download }) => download ?? []).map(({ done }) => done)).toEqual([0, 96, 192, 250])
  })

  test('that is stopped keeps what came, and goes on there', async () => {
    const directory = directoryOf(many)
    const listings = listingsOf(directory, stateDir)
    const ended = listings.download()
    await expect.poll(() => listings.status().described).toBe(96)
    await listings.stopDownload()
    await ended
    expect(listings.status()).toMatchObject({ download: null, downloadedAt: null, failure: null })
    await listings.close()
    const again = listingsOf(directory, stateDir)
    await again.download()
    expect(again.status()).toMatchObject({ described: 250, downloadedAt: now })
    expect(directory.asked.map(({ searchParams }) => searchParams.get('page')).join()).toMatch(/^1(,2)?,2,3,4$/)
  })

  test('that fails says why', async () => {
    const directory = directoryOf(many)
    directory.fail(true)
    const listings = listingsOf(directory)
    await listings.download()
    expect(listings.status()).toMatchObject({ download: null, failure: { kind: 'http' } })
  })
})
