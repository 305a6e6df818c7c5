/**
 * Which version of a package a range gives, as pnpm picks it. Source: `pickVersionByVersionRange` and
 * `filterPkgMetadataByPublishDate` of pnpm 10.34 and 11.28, and installs with these and 12.21
 * (e2e/registry/pick-version.spec.ts).
 */
import clean from 'semver/functions/clean.js'
import compare from 'semver/functions/compare.js'
import gt from 'semver/functions/gt.js'
import major from 'semver/functions/major.js'
import prerelease from 'semver/functions/prerelease.js'
import satisfies from 'semver/functions/satisfies.js'
import valid from 'semver/functions/valid.js'
import maxSatisfying from 'semver/ranges/max-satisfying.js'
import validRange from 'semver/ranges/valid.js'
import type { PackageDocument } from './registry.ts'

type Versions = Pick<PackageDocument, 'versions' | 'tags'>

/**
 * Returns the version that an install takes.
 *
 * @param wanted a version, a range or a tag
 * @param given.pnpm major version of pnpm. @default the rule of 11 and newer
 * @param given.isAllowed returns false for a version that pnpm does not install
 * @returns null when there is none
 */
export function pickVersion(
  document: Versions,
  wanted: string,
  { pnpm = 11, isAllowed }: { readonly pnpm?: number; readonly isAllowed?: (version: string) => boolean } = {},
): string | null {
  const { versions, tags } = isAllowed ? allowedOf(document, isAllowed, pnpm) : document
  const has = (version: string | undefined) => version !== undefined && Object.hasOwn(versions, version)
  const exact = clean(wanted, true)
  if (exact !== null) return has(exact) ? exact : null
  // A range such as `x` is written `*`.
  const range = validRange(wanted, true)
  if (range === null) {
    const tagged = Object.hasOwn(tags, wanted) ? tags[wanted] : undefined
    return has(tagged) ? tagged! : null
  }
  const isCurrent = (version: string) => !versions[version]?.deprecated
  const { latest } = tags
  const all = Object.keys(versions)
  const isLatest = has(latest) && (range === '*' || satisfies(latest!, range, true))
  const picked = isLatest ? latest! : maxSatisfying(all, range, true)
  if (picked === null || isCurrent(picked) || (isLatest && pnpm < 11)) return picked
  const others = all.filter(isCurrent)
  // A prerelease is in no range of other numbers, and `*` takes one that `latest` names.
  const isSame = (version: string) => clean(version, true)?.split('-')[0] === clean(picked, true)?.split('-')[0]
  const same = range === '*' && !satisfies(picked, range, true) ? newestOf(others.filter(isSame)) : null
  return same ?? maxSatisfying(others, range, true) ?? picked
}

/** Leaves out versions that pnpm does not install. A tag of such a version then means one that is near it. */
function allowedOf({ versions, tags }: Versions, isAllowed: (version: string) => boolean, pnpm: number): Versions {
  const allowed = Object.fromEntries(Object.entries(versions).filter(([version]) => isAllowed(version)))
  const moved = Object.entries(tags).flatMap(([tag, version]) => {
    if (Object.hasOwn(allowed, version)) return [[tag, version] as const]
    if (valid(version, true) === null) return []
    const near = Object.keys(allowed).flatMap((one) => {
      const rank = valid(one, true) === null ? null : rankOf(one, { tag, version, pnpm })
      return rank === null ? [] : [{ one, rank: rank + (allowed[one]?.deprecated ? 0 : DEPRECATED) }]
    })
    const [best] = near.toSorted((a, b) => b.rank - a.rank || compare(b.one, a.one, true))
    return best === undefined ? [] : [[tag, best.one] as const]
  })
  return { versions: allowed, tags: Object.fromEntries(moved) }
}

/** Any version that is not deprecated comes before all that are. */
const DEPRECATED = 10

/** Ranks how near a version is to the one that a tag names; null for one that pnpm does not take in its place. */
function rankOf(
  one: string,
  { tag, version, pnpm }: { readonly tag: string; readonly version: string; readonly pnpm: number },
): number | null {
  const [isPrerelease, wasPrerelease] = [one, version].map((text) => prerelease(text, true) !== null)
  const isSameMajor = major(one, true) === major(version, true)
  if (pnpm < 11) return isPrerelease === wasPrerelease && (tag === 'latest' || isSameMajor) ? 0 : null
  if (gt(one, version, true)) return null
  if (isPrerelease === wasPrerelease) return isSameMajor ? 2 : tag === 'latest' ? 0 : null
  return isPrerelease && isSameMajor ? 1 : null
}

const newestOf = (versions: readonly string[]): string | null =>
  versions.toSorted((a, b) => compare(b, a, true))[0] ?? null
