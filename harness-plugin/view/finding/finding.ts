import { computed, ref, shallowRef, watch } from 'vue'
import type { StoreListing } from '../../protocol/index.ts'
import { type Entry, entryOf } from '../../search/entry.ts'
import { createFacetIndex } from '../../search/facet-index.ts'
import { byFacet, chosenValues, clearedFilters, DEFAULT_FILTERS, type Filters } from '../../search/facets.ts'
import { searchWith } from '../../search/find.ts'
import { installedListings } from '../../search/installed.ts'
import { ordered } from '../../search/order.ts'
import { parseText, type Query, renderWords, withTyped } from '../../search/query.ts'
import { prepareSearch } from '../../search/search.ts'
import { termsOf } from '../../search/terms.ts'
import type { Store } from '../store.ts'

const idOf = ({ listing }: Entry): string => listing.id

export type Finding = ReturnType<typeof createFinding>

/** What is looked for, and what is found of it in the rows that are here. */
export function createFinding(
  store: Pick<Store, 'rows' | 'currentProfile'> & {
    readonly installed: Pick<Store['installed'], 'updatable'>
    readonly fits: Pick<Store['fits'], 'known'>
  },
) {
  /** As it is typed; filters in it count while it is, and then become those that are chosen. */
  const text = ref('')
  const filters = shallowRef(DEFAULT_FILTERS)
  const typed = computed(() => parseText(text.value))
  const query = computed((): Query => {
    const { words, problems, filters: more } = typed.value
    return { ...withTyped(filters.value, more), words, problems }
  })
  const selectedId = ref<string | null>(null)
  /** Somebody points at the list or has the keyboard in it. */
  const isHeld = ref(false)
  /** What the directory found for these terms, in its order. */
  const completion = shallowRef<{ readonly terms: string; readonly ids: readonly string[] } | null>(null)

  const index = createFacetIndex()
  const known = new WeakMap<StoreListing, Entry>()
  function toEntry(row: StoreListing): Entry {
    const before = known.get(row)
    if (before) return before
    const entry = entryOf(row, index)
    known.set(row, entry)
    return entry
  }
  const entries = computed(() => store.rows.value.map(toEntry))
  const byId = computed(() => new Map(entries.value.map((entry) => [entry.listing.id, entry])))
  const profile = computed(() => ({
    installed: installedListings(store.rows.value, store.currentProfile.value),
    updatable: store.installed.updatable.value,
    fits: store.fits.known.value,
  }))
  /** By itself, so that rows are put in order when the order changes and not at every key. */
  const sort = computed(() => query.value.sort ?? 'stars')
  const inOrder = computed(() => ordered(entries.value, sort.value))
  // What is worked out ahead must not hold up the rows that are to be shown.
  watch(inOrder, (now) => {
    if (typeof requestIdleCallback === 'function')
      requestIdleCallback(() => now === inOrder.value && prepareSearch(now))
  })

  /** By itself, so that an equal one finds nothing anew. */
  const termsText = computed(() => JSON.stringify(termsOf(typed.value.words)))
  const terms = computed((): readonly string[] => JSON.parse(termsText.value))
  const searched = computed(() => {
    const more = completion.value?.terms === terms.value.join(' ') ? completion.value.ids : []
    return searchWith(inOrder.value, terms.value, {
      more: more.flatMap((id) => byId.value.get(id) ?? []),
      sort: query.value.sort,
      passing: () => index.filter(inOrder.value, query.value, profile.value).entries,
    })
  })
  const matching = computed(() => searched.value.entries)
  const result = computed(() => index.filter(matching.value, query.value, profile.value))
  /** What the install check hides of it. */
  const unchecked = computed(() => {
    const { entries, counts } = result.value
    if ((counts.verdict.get('all') ?? 0) === entries.length) return null
    return index.filter(matching.value, { ...query.value, verdict: ['all'] }, profile.value).entries
  })

  /** What is looked for, as a text: rows do not stay where they are when it changes. */
  const asked = computed(() => JSON.stringify([query.value, text.value.trim()]))
  /** What the list goes on showing while somebody is at it; null while it shows what is found. */
  const held = shallowRef<StableOrder | null>(null)
  let before: { readonly asked: string; readonly entries: readonly Entry[] } = { asked: '', entries: [] }
  function updateHeld(isAtIt: boolean) {
    const { entries } = result.value
    const shown = () => held.value?.ids ?? before.entries.map(idOf)
    held.value = isAtIt && before.asked === asked.value ? stableOrder(shown(), entries.map(idOf)) : null
    before = { asked: asked.value, entries }
  }
  watch([result, isHeld], () => updateHeld(isHeld.value), { immediate: true })

  return {
    text,
    filters,
    query,
    asked,
    terms,
    selectedId,
    isHeld,
    completion,
    counts: computed(() => result.value.counts),
    installed: computed(() => profile.value.installed),
    /** What the list shows. */
    shown: computed(() =>
      held.value === null
        ? result.value.entries.map(({ listing }) => listing)
        : held.value.ids.flatMap((id) => byId.value.get(id)?.listing ?? []),
    ),
    /** Rows that belong in it and wait, because somebody is at it. */
    waiting: computed(() => held.value?.waiting ?? 0),
    selected: computed(() => (selectedId.value === null ? null : (byId.value.get(selectedId.value)?.listing ?? null))),
    find: (id: string) => byId.value.get(id)?.listing ?? null,
    showWaiting: () => updateHeld(false),
    /** The words after spelling correction; null when nothing was corrected. */
    meant: computed(() => searched.value.corrected && renderWords(searched.value.corrected)),
    /** Terms that rows are marked by; null when every row has all of them. */
    partialTerms: computed(() => (searched.value.hasEveryTerm ? null : (searched.value.corrected ?? terms.value))),
    /** Words that are found nowhere. */
    missing: computed(() => searched.value.missing),
    /** How many the install check would hide no more; null where it hides nothing. */
    all: computed(() => unchecked.value?.length ?? null),
    /** Whether it hides what is installed, or what is called as it is asked for. */
    hidesKnown: computed(() => {
      if (unchecked.value === null) return false
      const shown = new Set(result.value.entries)
      return unchecked.value.some(
        (entry) =>
          !shown.has(entry) && (searched.value.named.has(idOf(entry)) || profile.value.installed.has(idOf(entry))),
      )
    }),
    isFiltered: computed(() => chosenValues(query.value).length > 0),
    /** Filters that are typed become chosen ones. */
    takeTyped() {
      const { filters: more, rest } = typed.value
      if (Object.keys(more).length === 0) return
      filters.value = withTyped(filters.value, more)
      text.value = rest !== '' && /\s$/.test(text.value) ? `${rest} ` : rest
    },
    /** Other words, and the same filters. */
    say(words: string) {
      filters.value = filtersOf(query.value)
      text.value = words
    },
    /** Other filters, and the same words; what is typed of filters is chosen by then. */
    change(change: Partial<Filters>) {
      filters.value = filtersOf({ ...query.value, ...change })
      text.value = typed.value.rest
    },
    clearFilters() {
      filters.value = clearedFilters(query.value)
      text.value = typed.value.rest
    },
  }
}

const filtersOf = (query: Query): Filters => ({ ...byFacet((id) => query[id]), sort: query.sort })

/** What a list goes on showing, and how many rows wait to be shown. */
export interface StableOrder {
  readonly ids: readonly string[]
  readonly waiting: number
}

/**
 * Rows never move under somebody who points at them or has the keyboard among them: then the list grows at its end,
 * keeps its order, and what belongs elsewhere waits to be asked for.
 *
 * @param shown what it shows now
 * @param wanted what it would show
 * @returns null when it can show what is wanted without moving a row
 */
export function stableOrder(shown: readonly string[], wanted: readonly string[]): StableOrder | null {
  if (shown.every((id, at) => id === wanted[at])) return null
  const here = new Set(shown)
  return { ids: shown, waiting: wanted.reduce((count, id) => (here.has(id) ? count : count + 1), 0) }
}
