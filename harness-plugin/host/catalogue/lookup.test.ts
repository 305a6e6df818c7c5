import { describe, expect, test } from 'vitest'
import { aRecord, directoryOf } from '../testing.ts'
import { catalogueForTests, copied, withoutVerdicts } from './testing.ts'

const { catalogueOf } = catalogueForTests()

describe('looking up a listing', () => {
  test('finds a known record without a request, in any letter case', async () => {
    const directory = directoryOf([aRecord('Some/Plugin', { installCheck: 'passed' })])
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    const asked = directory.asked.length
    expect(await catalogue.find('some/plugin')).toMatchObject({
      verdict: 'passed',
      record: { fullName: 'Some/Plugin' },
    })
    expect(directory.asked.length).toBe(asked)
  })

  test('requests an unknown record by its exact name, with its verdict, and keeps it', async () => {
    const catalogue = catalogueOf(directoryOf([aRecord('a/failed', { installCheck: 'failed' }), aRecord('a/unknown')]))
    expect(await catalogue.find('a/failed')).toMatchObject({ verdict: 'failed' })
    expect(await catalogue.find('a/unknown')).toMatchObject({ verdict: null })
    expect(await catalogue.find('a/fail')).toBeNull()
    expect([...(await copied(catalogue)).values()]).toMatchObject([{ verdict: 'failed' }, { described: true }])
  })

  test('requests the record again to confirm it, and returns the current one', async () => {
    const records = [aRecord('a/b', { installCheck: 'passed' })]
    const directory = directoryOf(records)
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    records[0] = aRecord('a/b', { installCheck: 'failed' })
    expect(await catalogue.find('a/b')).toMatchObject({ verdict: 'passed' })
    expect(await catalogue.confirm('A/b')).toBe(true)
    expect(await catalogue.find('a/b')).toMatchObject({ verdict: 'failed' })
    records.length = 0
    expect(await catalogue.confirm('a/b')).toBe(false)
  })

  test('searches the directory, keeps its order, and keeps the records that it returns', async () => {
    const catalogue = catalogueOf(directoryOf([aRecord('a/kite-b'), aRecord('a/other'), aRecord('a/kite-a')]))
    expect((await catalogue.search('kite')).map(({ id }) => id)).toEqual(['a/kite-b', 'a/kite-a'])
    expect([...(await copied(catalogue)).keys()]).toEqual(['a/kite-b', 'a/kite-a'])
  })

  test('keeps the verdict of the server’s filter when a record without a verdict arrives', async () => {
    const records = [aRecord('a/b', { installCheck: 'passed' }), aRecord('a/c', { installCheck: 'failed' })]
    const catalogue = catalogueOf(withoutVerdicts(directoryOf(records)))
    await catalogue.load()
    await catalogue.search('a/')
    expect((await copied(catalogue)).get('a/b')).toMatchObject({ verdict: 'passed' })
    expect((await copied(catalogue)).get('a/c')).toMatchObject({ verdict: null })
  })
})

describe('details', () => {
  test('details contain the exact command for the profile, the bound options, and other listings of the repository', async () => {
    const options = [
      { label: 'npm', cmd: 'dsh plugin --profile web add b', note: '' },
      { label: 'Shell', cmd: 'curl https://x.example | sh', note: 'As its author says.' },
    ]
    const directory = directoryOf([
      aRecord('a/b', { installCheck: 'passed', installOptions: options, url: 'https://directory.example/plugins/a-b' }),
      aRecord('a/b#packages/c', { npmPackage: 'c' }),
    ])
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    expect(await catalogue.details('A/B', 'work')).toMatchObject({
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

  test.each([
    ['the repository', 'https://github.com/a/b'],
    ['another site', 'https://directory.example.evil.example/plugins/a-b'],
    ['no address', 'https://['],
  ])('details have no page when the record names %s', async (_, url) => {
    const catalogue = catalogueOf(directoryOf([aRecord('a/b', { url })]))
    expect(await catalogue.details('a/b', 'web')).toMatchObject({ id: 'a/b', page: null })
  })

  test('details give the reason when there is no command', async () => {
    const catalogue = catalogueOf(
      directoryOf([aRecord('a/b', { npmPackage: null, install: null, installable: false })]),
    )
    expect(await catalogue.details('a/b', 'web')).toMatchObject({ command: null, reason: 'unpublished', page: null })
  })

  test('details come from the index alone when the directory cannot be reached', async () => {
    const directory = directoryOf([aRecord('a/b')])
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    directory.fail(true)
    expect(await catalogue.details('a/b', 'web')).toMatchObject({ id: 'a/b', described: false, installable: true })
    await expect(catalogue.details('a/unknown', 'web')).rejects.toThrow('status 400')
  })
})

describe('records of visible rows', () => {
  const records = Array.from({ length: 200 }, (_, n) =>
    aRecord(`a/n${n}`, {
      installCheck: n === 0 ? 'passed' : 'failed',
      stars: 300 - n,
      category: n % 2 ? 'ui' : 'memory',
    }),
  )
  const pagesOf = ({ asked }: ReturnType<typeof directoryOf>) =>
    asked.filter(({ searchParams }) => searchParams.has('limit') && !searchParams.has('installCheck'))

  test('records of visible rows are requested in pages of some dozens, each page once', async () => {
    const directory = directoryOf(records)
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    const [one, two] = await Promise.all([catalogue.describe(['a/n5', 'a/n90']), catalogue.describe(['a/n6'])])
    expect([one, two].flat().map(({ described }) => described)).toEqual([true, true, true])
    expect(pagesOf(directory)).toHaveLength(1)
    expect(await catalogue.describe(['a/n198', 'a/n199'])).toMatchObject([{ stars: 102 }, { stars: 101 }])
    expect(pagesOf(directory).map(({ searchParams }) => searchParams.get('page'))).toEqual(['1', '2', '3'])
    await catalogue.describe(['a/n0', 'a/nobody'])
    expect(pagesOf(directory)).toHaveLength(3)
  })

  test('records of visible rows are requested by their category when they share one', async () => {
    const directory = directoryOf(records)
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    await catalogue.describe(['a/n1', 'a/n3'])
    expect(pagesOf(directory)[0]?.searchParams.get('category')).toBe('ui')
  })

  test('records of visible rows that cannot be fetched leave the rows as they are, and are requested again', async () => {
    const directory = directoryOf(records)
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    directory.fail(true)
    await expect(catalogue.describe(['a/n5'])).rejects.toThrow()
    directory.fail(false)
    expect(await catalogue.describe(['a/n5'])).toMatchObject([{ described: true }])
  })
})
