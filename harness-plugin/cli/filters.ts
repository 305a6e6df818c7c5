/** The filters of a search as a command line knows them: for its help, its errors and its completion. */
import { FACETS, type Key, SORTS } from '../search/facets.ts'
import { facetsOf, KEYS } from '../search/query.ts'

/** Filters that any listing may have another value of, or that are limits, with examples. */
const EXAMPLES: Readonly<Partial<Record<Key, readonly string[]>>> = {
  license: ['MIT'],
  language: ['TypeScript'],
  owner: ['NAME'],
  stars: ['1000', '..50'],
  pushed: ['2026-08', '..2026-08-01'],
}
export const hasExamples = (key: Key): boolean => EXAMPLES[key] !== undefined

/** Returns the values of a filter, or examples. Only `outdated` looks for updates. */
export const filterValues = (key: Key): readonly string[] =>
  EXAMPLES[key] ??
  (key === 'sort' ? SORTS : facetsOf(key).flatMap((id) => FACETS[id].values.filter((one) => one !== 'updatable')))

/** Returns every filter with every value that it has. */
export const allFilters = (): string[] =>
  KEYS.filter((key) => !hasExamples(key)).flatMap((key) => filterValues(key).map((value) => `${key}:${value}`))
