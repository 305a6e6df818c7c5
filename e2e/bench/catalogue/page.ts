import { createCatalogue } from '@plugmark/shared/catalogue'
import { idbStorage } from '@plugmark/shared/catalogue/idb'
import type { IndexDocument, IndexListing } from '@plugmark/shared/contract'

/** What the benchmark calls in its page. Times in ms. */
export interface CataloguePage {
  /** Stores the index both ways. */
  fill(): Promise<Filled>
  /** From the start of reading storage to the answers, and once more for other names. */
  engine(names: readonly string[], others: readonly string[]): Promise<LookedUp>
  naive(names: readonly string[]): Promise<LookedUp>
  /** The least there is: one value out of IndexedDB. */
  floor(): Promise<LookedUp>
}

export interface Filled {
  readonly engineMs: number
  readonly engineLongestTaskMs: number
  readonly engineBytes: number
  readonly naiveMs: number
  readonly naiveBytes: number
}

export interface LookedUp {
  readonly ms: number
  readonly againMs: number
  readonly hits: number
}

const naiveStorage = idbStorage({ database: 'plugmark-bench-naive' })

/** The way without thinking: the whole index as one JSON text, a Map of objects made from it on every page. */
async function naiveIndex(): Promise<Map<string, IndexListing[]>> {
  const [json] = (await naiveStorage.getMany(['json'])) as [string]
  const { plugins } = JSON.parse(json) as { plugins: [string, ...(string | null)[]][] }
  const byRepository = new Map<string, IndexListing[]>()
  for (const [fullName, category, install, path, npm] of plugins) {
    const key = fullName.split('#')[0]!.toLowerCase()
    const listing = { fullName, category, install, path, npm } as IndexListing
    const listings = byRepository.get(key)
    if (listings) listings.push(listing)
    else byRepository.set(key, [listing])
  }
  return byRepository
}

/** Runs `work`; how long it took, and how long it held up everything else at most. */
async function watched(work: () => Promise<unknown>): Promise<{ ms: number; longestTaskMs: number }> {
  const { port1, port2 } = new MessageChannel()
  let longestTaskMs = 0
  let last = performance.now()
  port1.onmessage = () => {
    const now = performance.now()
    longestTaskMs = Math.max(longestTaskMs, now - last)
    last = now
    port2.postMessage(null)
  }
  port2.postMessage(null)
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  port1.close()
  return { ms, longestTaskMs }
}

/** Kept alive so that the heap can be measured. */
let kept: unknown

const page: CataloguePage = {
  async fill() {
    const document: IndexDocument = await (await fetch('/index.json')).json()
    let engineBytes = 0
    const storage = idbStorage()
    const setMany: typeof storage.setMany = (entries) => {
      for (const [, value] of entries) engineBytes += JSON.stringify(value).length
      return storage.setMany(entries)
    }
    const catalogue = createCatalogue({ storage: { ...storage, setMany }, fetchIndex: async () => document })
    const { ms, longestTaskMs } = await watched(() => catalogue.refresh())
    const json = JSON.stringify(document)
    const start = performance.now()
    await naiveStorage.setMany([['json', json]])
    const naiveMs = performance.now() - start
    return { engineMs: ms, engineLongestTaskMs: longestTaskMs, engineBytes, naiveMs, naiveBytes: json.length }
  },

  async engine(names, others) {
    const start = performance.now()
    const fetchIndex = () => Promise.reject(new Error('The benchmark has its index.'))
    const catalogue = createCatalogue({ storage: idbStorage(), fetchIndex })
    const found = await catalogue.byRepositories(names)
    const ms = performance.now() - start
    const again = performance.now()
    await catalogue.byRepositories(others)
    kept = catalogue
    return { ms, againMs: performance.now() - again, hits: found.size }
  },

  async naive(names) {
    const start = performance.now()
    const index = await naiveIndex()
    const hits = names.filter((name) => index.has(name.toLowerCase())).length
    kept = index
    return { ms: performance.now() - start, againMs: 0, hits }
  },

  async floor() {
    const start = performance.now()
    kept = await idbStorage().getMany(['index'])
    return { ms: performance.now() - start, againMs: 0, hits: 0 }
  },
}

Object.assign(globalThis, { page, kept: () => kept })
