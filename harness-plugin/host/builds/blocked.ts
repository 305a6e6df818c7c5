import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { BuildRequest, Outcome, Review } from '../../protocol/index.ts'
import { readCache, update } from '../json-file.ts'
import { readRepositoryFile } from '../process/git.ts'
import { readStdout, withTimeout } from '../process/run.ts'
import { ignoreMissing } from '../profile/files.ts'
import { parsePackageId } from '../profile/lockfile.ts'
import { readPackage } from '../profile/state.ts'
import { blockedBuildsFile } from '../profile/state-folder.ts'
import { buildScripts, installScripts } from '../registry/package-scripts.ts'

export type Approval = NonNullable<Review['approval']>

const VERSION_TIMEOUT_MS = 20_000
const REPOSITORY_TIMEOUT_MS = 30_000

interface ProcessLimits {
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

interface BlockedOptions extends ProcessLimits {
  /** The directory that the command ran in, unchanged since. */
  readonly profile: string
  /** Builds that had been allowed for this run. */
  readonly allowed: Approval | null
}

/** Returns the packages and scripts that must be allowed for the command to succeed, by exact keys. */
export async function blockedBuilds(
  outcome: Outcome,
  { profile, allowed, ...limits }: BlockedOptions,
): Promise<BlockedBuilds | null> {
  if (outcome.kind !== 'build-blocked') return null
  const setting = await readBuildSetting(profile, limits)
  const builds = await Promise.all(
    outcome.subjects.map(async (id): Promise<BuildRequest> => {
      const { name, version, repository } = parsePackageId(id)
      const scripts = repository
        ? await repositoryScripts(repository, limits)
        : await installedScripts(profile, name, version)
      const key = setting?.versions === false ? name : id
      return { package: name, version, key, scripts }
    }),
  )
  // Builds that were allowed before must be allowed again, because the profile was rolled back in between.
  const before = (allowed?.builds ?? []).filter(({ key }) => !builds.some((build) => build.key === key))
  return builds.length === 0 ? null : { setting: setting?.name ?? null, builds: [...before, ...builds] }
}

/** The setting by which a version of pnpm allows build scripts. Sources: pnpm's releases 10.19 and 11.0. */
export interface BuildSetting {
  /** Of pnpm-workspace.yaml. */
  readonly name: 'onlyBuiltDependencies' | 'allowBuilds'
  /** True if a key can name a single version. */
  readonly versions: boolean
}

/**
 * Finds the setting of the pnpm that the harness would start over a profile.
 *
 * @returns null when pnpm does not print its version
 */
export async function readBuildSetting(cwd: string, limits: ProcessLimits): Promise<BuildSetting | null> {
  const signal = withTimeout(limits.signal, VERSION_TIMEOUT_MS)
  const version = await readStdout({ ...limits, signal, command: ['pnpm', '--version'], cwd })
  return version === null ? null : buildSettingOf(version)
}

export function buildSettingOf(version: string): BuildSetting | null {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)\.\d/.exec(version.trim())?.map(Number) ?? []
  // Before 10.0 every script runs unless it is forbidden: nothing is blocked there.
  if (major < 10) return null
  if (major >= 11) return { name: 'allowBuilds', versions: true }
  return { name: 'onlyBuiltDependencies', versions: minor >= 19 }
}

const PackageSchema = v.object({
  version: v.optional(v.string()),
  scripts: v.optional(v.record(v.string(), v.string()), {}),
  gypfile: v.optional(v.unknown()),
})

type Scripts = Readonly<Record<string, string>>

/** Returns the build scripts of a package in a profile's node_modules; none if this version is not installed. */
async function installedScripts(profile: string, name: string, wanted: string | null): Promise<Scripts> {
  const installed = await readPackage(profile, name, PackageSchema)
  if (installed === null || (wanted !== null && wanted !== installed.version)) return {}
  const file = join(profile, 'node_modules', name, 'binding.gyp')
  return installScripts(installed, (await stat(file).catch(ignoreMissing)) !== undefined)
}

/** Returns the scripts that build a package from a repository at one commit; none if they cannot be read. */
async function repositoryScripts(
  repository: { readonly url: string; readonly commit: string },
  limits: ProcessLimits,
): Promise<Scripts> {
  try {
    const signal = withTimeout(limits.signal, REPOSITORY_TIMEOUT_MS)
    const text = await readRepositoryFile('package.json', repository, { ...limits, signal })
    const { scripts } = v.parse(PackageSchema, JSON.parse(text ?? ''))
    return { ...installScripts({ scripts }), ...buildScripts(scripts) }
  } catch {
    // The review says that the scripts are unknown.
    return {}
  }
}

// They are kept in the profile until a job of the listing succeeds.

const BlockedSchema = v.object({
  /** Null where the package manager did not say its version. */
  setting: v.nullable(v.picklist(['onlyBuiltDependencies', 'allowBuilds'])),
  builds: v.array(
    v.object({
      package: v.string(),
      version: v.nullable(v.string()),
      key: v.string(),
      scripts: v.record(v.string(), v.string()),
    }),
  ),
})
/** Build scripts that were blocked. */
export type BlockedBuilds = v.InferOutput<typeof BlockedSchema>
/** A cache: without it, a job is stopped by the scripts again, and asks for them again. */
export const BLOCKED_BUILDS = {
  schema: v.object({ builds: v.record(v.string(), BlockedSchema) }),
  version: 1,
  isCache: true,
}

/**
 * Reads which build scripts stopped the last job of a listing in a profile. They are stored in the profile, so that
 * every shell has them: after a rollback the profile's own files no longer show them.
 *
 * @returns null if no build script did, or the file cannot be read
 */
export async function readBlockedBuilds(profile: string, listing: string): Promise<BlockedBuilds | null> {
  const { builds = {} } = (await readCache(blockedBuildsFile(profile), BLOCKED_BUILDS)) ?? {}
  return Object.hasOwn(builds, listing) ? (builds[listing] ?? null) : null
}

/**
 * Stores which build scripts stopped the jobs of these listings; null for a listing whose job succeeded.
 *
 * @param profile the profile's directory
 */
export async function rememberBlockedBuilds(
  profile: string,
  changes: ReadonlyMap<string, BlockedBuilds | null>,
): Promise<void> {
  await update(blockedBuildsFile(profile), BLOCKED_BUILDS, (stored) => {
    const { builds = {} } = stored ?? {}
    const isKept = (listing: string) => Object.hasOwn(builds, listing)
    if (![...changes].some(([listing, blocked]) => blocked !== null || isKept(listing))) return stored
    const all = Object.entries({ ...builds, ...Object.fromEntries(changes) })
    const kept = all.filter((entry): entry is [string, BlockedBuilds] => entry[1] !== null)
    return kept.length === 0 ? null : { builds: Object.fromEntries(kept) }
  })
}
