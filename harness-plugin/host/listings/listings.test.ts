import { describe, expect, test } from 'vitest'
import { aRecord, directoryOf } from '../testing.ts'
import { copied, listingsForTests } from './testing.ts'

const { clock, statuses, onTold, listingsOf, loaded } = listingsForTests()

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
    expect(listings.status()).toMatchObject({ state: 'ready', count: 3, described: 2, loadedAt: clock.now })
    expect(rows.get('a/waits')).toMatchObject({ described: true, verdict: 'needs-approval' })
    const verdicts = directory.asked.map((url) => url.searchParams.get('installCheck'))
    expect(new Set(verdicts)).toEqual(new Set(['passed', 'needs-approval']))
  })

  test('whose names hold what is not seen, or turns them around, do not come', async () => {
    const names = ['a/b', 'a/b\u200b', 'evil/\u202eb', 'a/c#d\u2066e']
    const directory = directoryOf([
      ...names.map((name) => aRecord(name, { installCheck: 'passed', npmPackage: 'b' })),
      aRecord('a/failed\u00ad', { installCheck: 'failed' }),
    ])
    const listings = await loaded(directory)
    expect([...(await copied(listings)).keys()]).toEqual(['a/b'])
  })

  test('name each risk once', async () => {
    const riskFlags = ['install script', 'terminal surface', 'install script']
    const listings = await loaded(directoryOf([aRecord('a/b', { installCheck: 'passed', riskFlags })]))
    expect((await copied(listings)).get('a/b')?.riskFlags).toEqual(['install script', 'terminal surface'])
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
    const listings = listingsOf(directory, { kept: true })
    directory.change([aRecord('a/c', { installCheck: 'failed' })])
    clock.now += 60_000
    await listings.load({ force: true })
    expect([...(await copied(listings))]).toMatchObject([['a/c', { verdict: null }]])
  })
})

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

describe('asking again', () => {
  test('what is recent is not read again, what is old is, and a person always may', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await listings.load()
    const once = directory.asked.length
    clock.now += 6 * 3_600_000 - 1
    await listings.load()
    expect(directory.asked.length).toBe(once)
    await listings.load({ force: true })
    expect(directory.asked.length).toBe(2 * once)
    clock.now += 6 * 3_600_000
    await listings.load()
    expect(directory.asked.length).toBe(3 * once)
  })

  test('loads that overlap are one', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await Promise.all([listings.load(), listings.load(), listings.load({ force: true })])
    expect(directory.asked.map(({ search }) => /passed.*page=1$/.test(search)).filter(Boolean)).toHaveLength(1)
  })

  test('who asks again when the answer is told is not put off with it, though the reading is not over yet', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const listings = await loaded(directory)
    let again: Promise<void> | undefined
    onTold.status = ({ state, loadedAt }) => {
      if (again || state !== 'ready' || loadedAt !== clock.now) return
      directory.fail(true)
      again = listings.load({ force: true })
    }
    clock.now += 1000
    await listings.load({ force: true })
    await again
    expect(listings.status()).toMatchObject({ state: 'failed', count: 1 })
  })

  test('a failure keeps the rows and says why; opening does not ask again at once', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await listings.load()
    directory.fail(true)
    await listings.load({ force: true })
    expect(listings.status()).toMatchObject({ state: 'failed', count: 1, failure: { kind: 'http' } })
    const asked = directory.asked.length
    clock.now += 29_999
    await listings.load()
    expect(directory.asked.length).toBe(asked)
    clock.now += 1
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
    const again = listingsOf(directory, { kept: true })
    const first = await again.page(0)
    expect(first.rows.map(({ id }) => id)).toEqual(['a/many', 'a/few', 'a/other'])
    expect(first.status).toMatchObject({ state: 'ready', loadedAt: clock.now })
    await again.load({ force: true })
    expect([...(await copied(again)).keys()]).toEqual(['a/many', 'a/few', 'a/other'])
    expect(again.status()).toMatchObject({ state: 'failed', loadedAt: clock.now })
  })

  test('of another directory is not used', async () => {
    await (await loaded(directoryOf([aRecord('a/b', { installCheck: 'passed' })]))).close()
    const other = listingsOf(directoryOf([]), { kept: true, baseUrl: 'https://other.example' })
    expect((await other.page(0)).rows).toEqual([])
  })
})
