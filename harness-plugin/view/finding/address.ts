import { type Ref, watch } from 'vue'
import { DEFAULT_FILTERS, type Filters } from '../../search/facets.ts'
import { KEYS, parseText, quoted, renderFilters, valuesOf, withTyped } from '../../search/query.ts'
import type { Finding } from './finding.ts'

/** The store's part of the page's address. `write` changes it; with `replace`, Back skips the step. */
export interface AddressBar {
  readonly address: Readonly<Ref<string>>
  write(address: string, replace: boolean): void
}

export type View = 'find' | 'installed'

/** The content of an address: the view, the search, and the listing whose details are open. */
export interface StorePlace {
  /** The words, and the filters that were not understood. */
  readonly text: string
  readonly filters: Filters
  readonly listing: string | null
  readonly view: View
}

/** Returns the address as a query string, without the question mark; empty for the default place. */
export function addressOf({ text, filters, listing, view }: StorePlace): string {
  const typed = parseText(text)
  const search = new URLSearchParams()
  if (typed.rest !== '') search.set('q', typed.rest)
  for (const [key, values] of Object.entries(renderFilters(withTyped(filters, typed.filters)))) search.set(key, values)
  if (listing !== null) search.set('plugin', listing)
  if (view !== 'find') search.set('view', view)
  return search.toString()
}

/** Reads an address. Accepts any text. Filters in its text, as older links have them, count as filters. */
export function placeOf(address: string): StorePlace {
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

const TYPING_MS = 300

export function followAddress(
  bar: AddressBar,
  finding: Pick<Finding, 'text' | 'filters' | 'selectedId'> & { readonly view: Ref<View> },
) {
  const { text, filters, selectedId, view } = finding
  let waiting: ReturnType<typeof setTimeout> | null = null
  let wasTyped = false
  /** The address that was passed to the page last. It comes back late, when more may have been typed. */
  let written: string | null = null
  const here = () =>
    addressOf({
      text: text.value,
      filters: filters.value,
      listing: selectedId.value,
      view: view.value,
    })

  function write(isTyped: boolean) {
    if (waiting) clearTimeout(waiting)
    waiting = null
    // Everything that is typed in one go is one step of Back.
    const replace = isTyped && wasTyped
    wasTyped = isTyped
    if (here() === (written ?? bar.address.value)) return
    written = here()
    bar.write(written, replace)
  }

  const stop = watch(
    bar.address,
    (address) => {
      if (address === written) return
      written = null
      wasTyped = false
      const place = placeOf(address)
      text.value = place.text
      filters.value = place.filters
      selectedId.value = place.listing
      view.value = place.view
    },
    { immediate: true },
  )

  return {
    write: () => write(false),
    writeTyping() {
      if (waiting) clearTimeout(waiting)
      waiting = setTimeout(() => write(true), TYPING_MS)
    },
    stop() {
      if (waiting) clearTimeout(waiting)
      stop()
    },
  }
}
