/** The screen's views. */
export type View = 'find' | 'installed'

/** What an address names: the view, the query as it is typed, and the listing whose details are open. */
export interface Place {
  readonly text: string
  readonly listing: string | null
  readonly view: View
}

/** In the form of an address's query, without the question mark; the default place is empty. */
export function addressOf({ text, listing, view }: Place): string {
  const search = new URLSearchParams()
  if (text.trim() !== '') search.set('q', text.trim())
  if (listing !== null) search.set('plugin', listing)
  if (view !== 'find') search.set('view', view)
  return search.toString()
}

/** Total: whatever an address holds names a place. */
export function placeOf(address: string): Place {
  const search = new URLSearchParams(address)
  return {
    text: search.get('q') ?? '',
    listing: search.get('plugin') || null,
    view: search.get('view') === 'installed' ? 'installed' : 'find',
  }
}
