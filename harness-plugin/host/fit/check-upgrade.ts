import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import isNewer from 'semver/functions/gt.js'
import compareVersions from 'semver/functions/rcompare.js'
import type { UpgradeCheck, UpgradedPlugin } from '../../protocol/index.ts'
import { startCopy } from '../doctor/start-copy.ts'
import type { JobSettings } from '../harness/job.ts'
import { Output } from '../harness/output.ts'
import { isVersion, type Requirements } from '../harness/requirements.ts'
import { readHarnessVersion } from '../harness/version.ts'
import { profileDirectory } from '../profile/home.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { openRegistry } from '../registry/registry.ts'
import { findFittingVersion } from './fitting-version.ts'
import { type Declarations, declarationOf, fitsAll } from './package-declarations.ts'
import { readPluginStates, type SeenHarness, type StateOf, seenIn } from './read-plugin-states.ts'

/** Time limit of what is read from registries and the code host, in ms. */
const LIMIT_MS = 30_000
/** Most versions to choose from. */
const MAX_VERSIONS = 20
/** Package that carries the version of the harness. */
const HARNESS_PACKAGE = '@deepseek-ai/dsh'

export type UpgradeResult =
  | { readonly ok: true; readonly check: UpgradeCheck }
  | { readonly ok: false; readonly reason: 'unknown-profile' | 'not-harness' | 'no-version' }

/**
 * Checks a profile against another version of the harness: by what is declared, or by starting a copy of it.
 *
 * @param given.version version to check by number; null: the newest that the registry has
 * @param given.isStarted true to start a copy under the program of the settings, whose version then counts
 */
export async function checkUpgrade(given: {
  readonly settings: JobSettings & { readonly cli: string }
  readonly declarations: Declarations
  readonly profile: string
  readonly version: string | null
  readonly isStarted: boolean
  readonly signal: AbortSignal
  readonly onLines?: (lines: readonly string[]) => void
}): Promise<UpgradeResult> {
  const { settings, profile, signal, isStarted, onLines } = given
  const directory = profileDirectory(settings.home, profile)
  const state = await readProfileState(directory)
  if (state === null) return { ok: false, reason: 'unknown-profile' }
  const deadline = performance.now() + settings.timeLimitMs
  const harnessVersion = isStarted
    ? await readHarnessVersion(settings.command, { env: settings.env, signal, deadline })
    : (given.version ?? (await newestHarness(directory, settings, signal)))
  if (harnessVersion === null) return { ok: false, reason: isStarted ? 'not-harness' : 'no-version' }

  let start: UpgradeCheck['start'] = { state: 'not-tried', why: [] }
  let seen: SeenHarness | null = null
  if (isStarted) {
    const output = new Output({ redactions: settings.redactions, onLines: (_, lines) => onLines?.(lines) })
    const context = { settings, output, signal, deadline, job: { id: randomUUID() } }
    const { boot } = await startCopy(context, { profile, copying: signal })
    if (boot.up) seen = seenIn(boot)
    start = boot.up ? { state: 'starts', why: [] } : { state: 'does-not-start', why: boot.why }
  }
  const place = { cli: settings.cli, profile, directory, state, harnessVersion }
  const states = await readPluginStates({ ...place, seen, ranBefore: [] })
  const plugins = await Promise.all(states.map((one) => judge(one, { ...given, directory, state, harnessVersion })))
  return { ok: true, check: { harnessVersion, start, plugins } }
}

async function newestHarness(directory: string, { env }: JobSettings, signal: AbortSignal): Promise<string | null> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  const answer = await openRegistry(directory, env).package(HARNESS_PACKAGE, { signal: limited })
  return answer.state === 'read' ? answer.document.latest : null
}

/** Reads versions of the harness that are newer than this one, newest first; none where the registry does not answer. */
export async function newerHarnesses(
  directory: string,
  {
    env,
    current,
    signal,
  }: Pick<JobSettings, 'env'> & { readonly current: string | null; readonly signal: AbortSignal },
): Promise<string[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  const answer = await openRegistry(directory, env).package(HARNESS_PACKAGE, { signal: limited })
  if (answer.state !== 'read') return []
  const versions = Object.keys(answer.document.versions).filter(isVersion)
  return versions
    .filter((version) => current === null || isNewer(version, current))
    .toSorted(compareVersions)
    .slice(0, MAX_VERSIONS)
}

/** Finds out whether an installed plugin fits, and if not, which version of it does. */
async function judge(
  { name, state: isDoing }: StateOf,
  given: {
    readonly declarations: Declarations
    readonly directory: string
    readonly state: ProfileState
    readonly harnessVersion: string
    readonly signal: AbortSignal
  },
): Promise<UpgradedPlugin> {
  const { directory, state, harnessVersion } = given
  const version = state.versions.get(name) ?? null
  const required = await installedRequirements(directory, name)
  const isMet = required === null || fitsAll(required, harnessVersion)
  const isNamed = required !== null && Object.keys(required).length > 0
  const isOff = isDoing.kind === 'off' || isDoing.kind === 'not-a-layer'
  const isFine = isDoing.kind === 'running' || isDoing.kind === 'loaded' || isOff
  const fits = isDoing.kind === 'running' ? true : !isFine || !isMet ? false : isNamed ? true : null
  const known = { name, version, state: isDoing, fits }
  const found = fits === false ? await findFittingVersion(name, given) : null
  return { ...known, fitting: found?.version ?? null }
}

async function installedRequirements(directory: string, name: string): Promise<Requirements | null> {
  try {
    const text = await readFile(join(directory, 'node_modules', name, 'package.json'), 'utf8')
    return declarationOf(JSON.parse(text))?.requirements ?? null
  } catch {
    return null
  }
}
