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
import { report } from '../base/report.ts'
import type { ManagerXhr } from '../manager/manager.ts'
import { managerSend } from '../manager/request.ts'
import { createRecords, type Records } from './details.ts'

/** A request, body included. ms */
const REQUEST_LIMIT_MS = 30_000
/** Deleting the stored index. ms */
const CLEAR_LIMIT_MS = 4_000

/** The index and the records of a directory, fetched and stored for this origin. Each directory has databases of its own. */
export interface Directory {
  readonly catalogue: Catalogue
  readonly records: Records
  /** Deletes the stored index and records. */
  clear(): Promise<void>
}

/**
 * @param api address of the directory
 * @param onSaved called with each index that replaces the stored one
 */
export function openDirectory(api: string, xhr: ManagerXhr, onSaved: (index: SavedIndex) => Promise<void>): Directory {
  const send = managerSend(xhr, { timeoutMs: REQUEST_LIMIT_MS, maxBytes: LIMITS.bodyBytes })
  const database = `plugmark ${api}`
  const store = 'index'
  const records = createRecords({
    database: `plugmark records ${api}`,
    fetchRecord: (fullName) =>
      findPlugin({ plugins: (query, call) => getPlugins(send, { baseUrl: api }, query, call) }, fullName, {}),
  })
  const catalogue = createCatalogue({
    fetchIndex: (call) => getIndex(send, api, call),
    storage: idbStorage({ database, store }),
    onSaved,
    onProblem: ({ kind, cause }) => report(`index: ${kind}`, cause),
  })
  return {
    catalogue,
    records,
    async clear() {
      catalogue.forget()
      await records.clear()
      await withTimeLimit(systemTimer, CLEAR_LIMIT_MS, 'IndexedDB', clear(createStore(database, store)))
    },
  }
}
