import { computed, ref, shallowRef, watch } from 'vue'
import type { StoreListing } from '../../bridge/index.ts'
import { createFacetCodes, type Entry, entryOf } from '../../search/entry.ts'
import { filtered } from '../../search/facets.ts'
import { termsOf } from '../../search/fold.ts'
import { installedListings } from '../../search/installed.ts'
import { ordered } from '../../search/order.ts'
import { parseQuery, type Query, renderQuery } from '../../search/query.ts'
import { search } from '../../search/search.ts'
import type { Store } from '../store.ts'
import { type Settled, settle } from './settle.ts'

const idOf = ({ listing }: Entry): string => listing.id

export type Finding = ReturnType<typeof createFinding>

/** What is looked for, and what is found of it in the rows that are here. */
export function createFinding(
  store: Pick<Store, 'rows' | 'currentProfile'> & { readonly installed: Pick<Store['installed'], 'updatable'> },
) {
  const text = ref('')
  const query = computed(() => parseQuery(text.value))
  const selectedId = ref<string | null>(null)
  /** Somebody points at the list or has the keyboard in it. */
  const isHeld = ref(false)
  /** What the directory found for these terms, in its order. */
  const completion = shallowRef<{ readonly terms: string; readonly ids: readonly string[] } | null>(null)

  const codes = createFacetCodes()
  const known = new WeakMap<StoreListing, Entry>()
  function toEntry(row: StoreListing): Entry {
    const before = known.get(row)
    if (before) return before
    const entry = entryOf(row, codes)
    known.set(row, entry)
    return entry
  }
  const entries = computed(() => store.rows.value.map(toEntry))
  const byId = computed(() => new Map(entries.value.map((entry) => [entry.listing.id, entry])))
  const profile = computed(() => ({
    installed: installedListings(store.rows.value, store.currentProfile.value),
    updatable: store.installed.updatable.value,
  }))
  /** By itself, so that rows are put in order when the order changes and not at every key. */
  const sort = computed(() => query.value.sort ?? 'stars')
  const inOrder = computed(() => ordered(entries.value, sort.value))
  const terms = computed(() => termsOf(query.value.words))

  /** What matches the words, by those of the directory's answer too that are matched in what is not here. */
  function matching(words: readonly string[]): readonly Entry[] {
    const here = search(inOrder.value, words)
    if (words.length === 0) return here
    const more = completion.value?.terms === words.join(' ') ? completion.value.ids : []
    const all = more.length === 0 ? here : [...new Set([...here, ...more.flatMap((id) => byId.value.get(id) ?? [])])]
    return query.value.sort === null ? all : ordered(all, query.value.sort)
  }
  const facts = computed(() => ({ codes, profile: profile.value }))
  const result = computed(() => filtered(matching(terms.value), query.value, facts.value))

  /** What the list goes on showing while somebody is at it; null while it shows what is found. */
  const held = shallowRef<Settled | null>(null)
  let before: { readonly text: string; readonly entries: readonly Entry[] } = { text: '', entries: [] }
  function settleNow(isAtIt: boolean) {
    const { entries } = result.value
    const shown = () => held.value?.ids ?? before.entries.map(idOf)
    held.value = isAtIt && before.text === text.value ? settle(shown(), entries.map(idOf)) : null
    before = { text: text.value, entries }
  }
  watch([result, isHeld], () => settleNow(isHeld.value), { immediate: true })

  return {
    text,
    query,
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
    showWaiting: () => settleNow(false),
    /** How many a query would show. */
    countOf: (other: Query) => filtered(matching(termsOf(other.words)), other, facts.value).entries.length,
    change(change: Partial<Query>) {
      text.value = renderQuery({ ...query.value, ...change })
    },
  }
}
