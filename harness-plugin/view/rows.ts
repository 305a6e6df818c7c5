import { shallowRef } from 'vue'
import type { Answer, CatalogueStatus, ListingsPage, StoreListing } from '../protocol/index.ts'

/** Rows that arrive are shown this often: with each time, all of them are put in order and counted anew. ms */
const SHOW_EVERY_MS = 250

/** The listings of this page, brought up to what the host has. */
export function createRows(ask: (from: number) => Promise<Answer<ListingsPage> | null>) {
  const status = shallowRef<CatalogueStatus | null>(null)
  const rows = shallowRef<readonly StoreListing[]>([])
  let byId = new Map<string, StoreListing>()
  let revision: number | null = null
  let from = 0
  let copying = false
  let copyAgain = false
  let shownAt = Number.NEGATIVE_INFINITY
  let isShown = true

  function keep(more: readonly StoreListing[]) {
    if (more.length > 0) isShown = false
    for (const row of more) byId.set(row.id, row)
  }
  function show() {
    if (isShown) return
    isShown = true
    shownAt = performance.now()
    rows.value = [...byId.values()]
  }

  /** One copying at a time; what arrives meanwhile is copied after it. */
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
      const asked = from
      const answer = await ask(asked)
      if (!answer?.ok) return
      const { status: latest, next, rows: more } = answer.value
      status.value = latest
      if (latest.revision !== revision) {
        revision = latest.revision
        byId = new Map()
        from = 0
        if (asked > 0) continue
      }
      from = next
      keep(more)
      if (performance.now() - shownAt >= SHOW_EVERY_MS) show()
      if (next >= latest.end || next === asked) return
    }
  }

  return {
    status,
    rows,
    copy,
    /** Rows that came in another answer. */
    add(more: readonly StoreListing[]) {
      keep(more)
      show()
    },
    receive(latest: CatalogueStatus) {
      status.value = latest
      if (latest.revision !== revision || latest.end !== from) void copy()
    },
  }
}
