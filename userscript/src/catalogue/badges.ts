import { chunked } from '@plugmark/shared/async'
import { type IndexListing, isCategory, nameParts } from '@plugmark/shared/contract'
import type { IndexCache, SavedIndex } from '@plugmark/shared/index-cache'
import {
  bindInstall,
  NOT_INSTALLABLE_REASONS,
  type NotInstallableReason,
  renderInstall,
} from '@plugmark/shared/install'
import { report } from '../base/report.ts'
import type { LinkTarget } from '../github/links.ts'

/** The content of a repository's badge before the user points at it or focuses it. */
export interface BadgeData {
  /** Category of the first listing; null if it has none, or one newer than this script. */
  readonly category: string | null
  readonly count: number
  /** Action of its button: copy a command, or let the user choose one; else the reason why there is none. */
  readonly action: 'copy' | 'choose' | NotInstallableReason
  /** True if its only listing is the repository itself: links to any of its folders stand for that listing too. */
  readonly isRoot: boolean
}

/** @param listings at least one, all for which the badge stands */
export function toBadgeData(listings: readonly IndexListing[], { cli }: { readonly cli: string }): BadgeData {
  const offer = offerFor(listings, { cli })
  const [first] = listings as readonly [IndexListing, ...IndexListing[]]
  const { category } = first
  return {
    category: isCategory(category) ? category : null,
    count: listings.length,
    action: offer.kind === 'command' ? 'copy' : offer.kind === 'choice' ? 'choose' : offer.reason,
    isRoot: listings.length === 1 && isRoot(first),
  }
}

export const isSameBadge = (a: BadgeData, b: BadgeData): boolean =>
  a.category === b.category && a.count === b.count && a.action === b.action

/** Version of the format. Raise it when the format changes; a cache of another version is ignored. */
const VERSION = '5'

/** Longest text in the page's own storage, which is shared with the site, in characters. */
const MAX_LENGTH = 2_000_000

/** Replaces the badges in a header when they could not be stored. */
const NOT_STORED = 'not-stored'

interface Cached {
  readonly cli: string
  readonly generated: string
  /** Time when the index was last known to be the newest, ms since 1970; 0 when that is unknown. */
  readonly checkedAt: number
  /** The whole text; null when the badges could not be stored. */
  readonly text: string | null
  /** Its lines, from the first look-up on. */
  lines: readonly string[] | null
}

/**
 * The badges of all listed repositories, readable synchronously: a page is marked before the database is open. They are
 * text in `localStorage`: a header, then one line a repository, sorted. A page finds the lines that it needs by binary
 * search: to split the text takes 0.5 ms at 20,000 listings, to parse each line 13 ms.
 *
 * ```
 * 5 dsh 2026-08-20T00:00:00.000Z 1787184000000
 * lanternworks/dsh-plugin-paper-kite tools 1 copy root
 * ```
 */
export class BadgeCache {
  readonly #key: string
  readonly #cli: () => string
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Undefined until it has been read. */
  #cached: Cached | null | undefined
  /** Times that the cache was cleared: what was read before is not written after. */
  #clears = 0
  /** The build that was started last. */
  #building: Promise<void> = Promise.resolve()

  /**
   * @param options.key key in the storage
   * @param options.storage may throw, and so may its methods
   * @param options.cli the program whose commands can be copied
   */
  constructor(options: {
    key: string
    cli: () => string
    storage?: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  }) {
    this.#key = options.key
    this.#cli = options.cli
    this.#storage = options.storage ?? (() => localStorage)
  }

  /**
   * Returns the badge of a repository: null when it is not listed, undefined when only the index can tell.
   *
   * @param repository folded `owner/repo`
   */
  lookup(repository: string): BadgeData | null | undefined {
    const found = this.#current()
    if (found === null || found.text === null) return undefined
    found.lines ??= found.text.split('\n')
    const data = findData(found.lines, repository)
    // Damaged line: ask the index.
    return data === null ? null : (parseBadge(data) ?? undefined)
  }

  /** Returns `generated` of the index that the cache was built from; null when there is no cache. */
  generated(): string | null {
    return this.#current()?.generated ?? null
  }

  /** Returns ms since that index was last known to be the newest; infinite when unknown, and after the clock was set back. */
  ageMs(): number {
    const age = Date.now() - (this.#current()?.checkedAt || Number.NaN)
    return age >= 0 ? age : Number.POSITIVE_INFINITY
  }

  /** Stores that an index was known to be the newest `ageMs` ago, if the cache is of that index. */
  confirm(generated: string, ageMs: number): void {
    try {
      const text = this.#storage().getItem(this.#key) ?? ''
      if (parseHeader(text)?.generated !== generated) return
      this.#write(text.replace(/^(\S+ \S+ \S+) \d+/, `$1 ${Math.round(Date.now() - ageMs)}`))
    } catch (error) {
      report('badge cache: confirm', error)
    }
  }

  /** Writes the badges of an index whose listings are in memory. One that is not shared applies to this tab only. */
  async save({ generated, repositories, isShared }: SavedIndex): Promise<void> {
    const cli = this.#cli()
    if (!isShared) {
      // The badges of other tabs belong to the listings that these can read. This tab asks its index in memory.
      this.#cached = { cli, generated, checkedAt: 0, text: null, lines: null }
      return
    }
    const clearsBefore = this.#clears
    const header = `${VERSION} ${cli} ${generated} 0`
    const lines: string[] = []
    await chunked(repositories, ([repository, listings]) => {
      const { category, count, action, isRoot } = toBadgeData(listings, { cli })
      lines.push(`${repository} ${category ?? '-'} ${count} ${action}${isRoot ? ' root' : ''}\n`)
    })
    if (this.#clears !== clearsBefore) return
    // A header without badges keeps every page from building them again.
    if (!this.#write(`${header}\n${lines.sort().join('')}`)) this.#write(`${header} ${NOT_STORED}\n`)
  }

  /** Builds the cache from the stored index, unless any tab has written the cache of this `generated`. One at a time. */
  async sync(generated: string, index: Pick<IndexCache, 'eachRepository'>): Promise<void> {
    const isCurrent = () => this.#current()?.generated === generated
    // Another tab may have written it.
    if (!isCurrent()) this.#read()
    if (isCurrent()) return
    const build = async () => {
      if (!isCurrent()) await this.#build(generated, index)
    }
    // Its own caller reports the failure of the one before.
    this.#building = this.#building.then(build, build)
    return this.#building
  }

  clear(): void {
    this.#clears++
    this.#cached = null
    try {
      this.#storage().removeItem(this.#key)
    } catch (error) {
      report('badge cache: clear', error)
    }
  }

  #current(): Cached | null {
    const found = this.#cached === undefined ? this.#read() : this.#cached
    return found?.cli === this.#cli() ? found : null
  }

  #read(): Cached | null {
    try {
      this.#cached = parseHeader(this.#storage().getItem(this.#key))
    } catch (error) {
      report('badge cache: read', error)
      this.#cached = null
    }
    return this.#cached
  }

  #write(text: string): boolean {
    try {
      if (text.length > MAX_LENGTH) return false
      this.#storage().setItem(this.#key, text)
      this.#cached = parseHeader(text)
      return true
    } catch (error) {
      report('badge cache: write', error)
      return false
    }
  }

  async #build(generated: string, { eachRepository }: Pick<IndexCache, 'eachRepository'>): Promise<void> {
    const repositories: [string, readonly IndexListing[]][] = []
    const stored = await eachRepository((...repository) => repositories.push(repository))
    // Another tab stores a newer index, and writes its badges.
    if (stored === generated) await this.save({ generated, repositories, isShared: true })
  }
}

/** @returns null for text of another version, or a truncated one */
function parseHeader(text: string | null): Cached | null {
  if (!text?.endsWith('\n')) return null
  const [version, cli, generated = '', checkedAt, notStored] = text.slice(0, text.indexOf('\n')).split(' ')
  if (version !== VERSION || !cli || Number.isNaN(Date.parse(generated))) return null
  const isStored = notStored !== NOT_STORED
  return { cli, generated, checkedAt: Number(checkedAt), text: isStored ? text : null, lines: null }
}

/** Finds the line of a repository, after that of the header. @returns what follows its name, or null when it has none */
function findData(lines: readonly string[], repository: string): string | null {
  const prefix = `${repository} `
  let low = 1
  let high = lines.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (lines[middle]! < prefix) low = middle + 1
    else high = middle
  }
  const line = lines[low]!
  return line.startsWith(prefix) ? line.slice(prefix.length) : null
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

export interface LinkBadge extends BadgeData {
  /** The listing of the badge; absent when there are several, or only the index can tell. */
  readonly fullName?: string
}

/** Most badges that a tab keeps; beyond that, they are looked up again. */
const MAX_ANSWERS = 5000

/** Answers for links: from the badge cache at once, else from the index. */
export class Lookup {
  readonly #badgeCache: Pick<BadgeCache, 'lookup'>
  readonly #index: Pick<IndexCache, 'byRepositories' | 'status'>
  readonly #cli: () => string
  /** Answers of the index, by the key of the target. */
  #answers = new Map<string, LinkBadge | null>()
  /** Listings of badges that the user has pointed at or focused, by the key of their target. */
  #listings = new Map<string, Promise<readonly IndexListing[]>>()

  /** @param cli returns the program whose commands can be copied */
  constructor(
    badgeCache: Pick<BadgeCache, 'lookup'>,
    index: Pick<IndexCache, 'byRepositories' | 'status'>,
    cli: () => string,
  ) {
    this.#badgeCache = badgeCache
    this.#index = index
    this.#cli = cli
  }

  /** Returns the badge of a link: null when it gets none, undefined when only the index can tell. */
  badgeSync(target: LinkTarget): LinkBadge | null | undefined {
    const answer = this.#answers.get(target.key)
    if (answer !== undefined) return answer
    const badge = this.#badgeCache.lookup(target.repository)
    if (!badge || target.tree === null) return badge
    // Only the index has the listing of a path.
    return target.isExact || (target.tree.includes('/') && !badge.isRoot) ? undefined : badge
  }

  /**
   * Reads the badges of targets from the index; afterwards `badgeSync` returns them.
   *
   * @throws when there is no index yet
   */
  async badges(targets: readonly LinkTarget[]): Promise<void> {
    if (this.#answers.size > MAX_ANSWERS) this.#answers = new Map()
    // When an index is replaced meanwhile, its answers are dropped with it.
    const answers = this.#answers
    const found = await this.#find(targets)
    for (const { key } of targets) {
      const listings = found.get(key)
      const badge = listings ? toBadgeData(listings, { cli: this.#cli() }) : null
      answers.set(key, badge && listings?.length === 1 ? { ...badge, fullName: listings[0]!.fullName } : badge)
    }
  }

  /** Resolves to all listings of a target; empty when there are none. */
  listings(target: LinkTarget): Promise<readonly IndexListing[]> {
    const known = this.#listings.get(target.key)
    if (known) return known
    const current = this.#listings
    const listings = this.#find([target]).then((found) => found.get(target.key) ?? [])
    current.set(target.key, listings)
    listings.catch(() => current.delete(target.key))
    return listings
  }

  /** Remembers until the next `reset` that a target has no listing, whatever the badge cache says. */
  markUnlisted({ key }: LinkTarget): void {
    this.#answers.set(key, null)
  }

  /** Forgets all answers, because the index or the program has changed. */
  reset(): void {
    this.#answers = new Map()
    this.#listings = new Map()
  }

  async #find(targets: readonly LinkTarget[]): Promise<Map<string, readonly IndexListing[]>> {
    const byRepository = await this.#index.byRepositories(new Set(targets.map(({ repository }) => repository)))
    const found = new Map<string, readonly IndexListing[]>()
    for (const target of targets) {
      const listings = selectListings(target, byRepository.get(target.repository) ?? [])
      if (listings.length > 0) found.set(target.key, listings)
    }
    if (found.size === 0 && (await this.#index.status()).generated === null) throw new Error('There is no index yet.')
    return found
  }
}

/**
 * Returns the listings of a target. For a repository these are all of its listings. For a path it is the listing of
 * this very subdirectory, else that of the root: a subdirectory without a listing of its own is part of the root.
 *
 * @param listings all listings of the target's repository
 */
export function selectListings(
  { tree, isExact }: LinkTarget,
  listings: readonly IndexListing[],
): readonly IndexListing[] {
  if (tree === null) return listings
  // A git reference with slashes is not recognised: guessing its end could offer the command of another plugin.
  const path = tree.split('/').slice(1).join('/')
  const subpathOf = ({ fullName }: IndexListing) => nameParts(fullName).subpath
  const exact = listings.find((listing) => subpathOf(listing) === path)
  if (exact) return [exact]
  // When two listings differ only in case, a third spelling means neither.
  const folded = listings.filter((listing) => subpathOf(listing)?.toLowerCase() === path.toLowerCase())
  if (folded.length === 1) return folded
  if (isExact) return []
  return path === '' ? listings : listings.filter(isRoot)
}

/** An install command, or the reason why there is none. */
export type Command =
  | { readonly ok: true; readonly command: string }
  | { readonly ok: false; readonly reason: NotInstallableReason }

export interface CommandOptions {
  readonly cli: string
  /** @default the profile in the directory's commands */
  readonly profile?: string
}

/**
 * Binds a command to its listing and renders it for the user's profile. No other code does this.
 *
 * @param install the listing's own command, or another from its record; untrusted
 */
export function commandOf(
  listing: IndexListing,
  { cli, profile }: CommandOptions,
  install: string | null = listing.install,
): Command {
  const bound = bindInstall({ ...listing, install }, { cli })
  if (!bound.ok) return bound
  const command = renderInstall(bound.plan, profile === undefined ? {} : { profile })
  return command === null ? { ok: false, reason: 'bad-profile' } : { ok: true, command }
}

/** The command that a repository's badge copies, and the listing that it installs. */
export type Offer =
  | { readonly kind: 'none'; readonly reason: NotInstallableReason }
  | { readonly kind: 'command'; readonly listing: IndexListing; readonly command: string }
  /** Ambiguous: the root cannot be installed, or there is none and several others can be. */
  | { readonly kind: 'choice' }

/**
 * Returns the offer for the listings of one repository: the command of the root; without a root, the only command; else
 * a choice, even of one, so that nobody who wants the root gets another plugin.
 *
 * @param listings at least one
 */
export function offerFor(listings: readonly IndexListing[], options: CommandOptions): Offer {
  const commands: Extract<Offer, { kind: 'command' }>[] = []
  let reason: NotInstallableReason | null = null
  for (const listing of rootFirst(listings)) {
    const result = commandOf(listing, options)
    if (result.ok) commands.push({ kind: 'command', listing, command: result.command })
    else reason ??= result.reason
  }
  const [first] = commands
  if (first === undefined) return { kind: 'none', reason: reason ?? 'no-command' }
  const isOnly = commands.length === 1 && !listings.some(isRoot)
  return isRoot(first.listing) || isOnly ? first : { kind: 'choice' }
}

export const isRoot = (listing: IndexListing) => nameParts(listing.fullName).subpath === null

/** Moves the root before the subdirectories, whatever the order of the directory. */
export function rootFirst(listings: readonly IndexListing[]): IndexListing[] {
  return [...listings.filter(isRoot), ...listings.filter((listing) => !isRoot(listing))]
}
