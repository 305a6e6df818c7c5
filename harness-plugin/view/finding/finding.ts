import { isOnlySpec, parseSpec } from '@plugmark/shared/install'
import { computed, type Ref, ref, shallowRef, watch } from 'vue'
import type { Messages } from '../../messages/index.ts'
import type { StoreListing } from '../../protocol/index.ts'
import { type Entry, entryOf } from '../../search/entry.ts'
import {
  byFacet,
  chosenValues,
  clearedFilters,
  DEFAULT_FILTERS,
  FacetIndex,
  type Filters,
  passing,
} from '../../search/facets.ts'
import { filterFound, ordered, searchWith } from '../../search/find.ts'
import { installedListings } from '../../search/listings.ts'
import { parseText, type Query, renderWords, withTyped } from '../../search/query.ts'
import { prepareSearch } from '../../search/search.ts'
import { termsOf } from '../../search/terms.ts'
import type { Store } from '../store.ts'
import { followLooks } from './looks.ts'

const idOf = ({ listing }: Entry): string => listing.id
const filtersOf = (query: Query): Filters => ({ ...byFacet((id) => query[id]), sort: query.sort })

interface FindingStore extends Pick<Store, 'rows' | 'status' | 'currentProfile'> {
  readonly installed: Pick<Store['installed'], 'plugins' | 'updatable'>
  readonly fits: Pick<Store['fits'], 'known'>
}

/** Keeps the search, and finds its results among the rows that have arrived. */
export class Finding {
  // What was asked

  /** The text of the search box. Filters in it apply at once, and become chosen ones when typing ends. */
  readonly text = ref('')
  readonly filters = shallowRef(DEFAULT_FILTERS)
  readonly selectedId = ref<string | null>(null)
  /** True while the list has the focus or is scrolled. */
  readonly isHeld = ref(false)
  /** The directory's results for these terms, in its order. */
  readonly completion = shallowRef<{ readonly terms: string; readonly ids: readonly string[] } | null>(null)

  /** The terms whose correction the user refused. */
  readonly #refused = ref('')
  readonly #store: FindingStore
  readonly #messages: Readonly<Ref<Messages>>
  readonly #unseen: ReturnType<typeof followLooks>
  readonly #index = new FacetIndex()
  readonly #entries = new WeakMap<StoreListing, Entry>()

  readonly #typed = computed(() => parseText(this.text.value))
  readonly query = computed((): Query => {
    const { words, problems, filters } = this.#typed.value
    return { ...withTyped(this.filters.value, filters), words, problems }
  })
  /** True if any value differs from its default. */
  readonly isFiltered = computed(() => chosenValues(this.query.value).length > 0)
  /** The search as a text. When it changes, rows may move. */
  readonly asked = computed(() => JSON.stringify([this.query.value, this.text.value.trim()]))
  /** A computed of its own, so that equal terms start no new search. */
  readonly #termsText = computed(() => JSON.stringify(termsOf(this.#typed.value.words)))
  readonly terms = computed((): readonly string[] => JSON.parse(this.#termsText.value))
  /** A computed of its own, so that more words filter nothing again. */
  readonly #filtersText = computed(() => JSON.stringify(filtersOf(this.query.value)))

  // What is there

  readonly #byId = computed(() => new Map(this.#store.rows.value.map((row) => [row.id, this.#entryOf(row)] as const)))
  readonly #profile = computed(() => ({
    installed: new Set([
      ...installedListings(this.#store.rows.value, this.#store.currentProfile.value),
      // A disabled plugin is no layer of the profile.
      ...(this.#store.installed.plugins.value ?? []).flatMap(({ listing }) => listing ?? []),
    ]),
    updatable: this.#store.installed.updatable.value,
    fits: this.#store.fits.known.value,
    unseen: this.#unseen.value,
  }))
  /** A computed of its own, so that rows are sorted when the order changes and not at every key. */
  readonly #sort = computed(() => this.query.value.sort ?? 'stars')
  readonly #inOrder = computed(() => ordered([...this.#byId.value.values()], this.#sort.value))
  readonly #passing = computed(() => passing(JSON.parse(this.#filtersText.value), this.#profile.value))

  // What was found

  readonly #searched = computed(() => {
    const { value: completion } = this.completion
    const more = completion?.terms === this.terms.value.join(' ') ? completion.ids : []
    return searchWith(this.#inOrder.value, this.terms.value, {
      more: more.flatMap((id) => this.#byId.value.get(id) ?? []),
      sort: this.query.value.sort,
      isShown: (entry) => this.#passing.value(entry),
      locale: this.#messages.value.locale,
      corrects: this.#refused.value !== this.#termsText.value,
    })
  })
  readonly #result = computed(() =>
    filterFound(this.#index, this.#searched.value, { filters: this.query.value, profile: this.#profile.value }),
  )
  readonly counts = computed(() => this.#result.value.counts)
  readonly installed = computed(() => this.#profile.value.installed)
  readonly hidden = computed(() => this.#result.value.unchecked.length)
  /** Says how many plugins the filter by install check hides; empty when it hides none. */
  readonly hiddenText = computed(() => {
    const { value: count } = this.hidden
    const isChosen = chosenValues(this.query.value).some(({ id }) => id === 'verdict')
    const { finding, number } = this.#messages.value
    return count === 0 ? '' : finding.hidden(number(count), count === 1, isChosen)
  })
  /** Number of plugins with every word once the chosen filters are cleared; 0 where none is chosen. */
  readonly outside = computed(() => {
    if (this.terms.value.length === 0 || !this.isFiltered.value) return 0
    const given = { filters: clearedFilters(this.query.value), profile: this.#profile.value }
    const { partial } = this.#searched.value
    const { entries } = filterFound(this.#index, this.#searched.value, given)
    return entries.filter((entry) => !partial.has(entry)).length
  })
  /** The words after spelling correction; null when nothing was corrected. */
  readonly meant = computed(() => this.#searched.value.corrected && renderWords(this.#searched.value.corrected))
  /** A correction that was not applied; null when there is none. */
  readonly offered = computed(() => this.#searched.value.offered && renderWords(this.#searched.value.offered))
  readonly missing = computed(() => this.#searched.value.missing)
  /** Number of rows with every word; null when all of them have. */
  readonly complete = computed(() => {
    const { partial } = this.#searched.value
    const { entries } = this.#result.value
    const count = entries.reduce((sum, entry) => (partial.has(entry) ? sum : sum + 1), 0)
    return count === entries.length ? null : count
  })
  /** The listing and the exact version of a text such as `kite@1.0.0`; null when no listing is of that package. */
  readonly typedVersion = computed(() => {
    const spec = parseSpec(this.text.value)
    if (spec?.kind !== 'npm' || spec.range === null) return null
    const listing = this.#store.rows.value.find(({ npmPackage }) => npmPackage === spec.name)
    return listing ? { listing, version: /^\d+\.\d+\.\d+/.test(spec.range) ? spec.range : null } : null
  })
  /** Pasted source that can be installed although the directory does not list it; null when it is listed. */
  readonly source = computed(() => {
    const source = parseSpec(this.text.value)
    // The host does not know which folder this would be relative to.
    if (source && 'path' in source && source.path.startsWith('.')) return null
    if (this.typedVersion.value !== null) return null
    if (source === null || isOnlySpec(this.text.value)) return source
    // A word may be misspelt, and somebody may have published a package under exactly that.
    const isWord = source.kind === 'npm' && this.text.value.trim() === source.name && !source.name.startsWith('@')
    return !isWord && this.#result.value.entries.length === 0 ? source : null
  })
  readonly selected = computed(() =>
    this.selectedId.value === null ? null : (this.#byId.value.get(this.selectedId.value)?.listing ?? null),
  )

  // What the list shows

  /** The rows that the list keeps showing while it is used; null while it shows the results. */
  readonly #held = shallowRef<StableOrder | null>(null)
  #before: { readonly asked: string; readonly entries: readonly Entry[] } = { asked: '', entries: [] }
  readonly shown = computed(() =>
    this.#held.value === null
      ? this.#result.value.entries.map(({ listing }) => listing)
      : this.#held.value.ids.flatMap((id) => this.#byId.value.get(id)?.listing ?? []),
  )
  /** Number of rows that wait to be shown, because the list is being used. */
  readonly waiting = computed(() => this.#held.value?.waiting ?? 0)

  constructor(store: FindingStore, messages: Readonly<Ref<Messages>>) {
    this.#store = store
    this.#messages = messages
    this.#unseen = followLooks(store.rows, store.status)
    watch([this.#result, this.isHeld], () => this.#updateHeld(this.isHeld.value), { immediate: true })
    // Preparing the next search must not delay the rows that are about to be shown.
    watch(this.#inOrder, (now) => {
      if (typeof requestIdleCallback === 'function')
        requestIdleCallback(() => now === this.#inOrder.value && prepareSearch(now))
    })
  }

  #entryOf(row: StoreListing): Entry {
    const known = this.#entries.get(row)
    if (known) return known
    const entry = entryOf(row)
    this.#index.add(entry)
    this.#entries.set(row, entry)
    return entry
  }
  #updateHeld(isUsed: boolean): void {
    const { entries } = this.#result.value
    const { value: asked } = this.asked
    const shown = () => this.#held.value?.ids ?? this.#before.entries.map(idOf)
    this.#held.value = isUsed && this.#before.asked === asked ? stableOrder(shown(), entries.map(idOf)) : null
    this.#before = { asked, entries }
  }

  readonly isFound = (id: string): boolean => this.#result.value.entries.some((entry) => idOf(entry) === id)
  /** Returns the words that a row has; null when it has all of them. */
  readonly termsIn = (id: string): readonly string[] | null => {
    const entry = this.#byId.value.get(id)
    return (entry && this.#searched.value.partial.get(entry)) ?? null
  }
  readonly showWaiting = (): void => this.#updateHeld(false)
  readonly takeTyped = (): void => {
    const { filters, rest } = this.#typed.value
    if (Object.keys(filters).length === 0) return
    this.filters.value = withTyped(this.filters.value, filters)
    this.text.value = rest !== '' && /\s$/.test(this.text.value) ? `${rest} ` : rest
  }
  readonly refuseCorrection = (): void => {
    this.#refused.value = this.#termsText.value
  }
  /** Changes the words, and keeps the filters. */
  readonly setWords = (words: string): void => {
    this.filters.value = filtersOf(this.query.value)
    this.text.value = words
  }
  /** Changes the filters, and keeps the words. Typed filters become chosen ones. */
  readonly change = (change: Partial<Filters>): void => {
    this.filters.value = filtersOf({ ...this.query.value, ...change })
    this.text.value = this.#typed.value.rest
  }
  readonly clearFilters = (): void => this.change(clearedFilters(this.query.value))
}

/** The rows that a list keeps showing, and the number of those that wait. */
export interface StableOrder {
  readonly ids: readonly string[]
  readonly waiting: number
}

/**
 * Rows do not move while the user works with the list: meanwhile it only grows at its end and keeps its order, and rows
 * that belong elsewhere wait until they are asked for.
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

/** Pause in typing before the directory is asked. */
const TYPING_MS = 350
/** Longest query that the directory accepts. */
const LONGEST = 200
/** Shortest query: a single letter is in every listing. */
const SHORTEST = 2

/** Asks the directory for further matches of the words, once typing pauses. */
export function completeSearches(
  store: Pick<Store, 'search'>,
  finding: Pick<Finding, 'query' | 'terms' | 'completion'>,
) {
  const state = ref<'no' | 'asking' | 'failed'>('no')
  let waiting: ReturnType<typeof setTimeout> | null = null
  const cancel = () => {
    if (waiting) clearTimeout(waiting)
    waiting = null
  }

  async function ask(terms: string, words: string) {
    state.value = 'asking'
    const ids = await store.search(words)
    if (finding.terms.value.join(' ') !== terms) return
    state.value = ids === null ? 'failed' : 'no'
    if (ids !== null) finding.completion.value = { terms, ids }
  }

  const stop = watch(
    () => finding.terms.value.join(' '),
    (terms) => {
      cancel()
      state.value = 'no'
      const words = finding.query.value.words.join(' ')
      const [longest = 0] = finding.terms.value.map(({ length }) => length).toSorted((a, b) => b - a)
      if (words.length > LONGEST || (longest < SHORTEST && !/\p{Script=Han}/u.test(words))) return
      waiting = setTimeout(() => void ask(terms, words), TYPING_MS)
    },
  )
  return {
    /** Says if the directory is being asked, or could not be. */
    state,
    stop() {
      cancel()
      stop()
    },
  }
}
