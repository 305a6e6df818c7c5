import { DEFAULT_FILTERS, type Filters } from '../../search/facets.ts'
import { KEYS, parseText, renderFilters, withTyped } from '../../search/query.ts'
import { quoted, valuesOf } from '../../search/tokens.ts'

/** The screen's views. */
export type View = 'find' | 'installed'

/** What an address names: the view, what is looked for, and the listing whose details are open. */
export interface Place {
  /** The words, and what is not understood. */
  readonly text: string
  readonly filters: Filters
  readonly listing: string | null
  readonly view: View
}

/** In the form of an address's query, without the question mark; the default place is empty. */
export function addressOf({ text, filters, listing, view }: Place): string {
  const typed = parseText(text)
  const search = new URLSearchParams()
  if (typed.rest !== '') search.set('q', typed.rest)
  for (const [key, values] of Object.entries(renderFilters(withTyped(filters, typed.filters)))) search.set(key, values)
  if (listing !== null) search.set('plugin', listing)
  if (view !== 'find') search.set('view', view)
  return search.toString()
}

/** Total: whatever an address holds names a place. Filters in its text, as older links have them, count as filters. */
export function placeOf(address: string): Place {
  const search = new URLSearchParams(address)
  const filters = KEYS.flatMap((key) => {
    const values = valuesOf(search.get(key) ?? '')
    return values.length === 0 ? [] : `${key}:${values.map(quoted).join(',')}`
  })
  const typed = parseText([search.get('q') ?? '', ...filters].join(' '))
  return {
    text: typed.rest,
    filters: withTyped(DEFAULT_FILTERS, typed.filters),
    listing: search.get('plugin') || null,
    view: search.get('view') === 'installed' ? 'installed' : 'find',
  }
}
