import { computed, onBeforeUnmount, watch } from 'vue'
import type { StoreListing } from '../../protocol/index.ts'
import type { Store } from '../create-store.ts'

/** Time without scrolling before the records are fetched. */
const STILL_MS = 200
const MOST_IDS = 100

/** Fetches the records of visible rows that lack one, once scrolling has stopped. Asks once for each. */
export function describeVisible(store: Pick<Store, 'describe'>, visible: () => readonly StoreListing[]): void {
  const askedFor = new Set<string>()
  let waiting: ReturnType<typeof setTimeout> | null = null
  let isAsking = false
  const undescribed = computed(() =>
    visible()
      .flatMap(({ id, described }) => (described || askedFor.has(id) ? [] : id))
      .slice(0, MOST_IDS),
  )
  async function describe() {
    const ids = undescribed.value
    if (isAsking || ids.length === 0) return
    isAsking = true
    for (const id of ids) askedFor.add(id)
    await store.describe(ids)
    isAsking = false
    describeSoon()
  }
  function describeSoon() {
    if (waiting) clearTimeout(waiting)
    waiting = setTimeout(describe, STILL_MS)
  }
  watch(undescribed, (ids, before) => ids.join('\n') !== before?.join('\n') && describeSoon(), { immediate: true })
  onBeforeUnmount(() => waiting && clearTimeout(waiting))
}
