import { type IndexListing, nameParts } from '@plugmark/shared/contract'
import type { IndexCache } from '@plugmark/shared/index-cache'
import type { LinkTarget } from '../github/links.ts'
import type { BadgeCache } from './badge-cache.ts'
import { type BadgeData, toBadgeData } from './badge-data.ts'
import { isRoot } from './install-command.ts'

/** The content of a link's badge. */
export interface LinkBadge extends BadgeData {
  /** The listing of the badge; absent when there are several, or only the index can tell. */
  readonly fullName?: string
}

/** Most badges that a tab keeps; beyond that, they are looked up again. */
const MAX_ANSWERS = 5000

/** Looks up the listings of link targets. */
export interface Lookup {
  /** Returns the badge of a link: null when it gets none, undefined when only the index can tell. */
  badgeSync(target: LinkTarget): LinkBadge | null | undefined
  /**
   * Reads the badges of targets from the index; afterwards `badgeSync` returns them.
   *
   * @throws when there is no index yet
   */
  badges(targets: readonly LinkTarget[]): Promise<void>
  /** Resolves to all listings of a target; empty when there are none. */
  listings(target: LinkTarget): Promise<readonly IndexListing[]>
  /** Remembers until the next `reset` that a target has no listing, whatever the badge cache says. */
  markUnlisted(target: LinkTarget): void
  /** Forgets all answers, because the index or the program has changed. */
  reset(): void
}

export function createLookup(options: {
  badgeCache: Pick<BadgeCache, 'lookup'>
  index: Pick<IndexCache, 'byRepositories' | 'status'>
  cli: () => string
}): Lookup {
  const { badgeCache, index, cli } = options
  /** Answers of the index, by the key of the target. */
  let answers = new Map<string, LinkBadge | null>()
  /** Listings of badges that a person has pointed at or focused, by the key of their target. */
  let listingsByKey = new Map<string, Promise<readonly IndexListing[]>>()

  async function listingsOf(targets: readonly LinkTarget[]): Promise<Map<string, readonly IndexListing[]>> {
    const byRepository = await index.byRepositories(new Set(targets.map(({ repository }) => repository)))
    const found = new Map<string, readonly IndexListing[]>()
    for (const target of targets) {
      const listings = selectListings(target, byRepository.get(target.repository) ?? [])
      if (listings.length > 0) found.set(target.key, listings)
    }
    if (found.size === 0 && (await index.status()).generated === null) throw new Error('There is no index yet.')
    return found
  }

  return {
    badgeSync(target) {
      const answer = answers.get(target.key)
      if (answer !== undefined) return answer
      const badge = badgeCache.lookup(target.repository)
      if (!badge || target.tree === null) return badge
      // Only the index has the listing of a path.
      return target.isExact || (target.tree.includes('/') && !badge.isRoot) ? undefined : badge
    },
    async badges(targets) {
      if (answers.size > MAX_ANSWERS) answers = new Map()
      // When an index is replaced meanwhile, its answers are dropped with it.
      const current = answers
      const found = await listingsOf(targets)
      for (const { key } of targets) {
        const listings = found.get(key)
        const badge = listings ? toBadgeData(listings, { cli: cli() }) : null
        current.set(key, badge && listings?.length === 1 ? { ...badge, fullName: listings[0]!.fullName } : badge)
      }
    },
    listings(target) {
      const known = listingsByKey.get(target.key)
      if (known) return known
      const current = listingsByKey
      const listings = listingsOf([target]).then((found) => found.get(target.key) ?? [])
      current.set(target.key, listings)
      listings.catch(() => current.delete(target.key))
      return listings
    },
    markUnlisted: ({ key }) => void answers.set(key, null),
    reset() {
      answers = new Map()
      listingsByKey = new Map()
    },
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
