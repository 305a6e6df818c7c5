import { type PluginRecord, PluginRecordSchema, verdictOf } from '@plugmark/shared/contract'
import * as v from 'valibot'
import type { Check, RecordStorage } from './details-storage.ts'

/** A record younger than this is not asked for again. ms */
const FRESH_MS = 24 * 3_600_000

/** A directory that failed is not asked again for as long, on any page. ms */
const REST_MS = 60_000

/** When it failed is kept under this key; no listing has this name. */
const FAILED = ' '

/** What the directory says of single listings, asked for one at a time and kept for a day. */
export interface Records {
  /**
   * The record of a listing; null when the directory has none under that name.
   *
   * @param options.force a person asked: that the directory failed a moment ago is passed over
   * @throws when it is not kept and cannot be fetched; an old one is given rather than none
   */
  get(fullName: string, options?: { readonly force?: boolean }): Promise<PluginRecord | null>
  /** Checks of the records at hand, by folded full name. Nothing is fetched. */
  checks(): Promise<ReadonlyMap<string, Check>>
  clear(): Promise<void>
}

const EntrySchema = v.object({ at: v.number(), record: v.nullable(PluginRecordSchema) })

/**
 * @param options.fetchRecord asks the directory
 * @param options.now ms since 1970
 */
export function createRecords(options: {
  fetchRecord: (fullName: string) => Promise<PluginRecord | null>
  storage: RecordStorage
  now?: () => number
}): Records {
  const { fetchRecord, storage, now = Date.now } = options
  const asked = new Map<string, Promise<PluginRecord | null>>()

  const obtain = async (fullName: string, key: string, force: boolean) => {
    const entry: unknown = await storage.get(key)
    const kept = v.is(EntrySchema, entry) ? entry : null
    const age = kept ? now() - kept.at : FRESH_MS
    if (kept && age >= 0 && age < FRESH_MS) return kept.record
    try {
      if (!force && Math.abs(now() - Number(await storage.get(FAILED))) < REST_MS)
        throw new Error('The directory failed a moment ago.')
      const record = await fetchRecord(fullName).catch(async (error) => {
        await storage.put(FAILED, now(), { install: null, verdict: null })
        throw error
      })
      await storage.put(
        key,
        { at: now(), record },
        { install: record?.install ?? null, verdict: record && verdictOf(record) },
      )
      return record
    } catch (error) {
      if (kept) return kept.record
      throw error
    }
  }

  return {
    get(fullName, { force = false } = {}) {
      const key = fullName.toLowerCase()
      const going = asked.get(key) ?? obtain(fullName, key, force).finally(() => asked.delete(key))
      asked.set(key, going)
      return going
    },
    checks: () => storage.checks(),
    clear: () => storage.clear(),
  }
}
