import { createStore, promisifyRequest } from 'idb-keyval'
import type { CatalogueStorage } from '../types.ts'

/** Of 20,000 rows, all buckets put at once held up a page for 100 ms and more, on a processor four times slower. */
const PUTS_A_TASK = 32

/**
 * A storage in IndexedDB, one database per origin. Each call rejects while IndexedDB is absent, blocked or full.
 *
 * @param options.database @default 'plugmark-catalogue'
 * @param options.store @default 'index'
 */
export function idbStorage({ database = 'plugmark-catalogue', store = 'index' } = {}): CatalogueStorage {
  // Opens on first use and again after the browser closed the connection.
  const use = createStore(database, store)

  return {
    async getMany(keys) {
      return use('readonly', (objects) => Promise.all(keys.map((key) => promisifyRequest(objects.get(key)))))
    },
    async setMany(entries) {
      return use('readwrite', async (objects) => {
        try {
          for (const [at, [key, value]] of entries.entries()) {
            const request: IDBRequest = value === undefined ? objects.delete(key) : objects.put(value, key)
            // Once it is answered the transaction is still open; in any other task it would be found committed.
            if (at % PUTS_A_TASK === PUTS_A_TASK - 1) await promisifyRequest(request)
          }
        } catch (cause) {
          // A value that cannot be cloned throws here, and what was put before it would be committed.
          objects.transaction.abort()
          throw cause
        }
        return promisifyRequest(objects.transaction)
      })
    },
  }
}
