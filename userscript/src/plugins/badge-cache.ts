import { chunked } from '@plugmark/shared/async'
import { type IndexListing, isCategory } from '@plugmark/shared/contract'
import type { IndexCache, SavedIndex } from '@plugmark/shared/index-cache'
import { NOT_INSTALLABLE_REASONS } from '@plugmark/shared/install'
import { report } from '../base/report.ts'
import { type BadgeData, toBadgeData } from './badge-data.ts'

/** Version of the format. Raise it when the format changes; a cache of another version is ignored. */
const VERSION = '4'

/** Longest text in the page's own storage, which is shared with the site, in characters. */
const MAX_LENGTH = 2_000_000

/** Replaces the badges in a header when they could not be stored. */
const NOT_STORED = 'not-stored'

/** The badges of all listed repositories, readable synchronously: a page is marked before the database is open. */
export interface BadgeCache {
  /**
   * Returns the badge of a repository: null when it is not listed, undefined when only the index can tell.
   *
   * @param repository folded `owner/repo`
   */
  lookup(repository: string): BadgeData | null | undefined
  /** `generated` of the index that the cache was built from; null when there is no cache. */
  generated(): string | null
  /** Writes the badges of an index whose listings are in memory. One that is not shared applies to this tab only. */
  save(index: SavedIndex): Promise<void>
  /** Builds the cache from the stored index, unless any tab has written the cache of this `generated`. */
  sync(generated: string, index: Pick<IndexCache, 'eachRepository'>): Promise<void>
  clear(): void
}

interface Cached {
  readonly cli: string
  readonly generated: string
  /** The whole text; null when the badges could not be stored. */
  readonly text: string | null
}

/**
 * Creates a cache as a text in `localStorage`: a header, then one line a repository, sorted. A page finds the few lines
 * that it needs by binary search: parsing all of them would take 3 ms of every page at 4,000 listings, and 13 ms at
 * 20,000.
 *
 * ```
 * 4 dsh 2026-08-20T00:00:00.000Z
 * lanternworks/dsh-plugin-paper-kite tools 1 copy root
 * ```
 *
 * @param options.key key in the storage
 * @param options.storage may throw, and so may its methods
 * @param options.cli the program whose commands can be copied
 */
export function createBadgeCache(options: {
  key: string
  cli: () => string
  storage?: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}): BadgeCache {
  const { key, cli, storage = () => localStorage } = options
  /** Undefined until it has been read. */
  let cached: Cached | null | undefined
  /** The index from which the cache is being built. */
  /** Times that the cache was cleared: what was read before is not written after. */
  let clears = 0
  let reading: { readonly generated: string; readonly done: Promise<void> } | null = null

  const read = (): Cached | null => {
    try {
      cached = parseHeader(storage().getItem(key))
    } catch (error) {
      report('badge cache: read', error)
      cached = null
    }
    return cached
  }
  const current = (): Cached | null => {
    const found = cached === undefined ? read() : cached
    return found?.cli === cli() ? found : null
  }
  const write = (text: string): boolean => {
    try {
      if (text.length > MAX_LENGTH) return false
      storage().setItem(key, text)
      cached = parseHeader(text)
      return true
    } catch (error) {
      report('badge cache: write', error)
      return false
    }
  }
  const clear = () => {
    clears++
    cached = null
    try {
      storage().removeItem(key)
    } catch (error) {
      report('badge cache: clear', error)
    }
  }

  const save = async ({ generated, repositories, isShared }: SavedIndex): Promise<void> => {
    const program = cli()
    if (!isShared) {
      // The badges of other tabs belong to the listings that these can read. This tab asks its index in memory.
      cached = { cli: program, generated, text: null }
      return
    }
    const clearsBefore = clears
    const header = `${VERSION} ${program} ${generated}`
    const lines: string[] = []
    await chunked(repositories, ([repository, listings]) => {
      const { category, count, action, isRoot } = toBadgeData(listings, { cli: program })
      lines.push(`${repository} ${category ?? '-'} ${count} ${action}${isRoot ? ' root' : ''}\n`)
    })
    if (clears !== clearsBefore) return
    // A header without badges keeps every page from building them again.
    if (!write(`${header}\n${lines.sort().join('')}`)) write(`${header} ${NOT_STORED}\n`)
  }
  const build = async (generated: string, { eachRepository }: Pick<IndexCache, 'eachRepository'>): Promise<void> => {
    const repositories: [string, readonly IndexListing[]][] = []
    const stored = await eachRepository((...repository) => repositories.push(repository))
    // Another tab stores a newer index, and writes its badges.
    if (stored === generated) await save({ generated, repositories, isShared: true })
  }

  return {
    lookup(repository) {
      const text = current()?.text
      if (text == null) return undefined
      const data = findData(text, repository)
      // Damaged line: ask the index.
      return data === null ? null : (parseBadge(data) ?? undefined)
    },
    generated: () => current()?.generated ?? null,
    save,
    async sync(generated, index) {
      const isCurrent = () => current()?.generated === generated
      // Another tab may have written it.
      if (!isCurrent()) read()
      if (isCurrent()) return
      // One at a time: another index waits until this one has been read.
      if (reading?.generated !== generated) {
        const before = reading?.done
        const done = (async () => {
          await before?.catch(() => {})
          if (!isCurrent()) await build(generated, index)
        })()
        const own = { generated, done }
        reading = own
        const forget = () => {
          if (reading === own) reading = null
        }
        done.then(forget, forget)
      }
      return reading.done
    },
    clear,
  }
}

/** @returns null for a text of another version, or a truncated one */
function parseHeader(text: string | null): Cached | null {
  if (!text?.endsWith('\n')) return null
  const [version, cli, generated = '', notStored] = text.slice(0, text.indexOf('\n')).split(' ')
  if (version !== VERSION || !cli || Number.isNaN(Date.parse(generated))) return null
  return { cli, generated, text: notStored === NOT_STORED ? null : text }
}

/**
 * Finds the line of a repository by binary search. @returns what follows its name, or null when there is no such line
 */
function findData(text: string, repository: string): string | null {
  const prefix = `${repository} `
  let low = text.indexOf('\n') + 1
  let high = text.length
  while (low < high) {
    const middle = (low + high) >> 1
    const start = text.lastIndexOf('\n', middle - 1) + 1
    const end = text.indexOf('\n', middle)
    if (text.slice(start, end) < prefix) low = end + 1
    else high = start
  }
  return text.startsWith(prefix, low) ? text.slice(low + prefix.length, text.indexOf('\n', low)) : null
}

function parseBadge(text: string): BadgeData | null {
  const [category, count, action, root] = text.split(' ')
  const isKnownCategory = category === '-' || isCategory(category)
  const knownAction = (['copy', 'choose', ...NOT_INSTALLABLE_REASONS] as const).find((known) => known === action)
  if (!isKnownCategory || !(Number(count) > 0) || knownAction === undefined) return null
  return {
    category: category === '-' ? null : category,
    count: Number(count),
    action: knownAction,
    isRoot: root === 'root',
  }
}
