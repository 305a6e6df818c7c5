import type { Page } from 'playwright/test'

/** What the script keeps of the index in this page's site. */
interface Stored {
  /** When the copy was published; null without one. */
  readonly generated: string | null
  /** Requests in a row without an answer that could be taken, the one that is on its way included. */
  readonly attempts: number
  /** Whether the last request is noted as failed. */
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

/** Whether a copy is kept, and the request for it noted as answered: a page that comes now asks for none. */
export async function hasCopy(page: Page): Promise<boolean> {
  const stored = await read(page)
  return stored !== null && stored.generated !== null && stored.attempts === 0
}

/** Whether there is a badge cache: a page that comes now is marked before anything is read from the database. */
export const hasBadgeCache = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    Object.entries(localStorage).some(
      ([key, text]) => key.startsWith('plugmark badges') && /^4 dsh 20\S+\n\S+ \S+ \d+ \w/.test(text),
    ),
  )

/** How many requests in a row are noted as failed; null while one is on its way, or none was sent. */
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
