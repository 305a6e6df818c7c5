import { type Catalogue, createCatalogue } from '@plugmark/shared/catalogue'
import { idbStorage } from '@plugmark/shared/catalogue/idb'
import { createDirectoryClient } from '@plugmark/shared/client'
import { LIMITS } from '@plugmark/shared/contract'
import { clear, createStore } from 'idb-keyval'
import { createRecords, type Records } from './card/records.ts'
import { recordStorage } from './card/storage.ts'
import { managerFetch } from './manager/fetch.ts'
import type { ManagerXhr } from './manager/types.ts'

/** A request the client gave up on should not linger in the manager. ms */
const REQUEST_MS = 60_000

/** What this origin keeps of the directory, and how it is had. Copies of different directories are kept apart. */
export interface Directory {
  readonly catalogue: Catalogue
  readonly records: Records
  /** Forgets the copy and the records. */
  clear(): Promise<void>
}

/** @param api address of the directory */
export function openDirectory(api: string, xhr: ManagerXhr): Directory {
  const fetch = managerFetch(xhr, { timeoutMs: REQUEST_MS, maxBytes: LIMITS.bodyBytes })
  const client = createDirectoryClient({ baseUrl: api, fetch })
  const database = `plugmark ${api}`
  const store = 'index'
  const records = createRecords({
    fetchRecord: (fullName) => client.plugin(fullName),
    storage: recordStorage(`plugmark records ${api}`),
  })
  return {
    catalogue: createCatalogue({
      // The cache has a back-off of its own, kept over all tabs.
      fetchIndex: ({ signal }) => client.index({ signal, retries: 0 }),
      storage: idbStorage({ database, store }),
    }),
    records,
    async clear() {
      await Promise.all([clear(createStore(database, store)), records.clear()])
    },
  }
}
