import { type IndexListing, nameParts } from '@plugmark/shared/contract'
import type { IndexCache } from '@plugmark/shared/index-cache'
import type { LinkTarget } from '../github/links.ts'
import type { BadgeCache } from './badge-cache.ts'
import { type BadgeData, toBadgeData } from './badge-data.ts'
import { isRoot } from './install-command.ts'

/** What the badge of a link shows. */
export interface LinkBadge extends BadgeData {
  /** The listing it stands for; absent when that is several, or only the index can tell. */
  readonly fullName?: string
}

/** What the directory lists of the things that links lead to. */
export interface Lookup {
  /** The badge of a link: null when it gets none, undefined when only the index can tell. */
  badgeSync(target: LinkTarget): LinkBadge | null | undefined
  /**
   * Badges by the key of their target; targets that get none are absent.
   *
   * @throws when there is no index yet
   */
  badges(targets: readonly LinkTarget[]): Promise<Map<string, LinkBadge>>
  /** All listings that a target stands for; empty when there are none. */
  listings(target: LinkTarget): Promise<readonly IndexListing[]>
  /** There is a newer index. */
  reset(): void
}

export function createLookup(options: {
  badgeCache: Pick<BadgeCache, 'lookup'>
  index: Pick<IndexCache, 'byRepositories' | 'status'>
  cli: () => string
}): Lookup {
  const { badgeCache, index, cli } = options
  /** Of badges that a person turned to, by the key of their target. */
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
      const badge = badgeCache.lookup(target.repository)
      if (!badge || target.tree === null) return badge
      // Which of other listings a path stands for, and whether any, is in the index only.
      return target.isExact || (target.tree.includes('/') && !badge.isRoot) ? undefined : badge
    },
    async badges(targets) {
      const found = await listingsOf(targets)
      return new Map(
        Array.from(found, ([key, listings]) => {
          const badge = toBadgeData(listings, { cli: cli() })
          return [key, listings.length === 1 ? { ...badge, fullName: listings[0]!.fullName } : badge]
        }),
      )
    },
    listings(target) {
      const known = listingsByKey.get(target.key)
      if (known) return known
      const into = listingsByKey
      const listings = listingsOf([target]).then((found) => found.get(target.key) ?? [])
      into.set(target.key, listings)
      listings.catch(() => into.delete(target.key))
      return listings
    },
    reset() {
      listingsByKey = new Map()
    },
  }
}

/**
 * The listings that a target stands for: all of its repository, or for a path in it that of this very subdirectory, else
 * that of the root, which a subdirectory without a listing of its own is part of.
 *
 * @param listings all listings of the target's repository
 */
export function selectListings(
  { tree, isExact }: LinkTarget,
  listings: readonly IndexListing[],
): readonly IndexListing[] {
  if (tree === null) return listings
  // A reference with slashes is not recognized: to guess where it ends could offer the command of another plugin.
  const path = tree.split('/').slice(1).join('/')
  const listing = listings.find(({ fullName }) => nameParts(fullName).subpath?.toLowerCase() === path)
  if (listing) return [listing]
  if (isExact) return []
  return path === '' ? listings : listings.filter(isRoot)
}
