import type { Page } from 'playwright/test'

/** The state of the stored index on this site. */
interface Stored {
  /** When the copy was published; null without one. */
  readonly generated: string | null
  /** Requests in a row without an answer that could be taken, the one that is on its way included. */
  readonly attempts: number
  /** True if the last request is stored as failed. */
  readonly isFailed: boolean
}

/** Null before there is a database. */
function read(page: Page): Promise<Stored | null> {
  return page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    for (const { name } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name!))
      try {
        if (!database.objectStoreNames.contains('index')) continue
        const store = database.transaction('index').objectStore('index')
        const [index, check] = await Promise.all([settled(store.get('index')), settled(store.get('check'))])
        const { attempts = 0, attemptedAt = null, failedAt = null } = check ?? {}
        const generated = typeof index?.generated === 'string' ? index.generated : null
        return { generated, attempts, isFailed: attempts > 0 && attemptedAt === failedAt }
      } finally {
        database.close()
      }
    }
    return null
  })
}

/** Returns true if an index is stored and its request as answered: the next page requests nothing. */
export async function hasCopy(page: Page): Promise<boolean> {
  const stored = await read(page)
  return stored !== null && stored.generated !== null && stored.attempts === 0
}

/** Returns true if there is a badge cache: the next page is marked without reading the database. */
export const hasBadgeCache = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    Object.entries(localStorage).some(
      ([key, text]) => key.startsWith('plugmark badges') && /^4 dsh 20\S+\n\S+ \S+ \d+ \w/.test(text),
    ),
  )

/** Returns the number of requests in a row that failed; null while one is under way, or none was sent. */
export async function failuresNoted(page: Page): Promise<number | null> {
  const stored = await read(page)
  return stored?.isFailed ? stored.attempts : null
}

/**
 * Waits for what the page asks, reads and writes: a clock that jumps meanwhile would make the storage look slow, and what a
 * page cannot read it does not try again.
 */
export const storageIsQuiet = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // A page that asks has it, and looks once more at what it stored when it lets go.
    await navigator.locks.request('plugmark-catalogue', () => {})
    for (const { name } of await indexedDB.databases()) {
      await new Promise<void>((resolve) => {
        const opening = indexedDB.open(name!)
        opening.onsuccess = () => {
          const { result: database } = opening
          // It waits for all transactions before it.
          const last = database.transaction([...database.objectStoreNames], 'readwrite')
          last.oncomplete = () => {
            database.close()
            resolve()
          }
        }
      })
    }
  })
