import type { Page } from 'playwright/test'

/** State of the index that the script stores in the site of this page. */
interface Stored {
  /** When the index was published; null without one. */
  readonly generated: string | null
  readonly checkedAt: number | null
  readonly lastSentAt: number | null
  readonly failure: { readonly sentAt: number; readonly attempts: number } | null
}

/** Returns null before there is a database. */
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
        const state = await settled(database.transaction('index').objectStore('index').get(0))
        const { index = null, checkedAt = null, lastSentAt = null, failure = null } = state ?? {}
        return { generated: index?.generated ?? null, checkedAt, lastSentAt, failure }
      } finally {
        database.close()
      }
    }
    return null
  })
}

/** Returns true if an index is stored and its request was answered, so that the next page sends none. */
export async function hasCopy(page: Page): Promise<boolean> {
  const stored = await read(page)
  return stored !== null && stored.generated !== null && (stored.checkedAt ?? -1) >= (stored.lastSentAt ?? 0)
}

/** Returns true if there is a badge cache, so that the next page is marked before anything is read from the database. */
export const hasBadgeCache = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    Object.entries(localStorage).some(
      ([key, text]) => key.startsWith('plugmark badges') && /^5 dsh 20\S+ \d+\n\S+ \S+ \d+ \w/.test(text),
    ),
  )

/** Returns the number of requests in a row that failed; null while one is under way, or none was sent. */
export async function failuresNoted(page: Page): Promise<number | null> {
  const { failure, lastSentAt } = (await read(page)) ?? {}
  return failure && failure.sentAt === lastSentAt ? failure.attempts : null
}

/**
 * Waits until the page has no request, read or write under way: a clock that jumps meanwhile would make the storage look
 * slow, and a page does not repeat a read that failed.
 */
export const storageIsQuiet = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // A page that refreshes the index holds the lock.
    await navigator.locks.request('plugmark-index', () => {})
    for (const { name } of await indexedDB.databases()) {
      await new Promise<void>((resolve) => {
        const opening = indexedDB.open(name!)
        opening.onsuccess = () => {
          const { result: database } = opening
          // Waits for all earlier transactions.
          const last = database.transaction([...database.objectStoreNames], 'readwrite')
          last.oncomplete = () => {
            database.close()
            resolve()
          }
        }
      })
    }
  })
