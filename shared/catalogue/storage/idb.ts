import { createStore, promisifyRequest } from 'idb-keyval'
import type { CatalogueStorage } from '../types.ts'

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
      return use('readwrite', (objects) => {
        try {
          for (const [key, value] of entries) {
            if (value === undefined) objects.delete(key)
            else objects.put(value, key)
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
