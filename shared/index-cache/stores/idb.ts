import { createStore, promisifyRequest } from 'idb-keyval'
import type { IndexStore, RepositoryListings } from '../types.ts'

/**
 * Repositories in one value. At 20,000 on a processor four times slower, one value for each repository takes 17 s to
 * write, one value for all blocks the page for 150 ms at the first look-up, and values of 100 take 0.6 s and 8 ms.
 */
const REPOSITORIES_PER_VALUE = 100
/** Values written in one task. */
const PUTS_PER_TASK = 4
/** Values that `forEach` reads in one task. */
const VALUES_PER_READ = 4

/** Key of the state. A number, so that it sorts apart from the repositories in IndexedDB's order of keys. */
const STATE_KEY = 0
/** Sorts before every repository in IndexedDB's order of keys. */
const FIRST_KEY = ''

/**
 * Creates a store in IndexedDB, one database per origin. Listings are sorted by repository. Each value holds consecutive
 * repositories under the name of the first: to find a repository, read the last value whose key is not after it. Calls
 * reject while IndexedDB is absent, blocked or full.
 */
export function idbStore({ database, store = 'index' }: { database: string; store?: string }): IndexStore {
  // Opens on first use, and again after the browser has closed the connection.
  const use = createStore(database, store)

  async function find(objects: IDBObjectStore, repository: string): Promise<unknown> {
    const cursor = await promisifyRequest(objects.openCursor(IDBKeyRange.bound(FIRST_KEY, repository), 'prev'))
    return cursor ? new Map<string, unknown>([...cursor.value]).get(repository) : undefined
  }

  return {
    // Async, because without IndexedDB the store throws at once.
    load: async () => use('readonly', (objects) => promisifyRequest(objects.get(STATE_KEY))),
    find: async (repositories) =>
      use('readonly', (objects) => Promise.all(repositories.map((repository) => find(objects, repository)))),
    forEach: async (visit) =>
      use('readonly', async (objects) => {
        for (let last: string | null = null; ; ) {
          const range: IDBKeyRange = IDBKeyRange.lowerBound(last ?? FIRST_KEY, last !== null)
          const [keys, values] = await Promise.all([
            promisifyRequest(objects.getAllKeys(range, VALUES_PER_READ)),
            promisifyRequest(objects.getAll(range, VALUES_PER_READ)),
          ])
          if (keys.length === 0) return
          for (const value of values) for (const [repository, listings] of value) visit(repository, listings)
          last = String(keys.at(-1))
        }
      }),
    saveState: async (state) =>
      use('readwrite', (objects) => {
        objects.put(state, STATE_KEY)
        return promisifyRequest(objects.transaction)
      }),
    replace: async (repositories, state) =>
      use('readwrite', async (objects) => {
        try {
          objects.clear()
          objects.put(state, STATE_KEY)
          let puts = 0
          for (const value of valuesOf(repositories)) {
            const request: IDBRequest = objects.put(value, value[0]![0])
            // The transaction is open when its request succeeds, but not in a later task.
            if (++puts % PUTS_PER_TASK === 0) await promisifyRequest(request)
          }
        } catch (cause) {
          // Otherwise the browser would commit the values before one that cannot be cloned.
          objects.transaction.abort()
          throw cause
        }
        return promisifyRequest(objects.transaction)
      }),
    clear: async () => use('readwrite', (objects) => promisifyRequest(objects.clear())),
  }
}

function valuesOf(repositories: readonly RepositoryListings[]): RepositoryListings[][] {
  const sorted = [...repositories].sort(([a], [b]) => (a < b ? -1 : 1))
  const count = Math.ceil(sorted.length / REPOSITORIES_PER_VALUE)
  return Array.from({ length: count }, (_, at) =>
    sorted.slice(at * REPOSITORIES_PER_VALUE, (at + 1) * REPOSITORIES_PER_VALUE),
  )
}
