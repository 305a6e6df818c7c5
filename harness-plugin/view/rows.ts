import { shallowRef } from 'vue'
import type { Answer, CatalogueStatus, ListingsPage, StoreListing } from '../protocol/index.ts'
import { createListingCopy } from '../search/listing-copy.ts'

/** Shortest time between two updates of the screen, in ms: each sorts and counts all rows again. */
const SHOW_EVERY_MS = 250

/** Keeps the listings of this page up to date with the host's. */
export function createRows(ask: (from: number) => Promise<Answer<ListingsPage> | null>) {
  const status = shallowRef<CatalogueStatus | null>(null)
  const rows = shallowRef<readonly StoreListing[]>([])
  const copied = createListingCopy()
  let copying = false
  let copyAgain = false
  let shownAt = Number.NEGATIVE_INFINITY
  let isShown = true

  function show() {
    if (isShown) return
    isShown = true
    shownAt = performance.now()
    rows.value = copied.rows()
  }

  /** Copies the host's rows. One run at a time; a request during a run starts another after it. */
  async function copy() {
    copyAgain = copying
    if (copying) return
    copying = true
    do {
      copyAgain = false
      await copyPages()
      show()
    } while (copyAgain)
    copying = false
  }

  async function copyPages() {
    for (;;) {
      const answer = await ask(copied.next())
      if (!answer?.ok) return
      status.value = answer.value.status
      const isMore = copied.take(answer.value)
      const startsAgain = isMore && copied.next() === 0
      if (startsAgain) continue
      // The last page removes rows too.
      if (answer.value.rows.length > 0 || !isMore) isShown = false
      if (performance.now() - shownAt >= SHOW_EVERY_MS) show()
      if (!isMore) return
    }
  }

  return {
    status,
    rows,
    copy,
    /** Adds rows from the answer to another call. */
    add(more: readonly StoreListing[]) {
      if (more.length > 0) isShown = false
      copied.add(more)
      show()
    },
    receive(latest: CatalogueStatus) {
      status.value = latest
      if (!copied.isComplete(latest)) void copy()
    },
  }
}
