import { LOCALES } from '@plugmark/shared/i18n'
import { describe, expect, test } from 'vitest'
import { messagesFor } from '../messages/index.ts'
import { aListing } from '../view/testing.ts'
import { completionsAt, vocabularyOf } from './completions.ts'
import { entryOf } from './entry.ts'
import {
  chosenValues,
  DEFAULT_FILTERS,
  FACET_IDS,
  FACETS,
  FacetIndex,
  type Filters,
  facetValues,
  toggled,
  valueName,
} from './facets.ts'
import { facetsOf, KEYS, parseQuery, renderFilters } from './query.ts'

const rows = [
  aListing('a/one', { category: 'memory', license: 'MIT', language: 'Rust' }),
  aListing('a/two', { license: 'ISC', language: 'C++', riskFlags: ['install script', 'a newer flag'] }),
  aListing('a/three', { category: null, license: null, verdict: 'needs-approval' }),
  aListing('a/four', { category: 'newer id', verdict: 'failed', installable: false, language: 'constructor' }),
  aListing('b/five', { described: false, verdict: null, license: null }),
]
const profile = {
  installed: new Set(['a/two', 'a/three']),
  updatable: new Set(['a/two']),
  fits: new Map([['a/one', true]]),
}
const index = new FacetIndex()
const entries = rows.map(entryOf)
const ALL: Filters = { ...DEFAULT_FILTERS, verdict: ['all'] }
const { counts } = index.filter(entries, ALL, profile)
const textOf = (filters: Filters) =>
  Object.entries(renderFilters(filters))
    .map((pair) => pair.join(':'))
    .join(' ')

describe.each(FACET_IDS.filter((id) => !FACETS[id].boundedOf))('the facet %s', (id) => {
  const { key, values, choice, isOpen, initial } = FACETS[id]
  const found = [...counts[id].keys()]

  test('has only known values in these listings, unless it is open', () => {
    expect(found.length).toBeGreaterThan(1)
    if (!isOpen) expect(values).toEqual(expect.arrayContaining(found))
    expect(new Set(values).size).toBe(values.length)
    if (choice === 'one') expect(values).toContain(initial)
  })

  test.each(LOCALES)('has distinct names for itself and its known values in %s', (locale) => {
    const t = messagesFor(locale)
    const names = values.map((value) => valueName(id, value, t))
    expect(new Set([t.facets[id].title, ...names]).size).toBe(values.length + 1)
    for (const [at, name] of names.entries()) expect(name).not.toBe(values[at])
    expect(facetValues(id, counts[id], t).map(({ value }) => value)).toEqual(expect.arrayContaining(found))
  })

  test('a facet can be chosen, typed in every language, shown as a chip, and removed', () => {
    for (const value of new Set([...values, ...found])) {
      if (value === initial) continue
      const filters = { ...DEFAULT_FILTERS, [id]: toggled(DEFAULT_FILTERS, id, value) }
      expect(parseQuery(textOf(filters))).toMatchObject(filters)
      for (const t of LOCALES.map(messagesFor))
        for (const typed of t.keys[key].names)
          expect(parseQuery(`${typed}:"${valueName(id, value, t)}"`)).toMatchObject(filters)
      expect(chosenValues(filters)).toEqual([{ id, value, without: DEFAULT_FILTERS }])
    }
  })

  test('counts the listings that a value would show', () => {
    const others = FACET_IDS.filter((other) => other !== id).flatMap((other) =>
      [...counts[other].keys()].map((value) => ({ ...ALL, [other]: toggled(ALL, other, value) })),
    )
    const own = found.map((value) => ({ ...ALL, [id]: [value] }))
    for (const filters of [ALL, DEFAULT_FILTERS, ...others, ...own])
      for (const [value, count] of index.filter(entries, filters, profile).counts[id]) {
        const chosen = choice === 'every' ? [...filters[id], value] : [value]
        const { entries: shown } = index.filter(entries, { ...filters, [id]: chosen }, profile)
        expect(shown, `${textOf(filters)} ${id}:${value}`).toHaveLength(count)
      }
  })

  test('offers values of the listings as completions', () => {
    const vocabulary = vocabularyOf(messagesFor('en'), counts)
    const offered = completionsAt(`${key}:`, key.length + 1, vocabulary)?.list.map(({ label }) => label)
    expect(offered).toContain(valueName(id, found[0]!, messagesFor('en')))
  })
})

test('has a facet for every key except the order', () => {
  for (const key of KEYS) expect(key === 'sort' || facetsOf(key).length > 0).toBe(true)
})

test('lets facets share a key only when they have no value in common', () => {
  for (const key of KEYS) {
    const values = facetsOf(key).flatMap((id) => FACETS[id].values)
    expect(new Set(values).size).toBe(values.length)
  }
})

describe('a bound', () => {
  const bounded = [
    aListing('a/new', { stars: 1500, pushedAt: '2026-09-02T10:00:00.000Z' }),
    aListing('a/old', { stars: 1000, pushedAt: '2026-08-01T00:00:00.000Z' }),
    aListing('a/unknown', { stars: null, pushedAt: null }),
  ].map(entryOf)
  const idsOf = (query: string) => index.filter(bounded, parseQuery(query), profile).entries.map(({ name }) => name)

  test.each<[string, string[]]>([
    ['stars:>1000', ['new']],
    ['stars:>=1k', ['new', 'old']],
    ['stars:1000', ['new', 'old']],
    ['stars:1001..', ['new']],
    ['stars:1001+', ['new']],
    ['stars:<1500', ['old']],
    ['stars:..1000', ['old']],
    ['stars:>900 stars:<1200', ['old']],
    ['星标:＞1000', ['new']],
    ['pushed:>2026-08-01', ['new']],
    ['pushed:>=2026-08-01', ['new', 'old']],
    ['pushed:<2026-09', ['old']],
    ['pushed:<=2026-09', ['new', 'old']],
    ['pushed:2026', ['new', 'old']],
    ['updated:>2026-08-31', ['new']],
    ['更新:>2026-08', ['new']],
  ])('%s shows what is known to hold it', (query, names) => {
    expect(idsOf(query)).toEqual(names)
    expect(parseQuery(query).problems).toEqual([])
  })

  test.each([
    'stars:many',
    'stars:>',
    'stars:2026-08-01',
    'pushed:>8',
    'pushed:>2026-13',
    'pushed:yesterday',
    'category:>1000',
  ])('%s is not understood, and filters nothing', (query) => {
    expect(parseQuery(query).problems).toHaveLength(1)
    expect(idsOf(query)).toHaveLength(3)
  })

  test('is shown as a chip, with its title, and removed', () => {
    const filters = { ...DEFAULT_FILTERS, stars: ['>1000'] }
    expect(chosenValues(filters)).toEqual([{ id: 'stars', value: '>1000', without: DEFAULT_FILTERS }])
    expect(parseQuery(textOf(filters))).toMatchObject(filters)
  })
})
