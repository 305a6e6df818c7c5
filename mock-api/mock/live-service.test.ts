import { describe, expect, test } from 'vitest'
import { select } from '../api/api.ts'
import { createCatalogue } from '../invented/invented.ts'
import { createRow, type MockRow } from '../invented/mock-row.ts'
import { LiveServiceError, selectLive } from './live-service.ts'

const row = (number: number, more: Partial<MockRow> = {}): MockRow =>
  createRow({
    fullName: `someone/thing-${number}`,
    description: 'A thing.',
    // Two repositories share each number of stars.
    stars: 1000 - (number >> 1),
    installCheck: number % 2 ? 'passed' : 'failed',
    ...more,
  })
const many = Array.from({ length: 250 }, (_, number) => row(number))
const odd = [
  row(900, {
    description: 'Straße in ΑΘΗΝΑΣ, 100% café_au_lait',
    npmPackage: '@someone/pack',
    summary: 'Straße',
    summaryZh: 'Grüße',
    installCheck: null,
  }),
  row(901, { description: 'Ankara İstanbul 会话' }),
]
const { listings } = createCatalogue({ rows: [...many, ...odd] })
const numbers = (found: { page: readonly { record: { fullName: string } }[] }) =>
  found.page.map(({ record }) => Number(record.fullName.split('-')[1]))
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
const ask = (query: string) => select(listings, new URLSearchParams(query))
const askLive = (query: string) => selectLive(listings, new URLSearchParams(query))

describe('select', () => {
  test('cuts pages at their limit, and keeps equals in the order of the source', () => {
    expect(numbers(ask('limit=20&page=2'))).toEqual(range(20, 40))
    expect(numbers(ask(''))).toEqual(range(0, 20))
    expect(ask('page=9000')).toEqual({ total: 252, page: [] })
    expect(numbers(ask('limit=3&limit=9'))).toEqual([0, 1, 2])
  })

  test.for([
    ['strasse', 1],
    ['STRASSE', 1],
    ['αθηνας', 1],
    ['αθηνασ', 1],
    ['i̇stanbul', 1],
    ['会话', 1],
    ['100%', 1],
    ['1%0', 0],
    ['CAFE\u0301_', 1],
    ['café-', 0],
    ['  thing-24  ', 11],
    ['.*', 0],
  ] as const)('q=%s finds %i', ([q, total]) => {
    expect(ask(`${new URLSearchParams({ q })}`).total).toBe(total)
  })
})

describe('selectLive', () => {
  test('ignores installCheck', () => {
    expect(askLive('installCheck=passed').total).toBe(252)
    expect(ask('installCheck=passed').total).toBe(125 + 1)
  })

  test('snaps the page size to 24, 48 or 96 and cuts to limit', () => {
    const sizes = ['20', '24', '25', '48', '60', '96', '100'].map((limit) => {
      const [first] = askLive(`limit=${limit}&page=2`).page
      const stars = askLive('limit=96').page.map(({ record }) => record.stars)
      return [limit, askLive(`limit=${limit}`).page.length, stars.indexOf(first!.record.stars)]
    })
    expect(sizes).toEqual([
      ['20', 20, 24],
      ['24', 24, 24],
      ['25', 25, 48],
      ['48', 48, 48],
      ['60', 60, -1],
      ['96', 96, -1],
      ['100', 96, -1],
    ])
  })

  test('reverses equal stars on every other page, so that a row at the edge of a page comes twice', () => {
    const pages = Array.from({ length: 4 }, (_, i) => numbers(askLive(`limit=96&page=${i + 1}`)))
    expect(pages.map(({ length }) => length)).toEqual([96, 96, 60, 0])
    expect(pages[0]!.slice(0, 4)).toEqual([1, 0, 3, 2])
    // Without the first listing, two with equal stars are on either side of an edge.
    const uneven = listings.slice(1)
    const first = numbers(selectLive(uneven, new URLSearchParams('limit=24')))
    const second = numbers(selectLive(uneven, new URLSearchParams('limit=24&page=2')))
    expect(first.filter((number) => second.includes(number))).toHaveLength(1)
  })

  test.for([
    ['limit=0', 20],
    ['limit=many', 20],
    ['limit=', 20],
    ['limit=1.5', 1],
    ['limit=-4', 20],
    ['limit=12345678901234567890', 96],
    ['page=-1', 20],
    ['page=0.5', 20],
    ['page=many', 20],
  ] as const)('for %s returns %i rows of the first page', ([query, length]) => {
    expect(askLive(query).page).toEqual(askLive('limit=96').page.slice(0, length))
  })

  test('returns wrong rows for a fractional page, and throws when the offset is not a whole number', () => {
    expect(askLive('page=1.5').page[0]).toBe(askLive('limit=96').page[12])
    for (const query of ['page=1.3', 'page=Infinity', 'page=12345678901234567890'])
      expect(() => askLive(query)).toThrow(LiveServiceError)
  })

  test.for(['1%0', 'thing-2_0', 'th_ng-24_', '%', '('])('treats q=%s as a pattern with wildcards', (q) => {
    const like = new RegExp(q.replace('(', '\\(').replaceAll('%', '.*').replaceAll('_', '.'), 'i')
    const wanted = [...many, ...odd].filter(({ fullName }) => like.test(fullName))
    expect(askLive(`${new URLSearchParams({ q })}`).total).toBe(wanted.length)
  })

  test.for([
    ['THING-900', 1, 'it searches the repository, and ignores the case of ASCII letters'],
    ['straße', 1, 'it searches the summary'],
    ['STRASSE', 0, 'it knows no other spelling of a letter'],
    ['grüße', 1, 'it searches the Chinese summary'],
    ['GRÜSSE', 0, 'it keeps the case of letters beyond ASCII'],
    ['@someone/pack', 1, 'it searches the npm package'],
    ['café', 0, 'it does not search the description'],
    [' thing-900 ', 1, 'it trims spaces'],
    ['thing 900', 0, 'it searches one text, not words'],
  ] as const)('q=%s finds %i: %s', ([q, total]) => {
    expect(askLive(`${new URLSearchParams({ q })}`).total).toBe(total)
  })
})
