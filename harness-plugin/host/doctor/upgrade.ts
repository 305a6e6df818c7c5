import { parseDependency } from '@plugmark/shared/install'
import { fits, isBroken } from '../../protocol/fit.ts'
import type { EntryState } from '../../protocol/index.ts'
import type { UpgradeCheck, UpgradedPlugin } from '../../protocol/profiles.ts'
import type { JobSettings } from '../harness/job.ts'
import { Output } from '../harness/output.ts'
import { readHarnessVersion } from '../harness/version.ts'
import type { Declarations } from '../plugins/declarations.ts'
import { type Evidence, evidenceOf, startsOf } from '../plugins/evidence.ts'
import { fetchFitting, readExemptions, readInstalledDeclaration, toFit } from '../plugins/fit-check.ts'
import { readPluginStates, type SeenHarness, seenIn } from '../plugins/states.ts'
import { withTimeout } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { Registry } from '../registry/registry.ts'
import { withLockedProfile } from '../transaction/journal.ts'
import { startCopy, startOf } from './diagnose.ts'

/** Time limit of what is read from registries, in ms. */
const REGISTRY_TIMEOUT_MS = 30_000
/** Package that carries the version of the harness. */
const HARNESS_PACKAGE = '@deepseek-ai/dsh'

export type UpgradeResult =
  | { readonly ok: true; readonly check: UpgradeCheck }
  | { readonly ok: false; readonly reason: 'unknown-profile' | 'not-harness' | 'no-version' }

export interface UpgradeOptions {
  readonly profile: string
  /** Version to check by number; null: the newest that the registry has. */
  readonly version: string | null
  /** True to start a copy under the program of the settings, whose version then counts. */
  readonly isStarted: boolean
  readonly signal: AbortSignal
  readonly onLines?: (lines: readonly string[]) => void
}

interface UpgradeParts {
  readonly settings: JobSettings & { readonly cli: string }
  readonly declarations: Declarations
  readonly evidence: Evidence
}

/** Checks a profile against another version of the harness: by what is declared, or by starting a copy of it. */
export async function checkUpgrade(
  { settings, declarations, evidence }: UpgradeParts,
  { profile, signal, isStarted, onLines, ...given }: UpgradeOptions,
): Promise<UpgradeResult> {
  const directory = profileDirectory(settings.home, profile)
  const state = await readProfileState(directory)
  if (state === null) return { ok: false, reason: 'unknown-profile' }
  const limited = withTimeout(signal, settings.timeLimitMs)
  const harnessVersion = isStarted
    ? await readHarnessVersion(settings.command, { env: settings.env, signal: limited })
    : (given.version ?? (await requestHarness(directory, settings.env, signal))?.latest ?? null)
  if (harnessVersion === null) return { ok: false, reason: isStarted ? 'not-harness' : 'no-version' }

  let start: UpgradeCheck['start'] = { state: 'not-tried', why: [], page: 'unknown' }
  let seen: SeenHarness | null = null
  if (isStarted) {
    const output = new Output({ redactions: settings.redactions, onLines: (_, lines) => onLines?.(lines) })
    const context = { settings, output, signal: limited }
    try {
      const started = await withLockedProfile(directory, { signal }, () => startCopy(context, { profile, directory }))
      if (started) {
        const { boot } = started
        if (boot.up) seen = seenIn(boot)
        const pageText = boot.up && boot.page.loads === 'no' ? [output.clean(boot.page.text)] : []
        if (boot.up) start = { state: 'starts', why: pageText, page: boot.page.loads }
        else start = { ...startOf(started, { signal: limited, settings }), page: 'unknown' }
      }
    } catch (error) {
      start = { state: 'not-tried', why: [error instanceof Error ? error.message : String(error)], page: 'unknown' }
    }
  }
  await evidence.refresh()
  const place = { cli: settings.cli, profile, directory, state, harnessVersion, evidence }
  const states = await readPluginStates({ ...place, seen, ranBefore: [] })
  // Known from now on, so that nobody learns it again after the upgrade.
  const { versions, commits } = state
  const shown = { evidence, dependencies: state.manifest.dependencies, commits, versions, harnessVersion, isCopy: true }
  if (seen) await evidence.add(evidenceOf(states, shown), harnessVersion)
  const parts = { directory, state, harnessVersion, declarations, evidence, signal }
  return {
    ok: true,
    check: { harnessVersion, start, plugins: await Promise.all(states.map((one) => checkPlugin(one, parts))) },
  }
}

/** Finds out whether an installed plugin runs, and if not, which version of it declares to. */
async function checkPlugin(
  { name, state: now }: EntryState,
  given: {
    readonly declarations: Declarations
    readonly evidence: Evidence
    readonly directory: string
    readonly state: ProfileState
    readonly harnessVersion: string
    readonly signal: AbortSignal
  },
): Promise<UpgradedPlugin> {
  const { directory, state, harnessVersion, evidence } = given
  const declaration = await readInstalledDeclaration(directory, name)
  const answer = declaration && ({ state: 'read', declaration } as const)
  const spec = parseDependency(name, state.manifest.dependencies[name] ?? 'file:')
  const starts = spec && startsOf(evidence, spec, state.commits.get(name))
  const isFit = fits(toFit(answer, harnessVersion, starts, await readExemptions(directory)))
  const declared = isFit === null ? 'unknown' : isFit ? 'yes' : 'no'
  const runs = now.kind === 'running' ? 'yes' : isBroken(now) ? 'no' : declared
  const found = runs === 'no' ? await fetchFitting(name, given) : null
  return { name, version: state.versions.get(name) ?? null, state: now, runs, fitting: found?.version ?? null }
}

/** Requests the versions of the harness; null where the registry does not answer. */
export async function requestHarness(directory: string, env: JobSettings['env'], given: AbortSignal) {
  const signal = withTimeout(given, REGISTRY_TIMEOUT_MS)
  const answer = await new Registry(directory, env).package(HARNESS_PACKAGE, { signal })
  return answer.state === 'read' ? answer.document : null
}
