import { DEFAULT_QUERY, type Query } from '../../search/query.ts'

/** Which part of a query is let go. */
export type Loosened =
  | { readonly part: 'verdict' | 'category' | 'risk' | 'license' | 'traits' | 'words' | 'filters' }
  | { readonly part: 'word'; readonly word: string }

/** The ways to ask for less, each with its query: one part of it let go, then all of a kind. */
export function waysToLoosen(query: Query): { readonly what: Loosened; readonly query: Query }[] {
  const ways: { what: Loosened; query: Query }[] = []
  if (query.verdict !== 'all') ways.push({ what: { part: 'verdict' }, query: { ...query, verdict: 'all' } })
  for (const part of ['category', 'risk', 'license', 'traits'] as const) {
    if (query[part].length > 0) ways.push({ what: { part }, query: { ...query, [part]: DEFAULT_QUERY[part] } })
  }
  if (query.words.length > 1) {
    for (const word of query.words)
      ways.push({ what: { part: 'word', word }, query: { ...query, words: query.words.filter((one) => one !== word) } })
  }
  const filters = ways.filter(({ what }) => what.part !== 'word').length
  if (query.words.length > 0) ways.push({ what: { part: 'words' }, query: { ...query, words: [] } })
  if (filters > 1)
    ways.push({ what: { part: 'filters' }, query: { ...DEFAULT_QUERY, verdict: 'all', words: query.words } })
  return ways
}
