import { createDirectoryClient } from '@plugmark/shared/client'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CatalogueStatus } from '../../bridge/index.ts'
import { aRecord, directoryOf } from '../testing.ts'
import { createListings } from './listings.ts'

let now = 0
let statuses: CatalogueStatus[] = []
beforeEach(() => {
  now = 1_000_000_000_000
  statuses = []
})

function listingsOf(directory: ReturnType<typeof directoryOf>) {
  let rejected = 0
  return createListings({
    directory: createDirectoryClient({
      baseUrl: 'https://directory.example',
      fetch: directory.fetch,
      retries: 0,
      onRejected: () => rejected++,
    }),
    now: () => now,
    rejected: () => rejected,
    onStatus: (status) => statuses.push(status),
  })
}

test('only what is known to have passed becomes a row, and the server is asked for just that', async () => {
  const directory = directoryOf([
    aRecord('a/passed', { installCheck: 'passed' }),
    aRecord('a/failed', { installCheck: 'failed' }),
  ])
  const listings = listingsOf(directory)
  await listings.load()
  expect(listings.page(0).rows.map(({ id }) => id)).toEqual(['a/passed'])
  expect(listings.status()).toMatchObject({ state: 'ready', count: 1, loadedAt: now })
  expect(directory.asked.every((url) => url.searchParams.get('installCheck') === 'passed')).toBe(true)
})

test('rows are counted and paged, and a status goes out while they arrive', async () => {
  const records = Array.from({ length: 700 }, (_, n) => aRecord(`a/n${n}`, { installCheck: 'passed' }))
  const listings = listingsOf(directoryOf(records))
  await listings.load()
  expect(listings.page(0).rows).toHaveLength(500)
  expect(listings.page(500).rows).toHaveLength(200)
  expect(listings.page(10_000).rows).toEqual([])
  expect(statuses.filter(({ state }) => state === 'loading').map(({ count }) => count)).toEqual([
    0, 96, 192, 288, 384, 480, 576, 672,
  ])
})

test('rows that do not parse are counted, each time anew', async () => {
  const broken = { ...aRecord('a/b', { installCheck: 'passed' }), stars: -1 }
  const listings = listingsOf(directoryOf([broken, aRecord('a/c', { installCheck: 'passed' })]))
  await listings.load()
  await listings.load({ force: true })
  expect(listings.status()).toMatchObject({ count: 1, rejected: 1 })
})

describe('a directory without usable verdicts', () => {
  test('that has plugins is unverifiable', async () => {
    const listings = listingsOf(directoryOf([aRecord('a/b', { installCheck: undefined })], { filters: false }))
    await listings.load()
    expect(listings.status()).toMatchObject({ state: 'unverifiable', count: 0 })
  })

  test('that has none, or only others, is merely empty', async () => {
    for (const records of [[], [aRecord('a/b', { installCheck: 'failed' })]]) {
      const listings = listingsOf(directoryOf(records))
      await listings.load()
      expect(listings.status()).toMatchObject({ state: 'ready', count: 0 })
    }
  })
})

describe('asking again', () => {
  test('recent rows are not read again, old ones are, and a person always may', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await listings.load()
    const once = directory.asked.length
    now += 3_599_999
    await listings.load()
    expect(directory.asked.length).toBe(once)
    await listings.load({ force: true })
    expect(directory.asked.length).toBe(2 * once)
    now += 3_600_000
    await listings.load()
    expect(directory.asked.length).toBe(3 * once)
    expect(listings.status().revision).toBe(2)
  })

  test('loads that overlap are one', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await Promise.all([listings.load(), listings.load(), listings.load({ force: true })])
    expect(directory.asked.map(({ searchParams }) => searchParams.get('page'))).toEqual(['1', '2'])
  })

  test('a failure keeps the rows and says why; opening does not ask again at once', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await listings.load()
    directory.fail(true)
    await listings.load({ force: true })
    expect(listings.status()).toMatchObject({ state: 'failed', count: 1, revision: 0, failure: { kind: 'http' } })
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

describe('finding one', () => {
  test('a row is found without asking, whatever the case', async () => {
    const directory = directoryOf([aRecord('Some/Plugin', { installCheck: 'passed' })])
    const listings = listingsOf(directory)
    await listings.load()
    const asked = directory.asked.length
    expect(await listings.find('some/plugin')).toMatchObject({ verdict: 'passed', record: { fullName: 'Some/Plugin' } })
    expect(directory.asked.length).toBe(asked)
  })

  test('another is asked for by its exact name, with its own verdict', async () => {
    const listings = listingsOf(directoryOf([aRecord('a/failed', { installCheck: 'failed' }), aRecord('a/unknown')]))
    expect(await listings.find('a/failed')).toMatchObject({ verdict: 'failed' })
    expect(await listings.find('a/unknown')).toMatchObject({ verdict: null })
    expect(await listings.find('a/fail')).toBeNull()
  })
})
