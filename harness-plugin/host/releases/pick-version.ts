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
import type { PackageDocument, Registry } from '../registry/registry.ts'

/** Default of `minimumReleaseAge` since pnpm 11, in minutes. Source: pnpm 11.28 and 12.21. */
const DEFAULT_MINUTES = 24 * 60
const MINUTE_MS = 60_000

/** How long a profile's pnpm waits before it installs a release. */
export interface ReleaseAge {
  /** Major version of pnpm. */
  readonly pnpm: number
  /** 0 when it does not wait. */
  readonly minutes: number
  /** Returns true for a release that it installs at once. */
  readonly isExcluded: (name: string, version: string) => boolean
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
  const { userAgent, minimumReleaseAge, minimumReleaseAgeExclude } = read.output
  const version = /^pnpm\/(\d+\.\d+\.\d+\S*)/.exec(userAgent)?.[1]
  if (version === undefined || !isVersion(version)) return null
  const pnpm = major(version)
  return {
    pnpm,
    minutes: minimumReleaseAge ?? (pnpm >= 11 ? DEFAULT_MINUTES : 0),
    isExcluded: (name, version) => minimumReleaseAgeExclude.some((pattern) => excludes(pattern, name, version)),
  }
}

/** Returns true if an entry of `minimumReleaseAgeExclude` names a release: `name`, `@scope/*` or `name@1.0.0 || 1.1.0`. */
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
  if (waits === 0 || age.isExcluded(name, latest) || timeOf(document.modified) <= given.now - waits)
    return { version: latest, waiting: null }
  const full = await given.registry.package(name, { signal: given.signal, withTimes: true })
  if (full.state !== 'read') return { version: latest, waiting: 'unknown' }
  const isYoung = youthOf(full.document, { age, now: given.now })
  if (!isYoung(latest)) return { version: latest, waiting: null }
  const picked = pickVersion(document, 'latest', (one) => !isYoung(one))
  const version = picked !== null && (current === null || gt(picked, current)) ? picked : null
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
  const isExact = isVersion(wanted)
  const age = isExact ? null : await given.readAge()
  const full = age?.minutes
    ? await given.registry.package(document.name, { signal: given.signal, withTimes: true })
    : null
  if (age === null || full?.state !== 'read')
    return picked(pickVersion(document, wanted), isExact || (age && full === null) ? [] : null)
  const isYoung = youthOf(full.document, { age, now: given.now })
  const allowed = pickVersion(document, wanted, (one) => !isYoung(one))
  const version = allowed ?? pickVersion(document, wanted)
  const isRefused = allowed === null && version !== null
  return picked(version, isRefused ? findRefusals(full.document, version, { age, now: given.now }) : [])
}

const picked = (version: string | null, refusals: PickedRelease['refusals']): PickedRelease | null =>
  version === null ? null : { version, refusals }

/** Returns whether pnpm waits before it installs a release of a package. @param document with their times */
const youthOf =
  ({ name, times }: PackageDocument, { age, now }: { readonly age: ReleaseAge; readonly now: number }) =>
  (version: string): boolean =>
    age.minutes > 0 && now - timeOf(times[version]) < age.minutes * MINUTE_MS && !age.isExcluded(name, version)

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
  const isYoung = youthOf(document, given)
  if (!isYoung(version)) return []
  const until = timeOf(document.times[version]) + given.age.minutes * MINUTE_MS
  const passing = pickVersion(document, 'latest', (one) => !isYoung(one))
  return [{ rule: 'release-age', until: new Date(until).toISOString(), passing }]
}

const timeOf = (iso: string | null | undefined): number => Date.parse(iso ?? '')

// By a range, as pnpm picks it. Source: `pickVersionByVersionRange` and `filterPkgMetadataByPublishDate` of pnpm 11.28, and
// installs with it and 12.21 (e2e/registry/pick-version.spec.ts). The store installs the version that it picked by its
// number, so that another rule of an older pnpm does not matter.

type Versions = Pick<PackageDocument, 'versions' | 'tags'>

/**
 * Returns the version that an install takes.
 *
 * @param wanted a version, a range or a tag
 * @param isAllowed returns false for a version that pnpm does not install. @default all
 * @returns null when there is none
 */
export function pickVersion(
  { versions, tags }: Versions,
  wanted: string,
  isAllowed: (version: string) => boolean = () => true,
): string | null {
  const all = Object.keys(versions).filter((version) => isAllowed(version))
  const exact = clean(wanted, true)
  if (exact !== null) return all.includes(exact) ? exact : null
  const isCurrent = (version: string) => !versions[version]?.deprecated
  const tagged = (tag: string) => (Object.hasOwn(tags, tag) ? nearest(tag, tags[tag]!) : null)
  // A range such as `x` is written `*`.
  const range = validRange(wanted, true)
  if (range === null) return tagged(wanted)
  const latest = tagged('latest')
  const isLatest = latest !== null && (range === '*' || satisfies(latest, range, true))
  const picked = isLatest ? latest : maxSatisfying(all, range, true)
  return picked === null || isCurrent(picked) ? picked : (maxSatisfying(all.filter(isCurrent), range, true) ?? picked)

  /** Returns the version of a tag, or the nearest older one that pnpm installs: of the same major version, if it can be. */
  function nearest(tag: string, version: string): string | null {
    if (all.includes(version)) return version
    if (valid(version, true) === null) return null
    const isPrerelease = (one: string) => prerelease(one, true) !== null
    const near = all.flatMap((one) => {
      if (valid(one, true) === null || gt(one, version, true)) return []
      const isSameMajor = major(one, true) === major(version, true)
      const isSameKind = isPrerelease(one) === isPrerelease(version)
      if (isSameKind ? !isSameMajor && tag !== 'latest' : !isSameMajor || !isPrerelease(one)) return []
      return { one, rank: (isCurrent(one) ? 3 : 0) + (!isSameKind ? 1 : isSameMajor ? 2 : 0) }
    })
    return near.toSorted((a, b) => b.rank - a.rank || compare(b.one, a.one, true))[0]?.one ?? null
  }
}
