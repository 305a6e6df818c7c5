import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type InstallPlan, specText } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { BuildRequest } from '../../protocol/index.ts'
import { isBuildAllowed } from '../../protocol/review-facts.ts'
import { KeptAnswers } from '../kept-answers.ts'
import { readStdout, withTimeout } from '../process/run.ts'
import { parsePackageId, readLockfilePackages } from '../profile/lockfile.ts'
import { installScripts } from '../registry/package-scripts.ts'
import type { PackageReader } from '../registry/registry.ts'
import { type Approval, type BuildSetting, readBuildSetting } from './blocked.ts'

/** Time limit of everything that one review reads, in ms: the user waits for it. */
const RESOLVE_TIMEOUT_MS = 20_000
/** Time that an answer counts, in ms: reviews of one plugin follow each other. */
const KEPT_MS = 10 * 60_000

interface ExpectedBuildsOptions {
  /** The profile's directory. */
  readonly profile: string
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Reads documents in full, which have the scripts. */
  readonly registry: PackageReader
}

/**
 * Reads the build scripts that an install needs, with their exact keys; null when they cannot be read.
 *
 * @param names packages whose scripts the directory saw blocked
 */
async function readNeeded(
  plan: InstallPlan,
  names: readonly string[],
  options: ExpectedBuildsOptions,
): Promise<Approval | null> {
  // The scripts of a repository are blocked before its package can be resolved.
  if (names.length === 0 || plan.spec.kind !== 'npm') return null
  const limit = { ...options, signal: withTimeout(options.signal, RESOLVE_TIMEOUT_MS) }
  const setting = await readBuildSetting(options.profile, limit)
  const ids = setting && (await resolvePackages(specText(plan.spec), limit))
  if (setting === null || ids === null) return null
  const wanted = new Set(names.map((name) => parsePackageId(name).name))
  const found = ids.filter((id) => wanted.has(parsePackageId(id).name))
  const builds = await Promise.all(found.map((id) => readBuild(id, setting, limit)))
  const isKnown =
    builds.every((build) => build !== null) && new Set(builds.map((one) => one?.package)).size === wanted.size
  return isKnown ? { setting: setting.name, builds } : null
}

/**
 * Reads the build scripts that an install will need, before its first try: the package manager resolves the plugin in
 * an empty folder with the settings of the profile, which runs none of its code, and the registry has the scripts. Keeps
 * what it has read, for the reviews that follow each other before one job.
 *
 * The job allows these exact keys. If it needs others, they are blocked and the user is asked again.
 *
 * @returns a function that returns null when nothing is left to allow, or the scripts cannot be read: then the job finds
 *   out. It never rejects.
 */
export function createExpectedBuilds(
  given: Omit<ExpectedBuildsOptions, 'profile' | 'registry'> & { now: () => number },
) {
  // Unknown builds are asked for when the install is stopped by them.
  const kept = new KeptAnswers<Approval | null>({ ms: KEPT_MS, isKept: (answer) => answer !== null, now: given.now })
  return async (
    plan: InstallPlan,
    names: readonly string[],
    {
      profile,
      registry,
      allowed,
    }: Pick<ExpectedBuildsOptions, 'profile' | 'registry'> & {
      /** Keys that the profile allows by now: the job of an earlier review may have allowed some. */
      readonly allowed: readonly string[]
    },
  ) => {
    const key = JSON.stringify([profile, specText(plan.spec), names])
    const needed = await kept
      .read(key, () => readNeeded(plan, names, { ...given, profile, registry }))
      .catch(() => null)
    const builds = (needed?.builds ?? []).filter(
      ({ package: name, version }) => !isBuildAllowed(allowed, { name, version }),
    )
    return needed === null || builds.length === 0 ? null : { ...needed, builds }
  }
}

/** Returns the ids of the packages that an install would bring; null when they cannot be resolved. */
async function resolvePackages(
  spec: string,
  { profile, env, signal }: ExpectedBuildsOptions,
): Promise<readonly string[] | null> {
  const directory = await mkdtemp(join(tmpdir(), 'plugmark-resolve-'))
  try {
    // A profile need not have these files. One that cannot be read is named by the install.
    for (const file of ['.npmrc', 'pnpm-workspace.yaml'])
      await copyFile(join(profile, file), join(directory, file)).catch(() => {})
    await writeFile(join(directory, 'package.json'), '{"name":"plugmark-resolve","private":true}')
    const command = ['pnpm', 'add', '--lockfile-only', '--ignore-scripts', spec]
    const once = { ...env, npm_config_fetch_retries: '0', pnpm_config_fetch_retries: '0' }
    if ((await readStdout({ command, cwd: directory, env: once, signal })) === null) return null
    const packages = await readLockfilePackages(directory)
    return packages && [...packages.keys()]
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const ScriptsSchema = v.object({ scripts: v.optional(v.record(v.string(), v.string()), {}) })

async function readBuild(
  id: string,
  setting: BuildSetting,
  { registry, signal }: Pick<ExpectedBuildsOptions, 'registry' | 'signal'>,
): Promise<BuildRequest | null> {
  const { name, version } = parsePackageId(id)
  const answer = await registry.package(name, { signal })
  if (version === null || answer.state !== 'read' || !Object.hasOwn(answer.document.versions, version)) return null
  const published = v.safeParse(ScriptsSchema, answer.document.versions[version])
  const scripts = published.success ? installScripts(published.output) : {}
  if (Object.keys(scripts).length === 0) return null
  return { package: name, version, key: setting.versions ? `${name}@${version}` : name, scripts }
}
