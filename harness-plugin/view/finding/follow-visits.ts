import { onBeforeUnmount, watch } from 'vue'
import type { Store } from '../create-store.ts'
import type { Finding } from './create-finding.ts'
import { recordVisit } from './visits.ts'

/** Tells the search which listings are new to this browser, once every listing has arrived. */
export function followVisits(
  store: Pick<Store, 'rows' | 'status' | 'overview'>,
  { news }: Pick<Finding, 'news'>,
): void {
  const stop = watch([store.rows, store.status, store.overview], ([rows, status, overview]) => {
    if (overview === null || status?.state !== 'ready' || rows.length === 0 || rows.length < status.count) return
    news.value = recordVisit(localStorage, {
      directory: overview.directory,
      ids: rows.map(({ id }) => id),
      now: Date.now(),
    })
  })
  onBeforeUnmount(stop)
}
