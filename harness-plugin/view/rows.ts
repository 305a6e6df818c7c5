import { shallowRef } from 'vue'
import type { Answer, CatalogueStatus, ListingsPage, StoreListing } from '../bridge/index.ts'

/** The listings of this page, brought up to what the host has. */
export function createRows(ask: (from: number) => Promise<Answer<ListingsPage> | null>) {
  const status = shallowRef<CatalogueStatus | null>(null)
  const rows = shallowRef<readonly StoreListing[]>([])
  let revision: number | null = null
  let copying = false
  let copyAgain = false

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
    let collected = rows.value
    for (;;) {
      const answer = await ask(collected.length)
      if (!answer?.ok) return
      const { status: latest, from, rows: more } = answer.value
      status.value = latest
      if (latest.revision !== revision) {
        revision = latest.revision
        collected = []
        if (from > 0) continue
      }
      collected = [...collected, ...more]
      rows.value = collected
      if (collected.length >= latest.count || more.length === 0) return
    }
  }

  return {
    status,
    rows,
    copy,
    receive(latest: CatalogueStatus) {
      status.value = latest
      if (latest.revision !== revision || latest.count !== rows.value.length) void copy()
    },
  }
}
