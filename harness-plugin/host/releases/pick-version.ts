import clean from 'semver/functions/clean.js'
import compare from 'semver/functions/compare.js'
import gt from 'semver/functions/gt.js'
import major from 'semver/functions/major.js'
import prerelease from 'semver/functions/prerelease.js'
import satisfies from 'semver/functions/satisfies.js'
import valid from 'semver/functions/valid.js'
import maxSatisfying from 'semver/ranges/max-satisfying.js'
import validRange from 'semver/ranges/valid.js'
import * as v from 'valibot'
import type { WaitingRelease } from '../../protocol/index.ts'
import type { PnpmRefusal } from '../../protocol/inspection.ts'
import { isVersion } from '../harness/requirements.ts'
import { type ReadOptions, readStdout } from '../process/run.ts'
import { PrintedSettings } from '../registry/printed-settings.ts'
import { type PackageDocument, type PublishedVersion, publishedVersion, type Registry } from '../registry/registry.ts'

/** Default of `minimumReleaseAge` since pnpm 11, in minutes. Source: pnpm 11.28 and 12.21. */
const DEFAULT_MINUTES = 24 * 60
const MINUTE_MS = 60_000

/** Rules by which a profile's pnpm does not install a release: it waits for a time, or wants proof of its origin. */
export interface ReleaseAge {
  /** Major version of pnpm. */
  readonly pnpm: number
  /** 0 when it does not wait. */
  readonly minutes: number
  /** Returns true for a release that it installs at once. */
  readonly isExcluded: (name: string, version: string) => boolean
  /** True for `trustPolicy: no-downgrade`. */
  readonly needsTrust: boolean
  /** Returns true for a release that it installs without that proof. */
  readonly isTrusted: (name: string, version: string, ageMs: number) => boolean
}

/** Longest time that a setting means, in minutes: after a longer one, the end of the wait would be no date. */
const MAX_MINUTES = 1e10
const MinutesSchema = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform(Number),
  v.number(),
  v.minValue(0),
  v.transform((minutes) => Math.min(minutes, MAX_MINUTES)),
)
const ExcludeSchema = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((name) => [name]),
  ),
])
const SettingsSchema = v.pipe(
  PrintedSettings,
  v.object({
    userAgent: v.optional(v.string(), ''),
    minimumReleaseAge: v.optional(MinutesSchema),
    minimumReleaseAgeExclude: v.optional(ExcludeSchema, []),
    trustPolicy: v.optional(v.string()),
    trustPolicyExclude: v.optional(ExcludeSchema, []),
    trustPolicyIgnoreAfter: v.optional(MinutesSchema, 0),
  }),
)

/**
 * Asks pnpm for the settings of a profile: files, environment and precedence differ from version to version. It prints
 * no defaults.
 *
 * @param options.cwd the profile's directory
 * @returns null when pnpm does not answer in time
 */
export async function readReleaseAge(options: Omit<ReadOptions, 'command'>): Promise<ReleaseAge | null> {
  const text = await readStdout({ ...options, command: ['pnpm', 'config', 'list', '--json'] })
  const read = v.safeParse(SettingsSchema, text)
  if (!read.success) return null
  const { userAgent, minimumReleaseAge, minimumReleaseAgeExclude, ...trust } = read.output
  const version = /^pnpm\/(\d+\.\d+\.\d+\S*)/.exec(userAgent)?.[1]
  if (version === undefined || !isVersion(version)) return null
  const pnpm = major(version)
  const { trustPolicy, trustPolicyExclude, trustPolicyIgnoreAfter } = trust
  return {
    pnpm,
    minutes: minimumReleaseAge ?? (pnpm >= 11 ? DEFAULT_MINUTES : 0),
    isExcluded: (name, version) => minimumReleaseAgeExclude.some((pattern) => excludes(pattern, name, version)),
    needsTrust: trustPolicy === 'no-downgrade',
    isTrusted: (name, version, ageMs) =>
      (trustPolicyIgnoreAfter > 0 && ageMs > trustPolicyIgnoreAfter * MINUTE_MS) ||
      trustPolicyExclude.some((pattern) => excludes(pattern, name, version)),
  }
}

/** Returns true if an entry of `minimumReleaseAgeExclude` or `trustPolicyExclude` names a release: `name`, `@scope/*` or `name@1.0.0 || 1.1.0`. */
function excludes(pattern: string, name: string, version: string): boolean {
  const at = pattern.indexOf('@', 1)
  if (at !== -1) {
    const versions = pattern.slice(at + 1).split('||')
    return pattern.slice(0, at) === name && versions.some((one) => one.trim() === version)
  }
  const parts = pattern.split('*').map((part) => part.replace(/[^\w]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(name)
}

/** Releases of a package that are newer than the installed one. */
interface NewerReleases {
  /** The newest that pnpm installs now; null when there is none. */
  readonly version: string | null
  /** The newest of all, if pnpm does not install it yet; unknown if its settings or the times could not be read. */
  readonly waiting: WaitingRelease | 'unknown' | null
}

/**
 * Finds the releases of a package that are newer than the installed one.
 *
 * @param document abbreviated document of the package
 * @param given.current the installed version; null when it is not known
 * @param given.readAge called only if there is a newer release
 * @throws never; if the releases cannot be read with their times, pnpm may install each of them, as it does by default
 */
export async function findNewerReleases(
  document: PackageDocument,
  given: {
    readonly current: string | null
    readonly readAge: () => Promise<ReleaseAge | null>
    readonly registry: Pick<Registry, 'package'>
    readonly signal: AbortSignal
    readonly now: number
  },
): Promise<NewerReleases> {
  const { name, latest } = document
  const current = given.current !== null && isVersion(given.current) ? given.current : null
  if (!isVersion(latest) || (current !== null && !gt(latest, current))) return { version: null, waiting: null }
  const age = await given.readAge()
  if (age === null) return { version: latest, waiting: 'unknown' }
  const waits = age.minutes * MINUTE_MS
  // A package without a change since then has no young release.
  const hasNoYoung = waits === 0 || age.isExcluded(name, latest) || timeOf(document.modified) <= given.now - waits
  if (hasNoYoung && !age.needsTrust) return { version: latest, waiting: null }
  const full = await given.registry.package(name, { signal: given.signal, withTimes: true })
  if (full.state !== 'read') return { version: latest, waiting: 'unknown' }
  const { isYoung, isDoubted } = rulesOf(full.document, { age, now: given.now })
  if (!isYoung(latest) && !isDoubted(latest)) return { version: latest, waiting: null }
  const picked = pickVersion(document, 'latest', {
    pnpm: age.pnpm,
    isAllowed: (one) => !isYoung(one) && !isDoubted(one),
  })
  const version = picked !== null && (current === null || gt(picked, current)) ? picked : null
  // It stays refused when it is old enough.
  if (isDoubted(latest)) return { version, waiting: null }
  const until = Math.ceil((timeOf(full.document.times[latest]) + waits) / MINUTE_MS) * MINUTE_MS
  return {
    version,
    waiting: { version: latest, until: new Date(until).toISOString(), pnpm: age.pnpm, minutes: age.minutes },
  }
}

/** The version that a range or a tag means. */
export interface PickedRelease {
  readonly version: string
  /**
   * Rules by which pnpm installs neither this version, the newest, nor any other of them; empty if it installs this one,
   * null if that is unknown.
   */
  readonly refusals: readonly PnpmRefusal[] | null
}

/**
 * Picks the version that an install of a range or a tag takes. A version that is named is taken, however new it is.
 *
 * @param document abbreviated document of the package
 * @returns null when there is none
 */
export async function pickRelease(
  document: PackageDocument,
  wanted: string,
  given: {
    readonly readAge: () => Promise<ReleaseAge | null>
    readonly registry: Pick<Registry, 'package'>
    readonly signal: AbortSignal
    readonly now: number
  },
): Promise<PickedRelease | null> {
  const age = isVersion(wanted) ? null : await given.readAge()
  const pick = (isAllowed?: (version: string) => boolean) =>
    pickVersion(document, wanted, { ...(age && { pnpm: age.pnpm }), ...(isAllowed && { isAllowed }) })
  const full =
    age === null || (age.minutes === 0 && !age.needsTrust)
      ? null
      : await given.registry.package(document.name, { signal: given.signal, withTimes: true })
  if (age === null || full?.state !== 'read')
    return toPicked(pick(), isVersion(wanted) || (age && full === null) ? [] : null)
  const rules = { age, now: given.now }
  const { isYoung, isDoubted } = rulesOf(full.document, rules)
  const allowed = pick((one) => !isYoung(one) && !isDoubted(one))
  const version = allowed ?? pick()
  return toPicked(version, allowed === null && version !== null ? findRefusals(full.document, version, rules) : [])
}

const toPicked = (version: string | null, refusals: PickedRelease['refusals']): PickedRelease | null =>
  version === null ? null : { version, refusals }

/** Returns the rules by which pnpm does not install releases of a package. @param document with their times */
function rulesOf(
  document: PackageDocument,
  { age, now }: { readonly age: ReleaseAge; readonly now: number },
): Readonly<Record<'isYoung' | 'isDoubted', (version: string) => boolean>> {
  const { name, times } = document
  const waits = age.minutes * MINUTE_MS
  return {
    isYoung: (version) => waits > 0 && now - timeOf(times[version]) < waits && !age.isExcluded(name, version),
    isDoubted: (version) =>
      age.needsTrust &&
      !age.isTrusted(name, version, now - timeOf(times[version])) &&
      isDowngraded(document, version, age.pnpm),
  }
}

/**
 * Returns the rules by which pnpm does not install a version now.
 *
 * @param document full document of the package, with the times of its releases
 */
export function findRefusals(
  document: PackageDocument,
  version: string,
  given: { readonly age: ReleaseAge; readonly now: number },
): PnpmRefusal[] {
  const { isYoung, isDoubted } = rulesOf(document, given)
  const until = timeOf(document.times[version]) + given.age.minutes * MINUTE_MS
  const rules = [
    ...(isDoubted(version) ? [{ rule: 'trust-policy' as const, until: null }] : []),
    ...(isYoung(version) ? [{ rule: 'release-age' as const, until: new Date(until).toISOString() }] : []),
  ]
  if (rules.length === 0) return []
  const isAllowed = (one: string) => one !== version && !isYoung(one) && !isDoubted(one)
  const passing = pickVersion(document, 'latest', { pnpm: given.age.pnpm, isAllowed })
  return rules.map((rule) => ({ ...rule, passing }))
}

const timeOf = (iso: string | null | undefined): number => Date.parse(iso ?? '')

// pnpm's `trustPolicy: no-downgrade`, which refuses a release with less proof of its origin than an earlier one

/**
 * Returns true if pnpm counts a release as a downgrade: one that was published earlier has more proof of its origin.
 * Source: `failIfTrustDowngraded` of pnpm 10.34 and 11.28, and installs with these and 12.21.
 *
 * @param pnpm major version of pnpm
 */
function isDowngraded({ versions, times }: PackageDocument, version: string, pnpm: number): boolean {
  const publishedAt = timeOf(times[version])
  const before = Object.keys(versions).filter(
    (one) => timeOf(times[one]) < publishedAt && (prerelease(version) !== null || prerelease(one) === null),
  )
  const proof = (one: string) => proofOf(publishedVersion({ versions }, one), pnpm)
  return Math.max(0, ...before.map(proof)) > proof(version)
}

/** Ranks what a registry says of the origin of a release; 0 for nothing. */
function proofOf(published: PublishedVersion | null, pnpm: number): number {
  const { approver, trustedPublisher } = published?._npmUser ?? {}
  const { provenance } = Object(published?.dist.attestations)
  const isNew = pnpm >= 11
  if (isNew && approver) return 3
  if (trustedPublisher && (provenance || !isNew)) return 2
  return provenance ? 1 : 0
}

// By a range, as pnpm picks it. Source: `pickVersionByVersionRange` and `filterPkgMetadataByPublishDate` of pnpm 10.34 and
// 11.28, and installs with these and 12.21 (e2e/registry/pick-version.spec.ts).

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
