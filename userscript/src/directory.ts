import { createPageCatalogue, type PageCatalogue } from '@plugmark/shared/catalogue'
import { idbStorage } from '@plugmark/shared/catalogue/idb'
import { createEndpoints, findPlugin, sendOnce } from '@plugmark/shared/client/light'
import { LIMITS } from '@plugmark/shared/contract'
import { clear, createStore } from 'idb-keyval'
import { createRecorded } from './card/recorded.ts'
import { createRecords, type Records } from './card/records.ts'
import { recordStorage } from './card/storage.ts'
import { managerFetch } from './manager/fetch.ts'
import type { ManagerXhr } from './manager/types.ts'

/** Of a request, its body included; and a manager's own limit behind it, for one it was not told to end. ms */
const REQUEST_MS = 10_000
const LINGER_MS = 60_000

/** What this origin keeps of the directory, and how it is had. Copies of different directories are kept apart. */
export interface Directory {
  readonly catalogue: PageCatalogue
  readonly records: Records
  /** Forgets the copy and the records. */
  clear(): Promise<void>
}

/** @param api address of the directory */
export function openDirectory(api: string, xhr: ManagerXhr): Directory {
  const maxBodyBytes = LIMITS.bodyBytes
  const fetch = managerFetch(xhr, { timeoutMs: LINGER_MS, maxBytes: maxBodyBytes })
  const endpoints = createEndpoints(sendOnce({ fetch, timeoutMs: REQUEST_MS, maxBodyBytes }), { baseUrl: api })
  const database = `plugmark ${api}`
  const store = 'index'
  const records = createRecords({
    fetchRecord: (fullName) => findPlugin(endpoints, fullName, {}),
    storage: recordStorage(`plugmark records ${api}`, { onKept: createRecorded(api, () => localStorage).write }),
  })
  return {
    catalogue: createPageCatalogue({
      fetchIndex: ({ signal }) => endpoints.index({ signal }),
      storage: idbStorage({ database, store }),
    }),
    records,
    async clear() {
      await Promise.all([clear(createStore(database, store)), records.clear()])
    },
  }
}
