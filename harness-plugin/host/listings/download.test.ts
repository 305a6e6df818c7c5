import { describe, expect, test } from 'vitest'
import { aRecord, directoryOf } from '../testing.ts'
import { listingsForTests } from './testing.ts'

const { clock, statuses, listingsOf } = listingsForTests()

describe('the download', () => {
  const many = Array.from({ length: 250 }, (_, n) => aRecord(`a/n${n}`))

  test('brings every record, one page after another, and tells how far it is', async () => {
    const directory = directoryOf(many)
    const listings = listingsOf(directory)
    await listings.download()
    expect(listings.status()).toMatchObject({ described: 250, download: null, downloadedAt: clock.now })
    expect(directory.asked.map(({ searchParams }) => searchParams.get('page'))).toEqual(['1', '2', '3', '4'])
    expect(statuses.flatMap(({ download }) => download ?? []).map(({ done }) => done)).toEqual([0, 96, 192, 250])
  })

  test('that is stopped keeps what came, and goes on there', async () => {
    const directory = directoryOf(many)
    const listings = listingsOf(directory, { kept: true })
    const ended = listings.download()
    await expect.poll(() => listings.status().described).toBe(96)
    await listings.stopDownload()
    await ended
    expect(listings.status()).toMatchObject({ download: null, downloadedAt: null, failure: null })
    await listings.close()
    const again = listingsOf(directory, { kept: true })
    await again.download()
    expect(again.status()).toMatchObject({ described: 250, downloadedAt: clock.now })
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
