import { createTurns } from '@plugmark/shared/async'
import { parseDependency } from '@plugmark/shared/install'
import isNewer from 'semver/functions/gt.js'
import compareVersions from 'semver/functions/rcompare.js'
import { fits, isBroken } from '../../protocol/fit.ts'
import type { EntryState, HarnessUpgrade, StoreCalls } from '../../protocol/index.ts'
import type { UpgradeCheck, UpgradedPlugin } from '../../protocol/profiles.ts'
import { answer, refuse, unknownProfile } from '../../protocol/protocol.ts'
import { startCopy, startOf } from '../doctor/diagnose.ts'
import { readHarnessVersion } from '../harness/command-line.ts'
import type { JobSettings } from '../harness/job.ts'
import { Output } from '../harness/output.ts'
import { isVersion } from '../harness/requirements.ts'
import type { Parts } from '../parts.ts'
import type { Declarations } from '../plugins/declarations.ts'
import { fetchFitting, readExemptions, readInstalledDeclaration, toFit } from '../plugins/fit-check.ts'
import { type RunRecords, runRecordsOf, unrecordedRuns } from '../plugins/run-records.ts'
import { readPluginStates, type SeenHarness, seenIn } from '../plugins/states.ts'
import { withTimeout } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { Registry } from '../registry/registry.ts'
import { withLockedProfile } from '../transaction/journal.ts'

/** Most versions to choose from. */
const MAX_VERSIONS = 20

/** Other versions of the harness: one that came and turned plugins off, and those that may come. */
export class Upgrades {
  readonly #parts: Parts
  /** Upgrade that turned plugins of the host's profile off; null when none did, or it is unknown. */
  #last: HarnessUpgrade | null = null
  #isWatching = false
  readonly #turn = createTurns()

  constructor(parts: Parts) {
    this.#parts = parts
    const { events, background } = parts
    events.subscribe((event) => {
      // A job may have brought back plugins that an upgrade had turned off.
      if (this.#isWatching && event.type === 'job' && event.job.state === 'done') background.add(this.find())
    })
  }

  get calls() {
    const { settings, states, fitCheck, signal } = this.#parts
    return {
      dismissUpgrade: async ({ profile }) => {
        await states.dismiss(profile)
        if (profile === settings.profile) this.#emit(null, this.#turn())
        return answer(null)
      },
      async harnessVersions({ profile }) {
        const current = await fitCheck.version()
        const document = await requestHarness(profileDirectory(settings.home, profile), settings.env, signal)
        const versions = Object.keys(document?.versions ?? {}).filter(isVersion)
        const newer = versions.filter((version) => current === null || isNewer(version, current))
        return answer(newer.toSorted(compareVersions).slice(0, MAX_VERSIONS))
      },
      checkUpgrade: async ({ profile, version }) => {
        const checked = await this.check({ profile, version, isStarted: false, signal })
        if (checked.ok) return answer(checked.check)
        return checked.reason === 'unknown-profile'
          ? unknownProfile(profile)
          : refuse('unknown-version', 'The registry does not say which version of the harness is the newest.')
      },
    } satisfies Partial<StoreCalls>
  }

  /** Checks a profile against another version of the harness. Changes nothing. */
  readonly check = (options: UpgradeOptions): Promise<UpgradeResult> => checkUpgrade(this.#parts, options)

  /**
   * Finds out if the harness was upgraded since its plugins were last seen running, and which of them no longer run in the
   * host's own profile. Tells pages when that changes. Never rejects.
   */
  readonly find = async (): Promise<HarnessUpgrade | null> => {
    const { states, settings } = this.#parts
    this.#isWatching = true
    const counts = this.#turn()
    try {
      return this.#emit(await states.upgrade(settings.profile), counts)
    } catch {
      // A state that cannot be read now leaves the notice as it is.
      return this.#last
    }
  }

  /** Returns the upgrade for a page. A store in another program finds it when its shell asks: that starts the harness. */
  async shown(): Promise<HarnessUpgrade | null> {
    return this.#parts.settings.running ? this.find() : this.#last
  }

  /** Tells pages about an upgrade, unless a later look has found out more. @returns what is known now */
  #emit(upgrade: HarnessUpgrade | null, counts: () => boolean): HarnessUpgrade | null {
    if (!counts()) return this.#last
    const isChanged = JSON.stringify(upgrade) !== JSON.stringify(this.#last)
    this.#last = upgrade
    if (isChanged) this.#parts.events.emit({ type: 'upgrade', upgrade })
    return upgrade
  }
}

// Another version, by what is declared and by a start

/** Time limit of what is read from registries, in ms. */
const REGISTRY_TIMEOUT_MS = 30_000
/** Package that carries the version of the harness. */
const HARNESS_PACKAGE = '@deepseek-ai/dsh'

type UpgradeResult =
  | { readonly ok: true; readonly check: UpgradeCheck }
  | { readonly ok: false; readonly reason: 'unknown-profile' | 'not-harness' | 'no-version' }

interface UpgradeOptions {
  readonly profile: string
  /** Version to check by number; null: the newest that the registry has. */
  readonly version: string | null
  /** True to start a copy under the program of the settings, whose version then counts. */
  readonly isStarted: boolean
  readonly signal: AbortSignal
  /** Called with lines that the harness writes while it starts. */
  readonly onLines?: (lines: readonly string[]) => void
}

/** Checks a profile against another version of the harness: by what is declared, or by starting a copy of it. */
async function checkUpgrade(
  { settings, declarations, runRecords }: Pick<Parts, 'settings' | 'declarations' | 'runRecords'>,
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
  await runRecords.refresh()
  const place = { cli: settings.cli, profile, directory, state, harnessVersion, runRecords }
  const states = await readPluginStates({ ...place, seen, ranBefore: [] })
  // Known from now on, so that nobody learns it again after the upgrade.
  const { versions, commits } = state
  const shown = {
    runRecords,
    dependencies: state.manifest.dependencies,
    commits,
    versions,
    harnessVersion,
    isCopy: true,
  }
  if (seen) await runRecords.add(unrecordedRuns(states, { ...shown, page: seen.page }), harnessVersion)
  const parts = { directory, state, harnessVersion, declarations, runRecords, signal }
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
    readonly runRecords: RunRecords
    readonly directory: string
    readonly state: ProfileState
    readonly harnessVersion: string
    readonly signal: AbortSignal
  },
): Promise<UpgradedPlugin> {
  const { directory, state, harnessVersion, runRecords } = given
  const declaration = await readInstalledDeclaration(directory, name)
  const answer = declaration && ({ state: 'read', declaration } as const)
  const spec = parseDependency(name, state.manifest.dependencies[name] ?? 'file:')
  const records = spec && runRecordsOf(runRecords, spec, state.commits.get(name))
  const isFit = fits(toFit(answer, harnessVersion, records, await readExemptions(directory)))
  const declared = isFit === null ? 'unknown' : isFit ? 'yes' : 'no'
  const runs = now.kind === 'running' ? 'yes' : isBroken(now) ? 'no' : declared
  const found = runs === 'no' ? await fetchFitting(name, given) : null
  return { name, version: state.versions.get(name) ?? null, state: now, runs, fitting: found?.version ?? null }
}

/** Requests the versions of the harness; null where the registry does not answer. */
async function requestHarness(directory: string, env: JobSettings['env'], given: AbortSignal) {
  const signal = withTimeout(given, REGISTRY_TIMEOUT_MS)
  const answer = await new Registry(directory, env).package(HARNESS_PACKAGE, { signal })
  return answer.state === 'read' ? answer.document : null
}
