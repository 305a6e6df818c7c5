import type { IndexListing } from '@plugmark/shared/contract'
import type { IndexCache } from '@plugmark/shared/index-cache'
import type { LinkTarget } from '../github/links.ts'
import type { LinkBadge, StoredBadges } from '../start/stored-badges.ts'
import { selectListings, toBadgeData } from './offers.ts'

/** Most badges that a tab keeps; beyond that, they are looked up again. */
const MAX_ANSWERS = 5000

/** Answers for links: from the badge cache at once, else from the index. */
export class Lookup {
  readonly #badgeCache: Pick<StoredBadges, 'badgeOf'>
  readonly #index: Pick<IndexCache, 'byRepositories' | 'status'>
  readonly #cli: () => string
  /** Answers of the index, by the key of the target. */
  #answers = new Map<string, LinkBadge | null>()
  /** Listings of badges that the user has pointed at or focused, by the key of their target. */
  #listings = new Map<string, Promise<readonly IndexListing[]>>()

  /** @param cli returns the program whose commands can be copied */
  constructor(
    badgeCache: Pick<StoredBadges, 'badgeOf'>,
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
    return this.#badgeCache.badgeOf(target)
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
