import { setTimeout as pause } from 'node:timers/promises'
import { INDEX_FRESH_MS, isCategory, LIMITS } from '@plugmark/shared/contract'
import type { StoreListing } from '../../bridge/index.ts'
import type { Connect } from './connect.ts'
import type { Opened } from './reading.ts'
import { keyOf } from './table.ts'

/** The largest page that is right on every server. */
const PAGE = LIMITS.safePageSizes[2]
/** Pages for one question; somebody who still looks at rows without a record asks again. */
const MOST_PAGES = 4
/** Between two requests, so that nobody else waits for the directory because of us. */
const PAUSE_MS = 100

/**
 * Records of listings that somebody looks at. The directory takes no list of names, so its pages are read on from where
 * the last question stopped, of their category alone where they have one in common: a request brings some dozens, none
 * is made twice within the time that a copy is fresh, and one question is answered after another.
 */
export function createDescribing(options: {
  readonly connect: Connect
  readonly now: () => number
  readonly signal: AbortSignal
  readonly opened: Promise<Opened>
  readonly onChange: () => void
}) {
  const { connect, now, signal, opened, onChange } = options
  /** By category, or `''` for all: the next page to read, null behind the last. */
  const pages = new Map<string, { readonly next: number | null; readonly at: number }>()
  let before: Promise<unknown> = Promise.resolve()

  async function read(ids: readonly string[]): Promise<StoreListing[]> {
    const { table } = await opened
    const keys = ids.map(keyOf).filter((key) => table.row(key) !== null)
    const isMissing = () => keys.some((key) => table.row(key)?.described === false)
    const categories = new Set(keys.map((key) => table.row(key)?.category ?? ''))
    const [only = ''] = categories
    const category = categories.size === 1 && isCategory(only) ? { category: only } : {}
    const place = category.category ?? ''
    const known = pages.get(place)
    let { next, at } = known && now() - known.at < INDEX_FRESH_MS ? known : { next: 1, at: now() }
    for (let count = 0; next !== null && count < MOST_PAGES && isMissing(); count++) {
      if (count > 0) await pause(PAUSE_MS, undefined, { signal })
      const { records, received } = await connect({}).plugins({ ...category, limit: PAGE, page: next }, { signal })
      for (const record of records) table.glimpse(record)
      next = received === 0 ? null : next + 1
      pages.set(place, { next, at })
      onChange()
    }
    return table.rows(keys)
  }

  /** @returns their rows, as far as the records came. @throws DirectoryError */
  return (ids: readonly string[]): Promise<StoreListing[]> => {
    const mine = before.then(() => read(ids))
    before = mine.catch(() => {})
    return mine
  }
}
