import { describe, expect, it, vi } from 'vitest'
import { createDirectoryClient, DirectoryError } from './index.ts'
import { collect, pageOf, record, scriptedDirectory } from './testing.ts'

const many = (count: number) => Array.from({ length: count }, (_, i) => record(`reeds/pond-${i}`))
const names = (records: readonly { fullName: string }[]) => records.map(({ fullName }) => fullName)

describe('plugins', () => {
  it('asks for 24 rows of page 1 unless told otherwise', async () => {
    const { directory, asked } = scriptedDirectory((search) => pageOf(many(30), search))
    const page = await directory.plugins()
    expect(String(asked[0])).toBe('limit=24&page=1')
    expect(page).toMatchObject({ total: 30, received: 24 })
  })

  it('sends every argument unchanged', async () => {
    const { directory, asked } = scriptedDirectory(() => [])
    await directory.plugins({ q: '50%_池塘 &x', category: 'fun', limit: 96, installCheck: 'timeout', page: 3 })
    expect(Object.fromEntries(asked[0]!)).toEqual({
      q: '50%_池塘 &x',
      category: 'fun',
      limit: '96',
      installCheck: 'timeout',
      page: '3',
    })
  })

  it.each([
    [{ limit: 0 }, 'limit must be a whole number from 1 to 100'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ page: 0 }, 'page must be a whole number from 1'],
    [{ page: Number.NaN }, 'page'],
    [{ q: 'x'.repeat(201) }, 'q must be at most 200 characters'],
    [{ category: '' }, 'category'],
    [{ installCheck: 'verified' }, 'installCheck must be one of passed'],
    [{ pgae: 2 }, 'pgae'],
  ])('rejects the query %j and sends nothing', async (query, message) => {
    const { directory, asked } = scriptedDirectory(() => [])
    const error = await directory.plugins(query as never).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DirectoryError)
    expect(error).toMatchObject({ kind: 'invalid', status: null, message: expect.stringContaining(message) })
    expect(asked).toHaveLength(0)
  })

  it('accepts a bare array, and an envelope whose counts are missing or invalid', async () => {
    for (const body of [
      many(2),
      { results: many(2) },
      { results: many(2), total: -1 },
      { results: many(2), total: 'x' },
    ])
      expect(await scriptedDirectory(() => body).directory.plugins()).toMatchObject({ total: null, received: 2 })
  })

  it('drops a bad row, reports it with its reason, and keeps the rest of the page', async () => {
    const rows = [record('reeds/a'), { ...record('reeds/b'), stars: 'many' }, null, record('reeds/c')]
    const { directory, rejections } = scriptedDirectory(() => rows)
    const page = await directory.plugins()
    expect(names(page.records)).toEqual(['reeds/a', 'reeds/c'])
    expect(page.received).toBe(4)
    expect(rejections).toEqual([
      { url: expect.stringContaining('/api/v1/plugins?'), index: 1, reason: expect.stringContaining('stars') },
      { url: expect.any(String), index: 2, reason: expect.stringMatching(/\S/) },
    ])
  })

  it.each([null, 'text', 7, {}, { results: {} }, { plugins: [] }])(
    'rejects the response %j as invalid',
    async (body) => {
      await expect(scriptedDirectory(() => body).directory.plugins()).rejects.toMatchObject({ kind: 'invalid' })
    },
  )
})

describe('allPlugins', () => {
  it('reads pages of 96 up to an empty one, with one request at a time, and yields each row once', async () => {
    const rows = [...many(200), record('REEDS/Pond-0')]
    const { directory, asked } = scriptedDirectory((search) => pageOf(rows, search))
    const iterator = directory.allPlugins({ q: 'pond' })
    await iterator.next()
    expect(asked).toHaveLength(1)
    expect(1 + (await collect(iterator)).length).toBe(200)
    expect(asked.map((search) => `${search.get('limit')}/${search.get('page')}`)).toEqual([
      '96/1',
      '96/2',
      '96/3',
      '96/4',
    ])
  })

  it('ends on a server that ignores page', async () => {
    const { directory, asked } = scriptedDirectory(() => many(96))
    expect(await collect(directory.allPlugins())).toHaveLength(96)
    expect(asked).toHaveLength(2)
  })

  it('continues after a page of bad rows', async () => {
    const pages = [[record('reeds/a')], [null, null], [record('reeds/b')], []]
    const { directory } = scriptedDirectory((search) => pages[Number(search.get('page')) - 1])
    expect(names(await collect(directory.allPlugins()))).toEqual(['reeds/a', 'reeds/b'])
  })
})

describe('plugin', () => {
  it('finds the exact name in any case, not the first hit', async () => {
    const rows = [record('reeds/pond-two'), record('mills/pond'), record('Reeds/Pond')]
    const { directory } = scriptedDirectory((search) => pageOf(rows, search))
    expect((await directory.plugin('reeds/pond'))?.fullName).toBe('Reeds/Pond')
  })

  it('searches the full name, then the repository, two pages each, then gives up', async () => {
    const { directory, asked } = scriptedDirectory((search) => pageOf(many(500), search))
    expect(await directory.plugin('reeds/lake#packages/a')).toBeNull()
    expect(asked.map((search) => `${search.get('q')} ${search.get('page')}`)).toEqual([
      'reeds/lake#packages/a 1',
      'reeds/lake#packages/a 2',
      'lake 1',
      'lake 2',
    ])
  })

  it('does not request a page that the total rules out', async () => {
    const { directory, asked } = scriptedDirectory((search) => pageOf(many(3), search))
    expect(await directory.plugin('reeds/lake')).toBeNull()
    expect(asked).toHaveLength(2)
  })

  it.each(['', 'reeds', 'reeds/', 'a b/c', 'a/b#'])('rejects the name %j', async (name) => {
    const { directory, asked } = scriptedDirectory(() => [])
    await expect(directory.plugin(name)).rejects.toMatchObject({ kind: 'invalid' })
    expect(asked).toHaveLength(0)
  })
})

describe('createDirectoryClient', () => {
  it('keeps a path prefix and drops trailing slashes', async () => {
    const { directory } = scriptedDirectory((_, url) => {
      expect(url.pathname).toBe('/base/api/v1/plugins')
      return []
    })
    expect(directory.baseUrl).toBe('https://directory.test/base')
    await directory.plugins()
  })

  it.each(['https://directory.test/base/?', 'https://directory.test/base/#', 'https://directory.test/base//?#'])(
    'drops the empty query and hash of %s',
    (baseUrl) => expect(createDirectoryClient({ baseUrl }).baseUrl).toBe('https://directory.test/base'),
  )

  it.each([
    '',
    'directory.test',
    'ftp://directory.test',
    'https://u:p@directory.test',
    'https://directory.test?x',
    'javascript:1',
  ])('rejects the address %j', (baseUrl) =>
    expect(() => createDirectoryClient({ baseUrl })).toThrow(/The directory address must be/),
  )

  it('answers the next request when what sends it could not be loaded for the first', async () => {
    vi.doMock('ky', () => {
      throw new Error('EMFILE: too many open files')
    })
    const { directory } = scriptedDirectory(() => [])
    await expect(directory.plugins()).rejects.toBeInstanceOf(DirectoryError)
    vi.doUnmock('ky')
    expect(await directory.plugins()).toMatchObject({ received: 0 })
  })
})
