import { webLock } from '@plugmark/shared/async'
import { findPlugin, getIndex, getPlugins } from '@plugmark/shared/client/core'
import { LIMITS } from '@plugmark/shared/contract'
import { createIndexCache, type IndexCache, type SavedIndex } from '@plugmark/shared/index-cache'
import { idbStore } from '@plugmark/shared/index-cache/idb'
import { report } from '../base/report.ts'
import type { ManagerXhr } from '../manager/manager.ts'
import { managerSend } from '../manager/request.ts'
import { createRecords, type Records } from './records.ts'

/** Time limit of a request, including the body. ms */
const REQUEST_LIMIT_MS = 30_000

/** The index and the records of a directory, fetched and stored for this origin. Each directory has databases of its own. */
export interface Directory {
  readonly index: IndexCache
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
  const records = createRecords({
    database: `plugmark records ${api}`,
    fetchRecord: (fullName) =>
      findPlugin({ plugins: (query, call) => getPlugins(send, { baseUrl: api }, query, call) }, fullName, {}),
  })
  const index = createIndexCache({
    fetchIndex: (call) => getIndex(send, api, call),
    store: idbStore({ database: `plugmark ${api}` }),
    lock: webLock('plugmark-index'),
    onSaved,
    onProblem: ({ kind, cause }) => report(`index: ${kind}`, cause),
  })
  return {
    index,
    records,
    async clear() {
      await Promise.all([index.clear(), records.clear()])
    },
  }
}
