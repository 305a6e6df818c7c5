import { type Catalogue, chunked, type SavedIndex } from '@plugmark/shared/catalogue'
import { type IndexListing, isCategory } from '@plugmark/shared/contract'
import { NOT_INSTALLABLE_REASONS } from '@plugmark/shared/install'
import { type BadgeData, toBadgeData } from './badge-data.ts'

/** Raised when the format changes; a cache of another version counts as none. */
const VERSION = '2'

/** The page's own storage is shared with the site: more than this is not put there. Characters. */
const MAX_LENGTH = 2_000_000

/** Stands in the header where the badges themselves could not be stored. */
const NOT_STORED = 'not-stored'

/** What the badge of every listed repository shows, readable at once: a page is marked before the database is open. */
export interface BadgeCache {
  /**
   * The badge of a repository: null when it is not listed, undefined when only the index can tell.
   *
   * @param repository folded `owner/repo`
   */
  lookup(repository: string): BadgeData | null | undefined
  /** `generated` of the index that the cache was built from; null when there is no cache. */
  generated(): string | null
  /** Writes the badges of an index whose listings are at hand. */
  save(index: SavedIndex): Promise<void>
  /** Reads the listings of the stored index back, unless the cache is of it, written by any tab. */
  sync(generated: string): Promise<void>
  clear(): void
}

interface Cached {
  readonly cli: string
  readonly generated: string
  /** By folded `owner/repo`; null where they could not be stored. */
  readonly badges: ReadonlyMap<string, BadgeData> | null
}

/**
 * The cache is a text in `localStorage`: a header, then one line a repository.
 *
 * ```
 * 2 dsh 2026-08-20T00:00:00.000Z
 * lanternworks/dsh-plugin-paper-kite tools 1 copy
 * ```
 *
 * @param options.key in the storage
 * @param options.storage may throw, and so may its methods
 * @param options.cli the program whose commands can be copied
 */
export function createBadgeCache(options: {
  key: string
  cli: () => string
  eachRepository: Catalogue['eachRepository']
  storage?: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}): BadgeCache {
  const { key, cli, eachRepository, storage = () => localStorage } = options
  /** undefined: not read yet. */
  let cached: Cached | null | undefined
  let reading: Promise<void> | null = null

  const read = (): Cached | null => {
    try {
      cached = parse(storage().getItem(key))
    } catch {
      cached = null
    }
    return cached
  }
  const current = (): Cached | null => {
    const found = cached === undefined ? read() : cached
    return found?.cli === cli() ? found : null
  }
  const write = (next: Cached): boolean => {
    try {
      storage().setItem(key, serialize(next))
      cached = next
      return true
    } catch {
      return false
    }
  }
  const clear = () => {
    cached = null
    try {
      storage().removeItem(key)
    } catch {
      // What cannot be reached is not read either.
    }
  }

  const save = async ({ generated, repositories }: SavedIndex): Promise<void> => {
    const header = { cli: cli(), generated }
    const badges = new Map<string, BadgeData>()
    await chunked(repositories, ([repository, listings]) => {
      badges.set(repository, toBadgeData(listings, header))
    })
    // Where the badges have no room, the header alone keeps every page from building them again.
    if (!write({ ...header, badges })) write({ ...header, badges: null })
  }
  const readBack = async (generated: string): Promise<void> => {
    const repositories: [string, readonly IndexListing[]][] = []
    const stored = await eachRepository((...repository) => repositories.push(repository))
    // Another tab stores a newer index, and writes its badges.
    if (stored === generated) await save({ generated, repositories })
  }

  return {
    lookup(repository) {
      const badges = current()?.badges
      return badges ? (badges.get(repository) ?? null) : undefined
    },
    generated: () => current()?.generated ?? null,
    save,
    async sync(generated) {
      const isCurrent = () => current()?.generated === generated
      // Another tab may have written it.
      if (!isCurrent()) read()
      if (isCurrent()) return
      reading ??= readBack(generated).finally(() => {
        reading = null
      })
      return reading
    },
    clear,
  }
}

/** @throws {RangeError} when it is too long to be stored */
function serialize({ cli, generated, badges }: Cached): string {
  const lines = [`${VERSION} ${cli} ${generated}${badges === null ? ` ${NOT_STORED}` : ''}`]
  for (const [repository, { category, count, action }] of badges ?? []) {
    lines.push(`${repository} ${category ?? '-'} ${count} ${action}`)
  }
  const text = lines.join('\n')
  if (text.length > MAX_LENGTH) throw new RangeError('Too many badges.')
  return text
}

/** @returns null for a text of another version, or a damaged one */
function parse(text: string | null): Cached | null {
  if (text === null) return null
  const [header = '', ...lines] = text.split('\n')
  const [version, cli, generated = '', notStored] = header.split(' ')
  if (version !== VERSION || !cli || Number.isNaN(Date.parse(generated))) return null
  if (notStored === NOT_STORED) return { cli, generated, badges: null }
  const badges = new Map<string, BadgeData>()
  /** Few badges differ: equal ones share an object. */
  const known = new Map<string, BadgeData>()
  for (const line of lines) {
    const at = line.indexOf(' ')
    const data = line.slice(at + 1)
    const badge = known.get(data) ?? parseBadge(data)
    if (badge === null) return null
    known.set(data, badge)
    badges.set(line.slice(0, at), badge)
  }
  return { cli, generated, badges }
}

function parseBadge(text: string): BadgeData | null {
  const [category, count, action] = text.split(' ')
  const isKnownCategory = category === '-' || isCategory(category)
  const knownAction = (['copy', 'choose', ...NOT_INSTALLABLE_REASONS] as const).find((known) => known === action)
  if (!isKnownCategory || !(Number(count) > 0) || knownAction === undefined) return null
  return { category: category === '-' ? null : category, count: Number(count), action: knownAction }
}
