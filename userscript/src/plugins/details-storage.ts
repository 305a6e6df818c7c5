import { systemTimer, withTimeLimit } from '@plugmark/shared/catalogue'
import { isVerdict, type Verdict } from '@plugmark/shared/contract'
import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'

/** Records kept; the oldest go. */
const MOST = 300

/** A database that has not answered by then is taken for absent. ms */
const PATIENCE_MS = 2_000

/** Key of the list of what is kept, oldest first; no listing has this name. */
const LIST = ''

/** How a command fared when the directory ran it. */
export interface Check {
  /** The very command that was run. */
  readonly install: string | null
  readonly verdict: Verdict | null
}

type Kept = readonly [key: string, check: Check]

/** Keeps entries by key, with a short list of their checks beside them. No call rejects. */
export interface RecordStorage {
  get(key: string): Promise<unknown>
  put(key: string, entry: unknown, check: Check): Promise<void>
  checks(): Promise<ReadonlyMap<string, Check>>
  clear(): Promise<void>
}

/**
 * In IndexedDB, a database of its own; in memory, for this page, where that fails.
 *
 * @param most records kept
 */
export function recordStorage(database: string, most = MOST): RecordStorage {
  const store = createStore(database, 'records')
  const use: UseStore = (mode, task) =>
    withTimeLimit(systemTimer, PATIENCE_MS, 'IndexedDB', Promise.resolve(store(mode, task)))
  const memory = new Map<string, { readonly entry: unknown; readonly check: Check }>()

  return {
    async get(key) {
      try {
        return memory.get(key)?.entry ?? (await use('readonly', (objects) => promisifyRequest(objects.get(key))))
      } catch {
        return undefined
      }
    },
    async put(key, entry, check) {
      try {
        await use('readwrite', async (objects) => {
          const list = readList(await promisifyRequest(objects.get(LIST)))
          const kept: Kept[] = [...list.filter(([other]) => other !== key), [key, check]]
          for (const [old] of kept.splice(0, Math.max(0, kept.length - most))) objects.delete(old)
          objects.put(entry, key)
          objects.put(kept, LIST)
          await promisifyRequest(objects.transaction)
          memory.delete(key)
        })
      } catch {
        memory.set(key, { entry, check })
        for (const old of memory.keys()) if (memory.size > most) memory.delete(old)
      }
    },
    async checks() {
      const inMemory = [...memory].map(([key, { check }]): Kept => [key, check])
      try {
        const list = await use('readonly', (objects) => promisifyRequest(objects.get(LIST)))
        return new Map([...readList(list), ...inMemory])
      } catch {
        return new Map(inMemory)
      }
    },
    async clear() {
      memory.clear()
      try {
        await use('readwrite', (objects) => promisifyRequest(objects.clear()))
      } catch {
        // What cannot be reached is not kept either.
      }
    },
  }
}

function readList(list: unknown): Kept[] {
  if (!Array.isArray(list)) return []
  return list.filter((row): row is Kept => {
    const [key, check] = Array.isArray(row) ? row : []
    return (
      typeof key === 'string' && typeof check === 'object' && check !== null && isVerdict(check.verdict ?? 'passed')
    )
  })
}
