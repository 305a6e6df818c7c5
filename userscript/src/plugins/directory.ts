import {
  type Catalogue,
  createCatalogue,
  type SavedIndex,
  systemTimer,
  withTimeLimit,
} from '@plugmark/shared/catalogue'
import { idbStorage } from '@plugmark/shared/catalogue/idb'
import { findPlugin, getIndex, getPlugins } from '@plugmark/shared/client/core'
import { LIMITS } from '@plugmark/shared/contract'
import { clear, createStore } from 'idb-keyval'
import { managerSend } from '../manager/request.ts'
import type { ManagerXhr } from '../manager/types.ts'
import { createRecords, type Records } from './details.ts'
import { recordStorage } from './details-storage.ts'

/** Of a request, its body included. ms */
const REQUEST_MS = 30_000
/** Of the database, to forget the copy. ms */
const CLEAR_MS = 4_000

/** What this origin keeps of the directory, and how it is had. Copies of different directories are kept apart. */
export interface Directory {
  readonly catalogue: Catalogue
  readonly records: Records
  /** Forgets the copy and the records. */
  clear(): Promise<void>
}

/**
 * @param api address of the directory
 * @param onSaved called with each index that replaces the stored one
 */
export function openDirectory(api: string, xhr: ManagerXhr, onSaved: (index: SavedIndex) => Promise<void>): Directory {
  const send = managerSend(xhr, { timeoutMs: REQUEST_MS, maxBytes: LIMITS.bodyBytes })
  const database = `plugmark ${api}`
  const store = 'index'
  const records = createRecords({
    fetchRecord: (fullName) =>
      findPlugin({ plugins: (query, call) => getPlugins(send, { baseUrl: api }, query, call) }, fullName, {}),
    storage: recordStorage(`plugmark records ${api}`),
  })
  const catalogue = createCatalogue({
    fetchIndex: (call) => getIndex(send, api, call),
    storage: idbStorage({ database, store }),
    onSaved,
  })
  return {
    catalogue,
    records,
    async clear() {
      catalogue.forget()
      await records.clear()
      await withTimeLimit(systemTimer, CLEAR_MS, 'IndexedDB', clear(createStore(database, store)))
    },
  }
}
