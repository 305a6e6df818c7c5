import { isOnlySource, parseSource } from '@plugmark/shared/install'
import { computed, ref, shallowRef, watch } from 'vue'
import type { StoreListing } from '../../protocol/index.ts'
import { type Entry, entryOf } from '../../search/entry.ts'
import {
  byFacet,
  chosenValues,
  clearedFilters,
  createFacetIndex,
  DEFAULT_FILTERS,
  type Filters,
} from '../../search/facets.ts'
import { filterFound, ordered, searchWith } from '../../search/find.ts'
import { installedListings } from '../../search/listings.ts'
import { parseText, type Query, renderWords, withTyped } from '../../search/query.ts'
import { prepareSearch } from '../../search/search.ts'
import { termsOf } from '../../search/terms.ts'
import type { Store } from '../create-store.ts'
import { createComparison } from '../details/comparison.ts'
import { LEAST_FOR_START, type StartSection, startSections } from './start-sections.ts'
import type { News } from './visits.ts'

const idOf = ({ listing }: Entry): string => listing.id

export type Finding = ReturnType<typeof createFinding>

/** Keeps the search, and finds its results among the rows that have arrived. */
export function createFinding(
  store: Pick<Store, 'rows' | 'currentProfile'> & {
    readonly installed: Pick<Store['installed'], 'updatable'>
    readonly fits: Pick<Store['fits'], 'known'>
  },
) {
  /** The text of the search box. Filters in it apply at once, and become chosen ones when typing ends. */
  const text = ref('')
  const filters = shallowRef(DEFAULT_FILTERS)
  const typed = computed(() => parseText(text.value))
  const query = computed((): Query => {
    const { words, problems, filters: more } = typed.value
    return { ...withTyped(filters.value, more), words, problems }
  })
  const selectedId = ref<string | null>(null)
  const comparison = createComparison()
  /** True while the pointer or the focus is in the list. */
  const isHeld = ref(false)
  /** The directory's results for these terms, in its order. */
  const completion = shallowRef<{ readonly terms: string; readonly ids: readonly string[] } | null>(null)

  /** The listings that are new to this browser. */
  const news = shallowRef<News>({ fresh: new Set(), since: null })

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
    fresh: news.value.fresh,
  }))
  /** A computed of its own, so that rows are sorted when the order changes and not at every key. */
  const sort = computed(() => query.value.sort ?? 'stars')
  const inOrder = computed(() => ordered(entries.value, sort.value))
  // Preparing the next search must not delay the rows that are about to be shown.
  watch(inOrder, (now) => {
    if (typeof requestIdleCallback === 'function')
      requestIdleCallback(() => now === inOrder.value && prepareSearch(now))
  })

  /** A computed of its own, so that equal terms start no new search. */
  const termsText = computed(() => JSON.stringify(termsOf(typed.value.words)))
  const terms = computed((): readonly string[] => JSON.parse(termsText.value))
  /** Computeds of their own, so that more words filter nothing again. */
  const filtersText = computed(() => JSON.stringify(filtersOf(query.value)))
  const passing = computed(() => index.filter(inOrder.value, JSON.parse(filtersText.value), profile.value).entries)
  const searched = computed(() => {
    const more = completion.value?.terms === terms.value.join(' ') ? completion.value.ids : []
    return searchWith(inOrder.value, terms.value, {
      more: more.flatMap((id) => byId.value.get(id) ?? []),
      sort: query.value.sort,
      passing: () => passing.value,
    })
  })
  const result = computed(() => filterFound(index, searched.value, { filters: query.value, profile: profile.value }))

  /** The search as a text. When it changes, rows may move. */
  const asked = computed(() => JSON.stringify([query.value, text.value.trim()]))
  /** The rows that the list keeps showing while a person uses it; null while it shows the results. */
  const held = shallowRef<StableOrder | null>(null)
  let before: { readonly asked: string; readonly entries: readonly Entry[] } = { asked: '', entries: [] }
  function updateHeld(isAtIt: boolean) {
    const { entries } = result.value
    const shown = () => held.value?.ids ?? before.entries.map(idOf)
    held.value = isAtIt && before.asked === asked.value ? stableOrder(shown(), entries.map(idOf)) : null
    before = { asked: asked.value, entries }
  }
  watch([result, isHeld], () => updateHeld(isHeld.value), { immediate: true })

  /** True when nothing is searched, filtered or sorted, and there is enough to choose from. */
  const isStart = computed(
    () =>
      text.value.trim() === '' &&
      query.value.sort === null &&
      chosenValues(query.value).length === 0 &&
      result.value.entries.length >= LEAST_FOR_START,
  )
  const latestSections = computed(() =>
    isStart.value
      ? startSections(
          result.value.entries,
          [...news.value.fresh].flatMap((id) => byId.value.get(id) ?? []),
        )
      : [],
  )
  /** The sections that are shown: their rows do not move under the pointer or the focus either. */
  const sections = shallowRef<readonly StartSection[]>([])
  watch(
    [latestSections, isHeld],
    ([latest]) => {
      if (!isHeld.value || sections.value.length === 0 || latest.length === 0) sections.value = latest
    },
    { immediate: true },
  )

  return {
    text,
    filters,
    news,
    sections,
    query,
    asked,
    terms,
    selectedId,
    comparison,
    isHeld,
    completion,
    counts: computed(() => result.value.counts),
    installed: computed(() => profile.value.installed),
    /** The rows of the list. */
    shown: computed(() =>
      held.value === null
        ? result.value.entries.map(({ listing }) => listing)
        : held.value.ids.flatMap((id) => byId.value.get(id)?.listing ?? []),
    ),
    /** Number of rows that wait to be shown, because a person uses the list. */
    waiting: computed(() => held.value?.waiting ?? 0),
    selected: computed(() => (selectedId.value === null ? null : (byId.value.get(selectedId.value)?.listing ?? null))),
    /** Returns true if a listing is among the results. */
    isFound: (id: string) => result.value.entries.some((entry) => idOf(entry) === id),
    showWaiting: () => updateHeld(false),
    /** The words after spelling correction; null when nothing was corrected. */
    meant: computed(() => searched.value.corrected && renderWords(searched.value.corrected)),
    /** A correction that was not applied; null when there is none. */
    offered: computed(() => searched.value.offered && renderWords(searched.value.offered)),
    /** The terms that a row has, to mark in it; null when it has all of them. */
    termsIn: (id: string) => {
      const entry = byId.value.get(id)
      return (entry && searched.value.partial.get(entry)) ?? null
    },
    /** Number of rows with every word; null when all of them have. */
    complete: computed(() => {
      const { partial } = searched.value
      const count = result.value.entries.reduce((sum, entry) => (partial.has(entry) ? sum : sum + 1), 0)
      return count === result.value.entries.length ? null : count
    }),
    /** Words that no plugin has. */
    missing: computed(() => searched.value.missing),
    /** What was pasted and can be installed although the directory does not list it; null when it is listed. */
    source: computed(() => {
      const source = parseSource(text.value)
      return source && (isOnlySource(text.value) || result.value.entries.length === 0) ? source : null
    }),
    /** Number of further results that the install check hides. */
    hidden: computed(() => result.value.hidden),
    isFiltered: computed(() => chosenValues(query.value).length > 0),
    /** Turns typed filters into chosen ones. */
    takeTyped() {
      const { filters: more, rest } = typed.value
      if (Object.keys(more).length === 0) return
      filters.value = withTyped(filters.value, more)
      text.value = rest !== '' && /\s$/.test(text.value) ? `${rest} ` : rest
    },
    /** Changes the words, and keeps the filters. */
    setWords(words: string) {
      filters.value = filtersOf(query.value)
      text.value = words
    },
    /** Changes the filters, and keeps the words. Typed filters become chosen ones. */
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

/** The rows that a list keeps showing, and the number of those that wait. */
export interface StableOrder {
  readonly ids: readonly string[]
  readonly waiting: number
}

/**
 * Rows never move under the pointer or the focus: meanwhile the list only grows at its end and keeps its order, and rows
 * that belong elsewhere wait until the person asks for them.
 *
 * @param shown ids of the rows now
 * @param wanted ids of the rows that would be shown otherwise
 * @returns null when the list can show `wanted` without moving a row
 */
export function stableOrder(shown: readonly string[], wanted: readonly string[]): StableOrder | null {
  if (shown.every((id, at) => id === wanted[at])) return null
  const here = new Set(shown)
  return { ids: shown, waiting: wanted.reduce((count, id) => (here.has(id) ? count : count + 1), 0) }
}
