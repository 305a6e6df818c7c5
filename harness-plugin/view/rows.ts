import { shallowRef } from 'vue'
import type { Answer, CatalogueStatus, ListingsPage, StoreListing } from '../bridge/index.ts'

/** The listings of this page, brought up to what the host has. */
export function createRows(ask: (from: number) => Promise<Answer<ListingsPage> | null>) {
  const status = shallowRef<CatalogueStatus | null>(null)
  const rows = shallowRef<readonly StoreListing[]>([])
  let byId = new Map<string, StoreListing>()
  let revision: number | null = null
  let from = 0
  let copying = false
  let copyAgain = false

  function add(more: readonly StoreListing[]) {
    if (more.length === 0) return
    for (const row of more) byId.set(row.id, row)
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
      add(more)
      if (next >= latest.end || next === asked) return
    }
  }

  return {
    status,
    rows,
    copy,
    /** Rows that came in another answer. */
    add,
    receive(latest: CatalogueStatus) {
      status.value = latest
      if (latest.revision !== revision || latest.end !== from) void copy()
    },
  }
}
