import { describe, expect, test } from 'vitest'
import { aRecord, directoryOf } from '../testing.ts'
import { catalogueForTests } from './testing.ts'

const { clock, statuses, catalogueOf } = catalogueForTests()

describe('a download', () => {
  const many = Array.from({ length: 250 }, (_, n) => aRecord(`a/n${n}`))

  test('fetches every record, one page after another, and reports its progress', async () => {
    const directory = directoryOf(many)
    const catalogue = catalogueOf(directory)
    await catalogue.download()
    expect(catalogue.status()).toMatchObject({ described: 250, download: null, downloadedAt: clock.now })
    expect(directory.asked.map(({ searchParams }) => searchParams.get('page'))).toEqual(['1', '2', '3', '4'])
    expect(statuses.flatMap(({ download }) => download ?? []).map(({ done }) => done)).toEqual([0, 96, 192, 250])
  })

  test('a download that is stopped keeps the records that arrived, and resumes at that page', async () => {
    const directory = directoryOf(many)
    const catalogue = catalogueOf(directory, { kept: true })
    const ended = catalogue.download()
    await expect.poll(() => catalogue.status().described).toBe(96)
    await catalogue.stopDownload()
    await ended
    expect(catalogue.status()).toMatchObject({ download: null, downloadedAt: null, failure: null })
    await catalogue.close()
    const again = catalogueOf(directory, { kept: true })
    await again.download()
    expect(again.status()).toMatchObject({ described: 250, downloadedAt: clock.now })
    expect(directory.asked.map(({ searchParams }) => searchParams.get('page')).join()).toMatch(/^1(,2)?,2,3,4$/)
  })

  test('a download that fails reports the reason', async () => {
    const directory = directoryOf(many)
    directory.fail(true)
    const catalogue = catalogueOf(directory)
    await catalogue.download()
    expect(catalogue.status()).toMatchObject({ download: null, failure: { kind: 'http' } })
  })
})
