import { describe, expect, test } from 'vitest'
import { createCatalogue } from '../catalogue/catalogue.ts'
import type { RepositoryFacts } from '../catalogue/facts.ts'
import { LiveServiceBreaks, selectLive } from './live.ts'
import { select } from './select.ts'

const repository = (number: number, more: Partial<RepositoryFacts> = {}): RepositoryFacts => ({
  repository: `someone/thing-${number}`,
  description: 'A thing.',
  language: null,
  license: null,
  // Two repositories share each number of stars.
  stars: 1000 - (number >> 1),
  commits: 10,
  pushedAt: '2026-01-01T00:00:00.000Z',
  packages: [{ manifest: { name: 'x', dsh: {} }, check: { verdict: number % 2 ? 'passed' : 'failed', at: '' } }],
  ...more,
})
const many = Array.from({ length: 250 }, (_, number) => repository(number))
const odd = [
  repository(900, { description: 'Straße in ΑΘΗΝΑΣ, 100% café_au_lait' }),
  repository(901, { description: 'Ankara İstanbul 会话' }),
]
const { listings } = createCatalogue({ repositories: [...many, ...odd] })
const numbers = (found: { page: readonly { record: { fullName: string } }[] }) =>
  found.page.map(({ record }) => Number(record.fullName.split('-')[1]))
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
const ask = (query: string) => select(listings, new URLSearchParams(query))
const askLive = (query: string) => selectLive(listings, new URLSearchParams(query))

describe('select', () => {
  test('cuts pages where they belong, equals in the order of the source', () => {
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
      const all = askLive('limit=96').page
      return [limit, askLive(`limit=${limit}`).page.length, all.indexOf(first!)]
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

  test('orders by stars, equals otherwise than the source has them', () => {
    expect(numbers(askLive('limit=24')).slice(0, 4)).toEqual([1, 0, 3, 2])
  })

  test.for(['0', 'many', ''])('takes limit=%s for 20', (limit) => {
    expect(askLive(`limit=${limit}`).page).toHaveLength(20)
  })

  test('gives wrong rows for a negative limit, and breaks on fractions and negative pages', () => {
    expect(askLive('limit=-4').page).toHaveLength(20)
    for (const query of ['limit=2.5', 'page=1.5', 'page=-1']) expect(() => askLive(query)).toThrow(LiveServiceBreaks)
  })

  test.for(['1%0', 'caf__au', 'th_ng-24_', '%', '('])('takes wildcards in q=%s', (q) => {
    const like = new RegExp(q.replace('(', '\\(').replaceAll('%', '.*').replaceAll('_', '.'), 'i')
    const wanted = [...many, ...odd].filter(
      ({ repository, description }) => like.test(repository) || like.test(description!),
    )
    expect(askLive(`${new URLSearchParams({ q })}`).total).toBe(wanted.length)
  })
})
