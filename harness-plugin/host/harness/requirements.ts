import { isPackageName, isProfileName, isProgramName } from '@plugmark/shared/install'
import satisfies from 'semver/functions/satisfies.js'
import valid from 'semver/functions/valid.js'
import isAbove from 'semver/ranges/gtr.js'
import isBelow from 'semver/ranges/ltr.js'
import validRange from 'semver/ranges/valid.js'
import * as v from 'valibot'
import { splitPackageId } from '../../protocol/package-id.ts'

const RequirementsSchema = v.record(
  v.pipe(v.string(), v.regex(/^(?:engines\.dsh|@deepseek-ai\/dsh(?:-[\w.-]{1,100})?)$/)),
  v.string(),
)
const ManifestSchema = v.object({
  // Old packages have text, or lists.
  engines: v.fallback(v.looseObject({ dsh: v.optional(v.unknown()) }), {}),
  peerDependencies: v.fallback(v.record(v.string(), v.unknown()), {}),
})

/** Required version ranges of the harness by their source: `engines.dsh`, or the names of its packages. */
export type Requirements = Readonly<Record<string, string>>

/**
 * Reads the harness versions that a package.json requires: from `engines.dsh` alone, or otherwise from every peer that
 * is a package of the harness, including optional ones (observed on 0.2.1-rc.2).
 *
 * @returns null where they cannot be read; any other field can have any form
 */
export function requirementsOf(manifest: unknown): Requirements | null {
  const read = v.safeParse(ManifestSchema, manifest)
  if (!read.success) return null
  const { engines, peerDependencies } = read.output
  if (engines.dsh !== undefined) return typeof engines.dsh === 'string' ? { 'engines.dsh': engines.dsh } : null
  const peers = Object.entries(peerDependencies).filter(([name]) => /^@deepseek-ai\/dsh(?:-|$)/.test(name))
  const requirements = v.safeParse(RequirementsSchema, Object.fromEntries(peers))
  return requirements.success ? requirements.output : null
}

/** Parses requirements as the harness prints them; null when they are malformed. */
export function parseRequirements(json: string): Requirements | null {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), RequirementsSchema), json)
  return read.success ? read.output : null
}

/** Returns the requirements that a version of the harness does not meet. */
export const unmet = (requirements: Requirements, version: string): Requirements =>
  Object.fromEntries(Object.entries(requirements).filter(([, range]) => !meets(version, range)))

/** Returns true if the harness accepts a version for a range: prereleases count, and an empty range matches none. */
export function meets(version: string, range: string): boolean {
  const text = range.replace(/^workspace:[~^]?$/, '*').replace(/^workspace:/, '')
  return text !== '' && satisfies(version, text, { includePrerelease: true })
}

/**
 * Compares a version of the harness with what it does not meet.
 *
 * @returns `newer` when every range is above the version, `older` when every range is below it, otherwise null
 */
export function neededHarness(missing: Requirements, version: string): 'newer' | 'older' | null {
  const ranges = Object.values(missing).map((range) => validRange(range))
  if (ranges.length === 0) return null
  if (ranges.every((range) => range !== null && isBelow(version, range))) return 'newer'
  return ranges.every((range) => range !== null && isAbove(version, range)) ? 'older' : null
}

/** Returns true for a version in canonical form. */
export const isVersion = (text: string): boolean => valid(text) === text

/** Returns true for `name@version`. */
export function isPlugin(text: string): boolean {
  const { name, version } = splitPackageId(text)
  return isPackageName(name) && version !== null && isVersion(version)
}

/** Formats requirements, such as `dsh ^0.2.0`. An invalid range could be any text, so it becomes a question mark. */
export const describeRequirements = (requirements: Requirements): string[] =>
  Object.entries(requirements).map(([name, range]) => {
    const isShown = range.length <= 100 && validRange(range) !== null
    return `${name === 'engines.dsh' ? 'dsh' : name} ${isShown ? range.trim() : '?'}`
  })

/**
 * Renders the harness's command that accepts one version of a plugin although it refuses it. No character of it is special
 * in a shell.
 *
 * @param plugin `name@version`
 * @returns null when one of them is malformed
 */
export function renderAllowCommand(
  { cli, profile }: { readonly cli: string; readonly profile: string },
  plugin: string,
  harness: string,
): string | null {
  if (!isProgramName(cli) || !isProfileName(profile) || !isPlugin(plugin) || !isVersion(harness)) return null
  return `${cli} plugin --profile ${profile} allow-version ${plugin} --dsh-version ${harness} --accept-risk`
}
