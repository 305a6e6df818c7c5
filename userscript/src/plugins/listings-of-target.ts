import { type IndexListing, nameParts } from '@plugmark/shared/contract'
import { repositoryOfTarget, type Target } from '../github/target.ts'

/**
 * The listings a target stands for: that of the subdirectory it leads to, else all of its repository.
 *
 * @param listings all listings of the target's repository
 */
export function listingsOfTarget(target: Target, listings: readonly IndexListing[]): readonly IndexListing[] {
  const [, strict, , tree] = /^[^/]+\/[^/#]+(?:(#)|(\/tree\/))(.+)$/s.exec(target) ?? []
  if (tree === undefined) return listings
  // A reference can have slashes, so where it ends is only known by what is listed; the longest path wins.
  const exact = listings
    .filter(({ fullName }) => {
      const { subpath } = nameParts(fullName)
      return subpath !== null && tree.endsWith(`/${subpath.toLowerCase()}`)
    })
    .sort((a, b) => b.fullName.length - a.fullName.length)
  return exact.length > 0 ? exact.slice(0, 1) : strict ? [] : listings
}

/**
 * Looks up what links lead to.
 *
 * @param byRepositories all listings of each folded `owner/repo`; those without are absent
 * @returns listings by target; targets without are absent
 */
export async function lookUpTargets(
  targets: readonly Target[],
  byRepositories: (repositories: Set<string>) => Promise<ReadonlyMap<string, readonly IndexListing[]>>,
): Promise<Map<Target, readonly IndexListing[]>> {
  const known = await byRepositories(new Set(targets.map(repositoryOfTarget)))
  const found = new Map<Target, readonly IndexListing[]>()
  for (const target of targets) {
    const listings = listingsOfTarget(target, known.get(repositoryOfTarget(target)) ?? [])
    if (listings.length > 0) found.set(target, listings)
  }
  return found
}
