import { isProfileName } from '@plugmark/shared/install'
import type {
  Answer,
  Job,
  LastChange,
  LeftUpdate,
  ProfileAdvisories,
  ProfileCheck,
  RepairPlan,
  StoreCalls,
} from '../../protocol/index.ts'
import { answer, refuse, stateProblem, unknownProfile } from '../../protocol/protocol.ts'
import { malwareIn } from '../../protocol/review-facts.ts'
import { keysOfChange, readAllowedBuilds } from '../builds/allowed.ts'
import { type Diagnosis, type DoctorOptions, diagnose } from '../doctor/diagnose.ts'
import type { ProfileRequest } from '../harness/job.ts'
import { redact } from '../harness/output.ts'
import { isDesktop } from '../harness/running-harness.ts'
import { advisoriesOfPlugin, advisoriesOfProfile, resolvePlugin } from '../inspection/advisories.ts'
import { planRepair } from '../jobs/repair.ts'
import type { Parts } from '../parts.ts'
import { fetchFitting } from '../plugins/fit-check.ts'
import { seenIn } from '../plugins/states.ts'
import { advisoriesOf } from '../plugins/updates.ts'
import { withTimeout } from '../process/run.ts'
import { holdOf, readHolds } from '../profile/holds.ts'
import { profileDirectory, readProfile, realProfileDirectory } from '../profile/home.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { undoFolder } from '../profile/state-folder.ts'
import { publishedVersion, Registry } from '../registry/registry.ts'
import { refuseMalware } from '../review/consent.ts'
import { logFile, packageChanges, readHistory, readLog } from '../transaction/history.ts'
import { changedSince, readLastChange } from '../transaction/journal.ts'
import type { StartedHarness } from '../trial/boot.ts'

/** Time limit of the audit of a profile, in ms: the harness starts from a copy meanwhile. */
const AUDIT_MS = 10_000

/** Examines, repairs and undoes a profile as a whole, and tells what ran on it. */
export class Maintenance {
  readonly #parts: Parts
  /** Last check of each profile. */
  readonly #checks = new Map<string, ProfileCheck>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get calls() {
    return {
      history: ({ profile }) => this.#history(profile),
      jobLog: async ({ profile, job }) => answer(await readLog(await this.#realDirectory(profile), job)),
      lastChange: ({ profile }) => this.#lastChange(profile),
      undo: ({ profile, change }) => this.#undo(profile, change),
      checkProfile: async ({ profile }) => answer(this.#startCheck(profile)),
      reviewRepair: ({ profile }) => this.#planRepair(profile),
      repair: ({ profile, digest }) => this.#repairAsReviewed(profile, digest),
    } satisfies Partial<StoreCalls>
  }

  #realDirectory(profile: string): Promise<string> {
    return realProfileDirectory(this.#parts.settings.home, profile)
  }

  async #start(request: ProfileRequest): Promise<Answer<Job>> {
    const { settings, queue } = this.#parts
    const { action, profile } = request
    if (!isProfileName(profile) || (await readProfile(settings.home, profile)) === null)
      return refuse('unknown-profile', `The profile "${profile}" does not exist, or its package.json cannot be read.`)
    if (isDesktop(settings, profile)) return refuse('no-plugin-manager', 'Only the Desktop app changes this profile.')
    if (queue.jobs().some((job) => job.action === action && job.profile === profile && job.state !== 'done'))
      return refuse('already-running', `The same job (${action}) of this profile is already in progress.`)
    return answer(await queue.add(request))
  }

  // History and undo

  async #history(profile: string) {
    const { settings, queue } = this.#parts
    if ((await readProfile(settings.home, profile)) === null) return unknownProfile(profile)
    // Recovery may add an interrupted job.
    await queue.recovered()
    return answer(await readHistory(await this.#realDirectory(profile)))
  }

  /** Returns the path of the log of a job; null when none is kept. */
  readonly logFile = async (profile: string, job: string): Promise<string | null> =>
    logFile(await this.#realDirectory(profile), job)

  async #lastChange(profile: string): Promise<Answer<LastChange | null>> {
    const { settings, queue } = this.#parts
    // Recovery may complete a commit.
    await queue.recovered()
    const directory = profileDirectory(settings.home, profile)
    // The snapshot has the files and node_modules of the profile before the change.
    const snapshot = readProfileState(undoFolder(directory))
    // A change of a newer store, or that a disk does not read now, cannot be undone here.
    const read = readLastChange(directory).catch(stateProblem)
    const [last, now, before] = await Promise.all([read, readProfileState(directory), snapshot])
    if (!last || !now) return answer(null)
    if ('ok' in last) return last
    const packages = before ? packageChanges(now, before) : []
    const { check } = await this.#parts.updates.read(directory)
    // A plugin that is only disabled again is not brought back.
    const brought = packages.filter(({ before, after }) => after?.enabled || before?.version !== after?.version)
    const found = brought.flatMap(({ name, after }) =>
      after ? advisoriesOf(name, after.version, check?.advisories) : [],
    )
    const advisories = [...malwareIn(found), ...found.filter(({ isMalware }) => !isMalware)]
    const changed = await changedSince(directory, last)
    return answer({ job: last.job, endedAt: last.endedAt, changed, packages, advisories })
  }

  async #undo(profile: string, change: string): Promise<Answer<Job>> {
    const last = await this.#lastChange(profile)
    if (!last.ok) return last
    if (malwareIn(last.value?.advisories).length > 0) return refuseMalware(last.value?.advisories)
    const { action, listing = null, more = [] } = last.value?.job ?? {}
    const isRedo = action === 'undo' && last.value?.job.id === change
    return this.#start({ action: isRedo ? 'redo' : 'undo', profile, listing, more, changes: [], undoes: change })
  }

  // Examination

  /**
   * Examines a profile and the programs that it needs. Changes nothing apart from recovery, which runs in any case.
   *
   * @returns findings as data; no finding makes it reject
   */
  readonly doctor = async (options: DoctorOptions): Promise<Diagnosis> => {
    const { settings, queue, fitCheck, states, updates, background } = this.#parts
    const signal = AbortSignal.any([this.#parts.signal, ...(options.signal ? [options.signal] : [])])
    await queue.recovered()
    const version = await fitCheck.version()
    const readStates = (profile: string, state: ProfileState, started: StartedHarness | null) =>
      states.read(profile, state, started && seenIn(started))
    const audit = (directory: string, signal: AbortSignal) => {
      const limit = withTimeout(signal, AUDIT_MS)
      return advisoriesOfProfile({ directory, env: settings.env, signal: limit })
    }
    const diagnosed = diagnose(
      { settings, version, jobs: queue.jobs(), updates, readStates, audit },
      { ...options, signal },
    )
    background.add(diagnosed)
    return diagnosed
  }

  /** Looks up what is known against the packages of a profile. */
  readonly audit = async (profile: string, signal: AbortSignal): Promise<ProfileAdvisories> => {
    const directory = await this.#realDirectory(profile)
    return advisoriesOfProfile({ directory, env: this.#parts.settings.env, signal })
  }

  /** Starts the check of a profile, unless one is running. Pages get its end as an event. */
  #startCheck(profile: string): ProfileCheck {
    const { settings, background } = this.#parts
    const last = this.#checks.get(profile)
    if (last?.checkedAt === null) return last
    const begun = this.#emitCheck({ profile, start: null, findings: [], audit: null, checkedAt: null })
    const checked = this.#check(profile).catch((cause) => {
      this.#emitCheck({ profile, start: 'not-tried', findings: [], audit: null, checkedAt: settings.now() })
      throw cause
    })
    background.add(checked)
    return begun
  }

  async #check(profile: string): Promise<void> {
    const { redactions, now } = this.#parts.settings
    const { start, findings, audit } = await this.doctor({ profile })
    const clean = (text: string) => redact(text, redactions)
    const shown = findings.map((finding) => ({ ...finding, subjects: finding.subjects.map(clean) }))
    this.#emitCheck({ profile, start: start.state, findings: shown, audit, checkedAt: now() })
  }

  #emitCheck(check: ProfileCheck): ProfileCheck {
    this.#checks.set(check.profile, check)
    this.#parts.events.emit({ type: 'profile-check', check })
    return check
  }

  // Repair

  /**
   * Queues a job that makes the harness start from a profile again. Recovers what earlier jobs left, and removes layers
   * whose package is not installed from `dsh.profile.bundles` if a copy of the profile starts without them. Their
   * dependencies stay, so that an install restores them. Everything else stays byte for byte as it is.
   *
   * @returns the job: its outcome is `repaired`, `nothing-to-do`, `profile-broken` or another failure
   */
  readonly repair = ({ profile }: { readonly profile: string }): Promise<Answer<Job>> => this.#startRepair(profile, [])

  async #planRepair(profile: string): Promise<Answer<RepairPlan>> {
    const { settings, states, fitCheck, declarations, signal } = this.#parts
    const directory = profileDirectory(settings.home, profile)
    const state = await readProfileState(directory)
    if (state === null) return unknownProfile(profile)
    const [entries, harnessVersion] = await Promise.all([states.read(profile, state), fitCheck.version()])
    const findUpdate = async (name: string) => {
      if (harnessVersion === null) return null
      const fitting = await fetchFitting(name, { declarations, directory, state, harnessVersion, signal })
      if (fitting === null) return null
      const { version } = fitting
      const registry = new Registry(directory, settings.env)
      const answer = await registry.package(name, { signal: withTimeout(signal, AUDIT_MS) })
      const published = answer.state === 'read' ? publishedVersion(answer.document, version) : null
      const why = await this.#whyLeft({ name, version }, directory, { state, registry })
      return { ...fitting, integrity: published?.dist.integrity ?? null, why }
    }
    return answer(await planRepair({ profile, state, states: entries, findUpdate }))
  }

  /** Returns why only the user decides about an update; null when a repair may make it. */
  async #whyLeft(
    update: { readonly name: string; readonly version: string },
    directory: string,
    { state, registry }: { readonly state: ProfileState; readonly registry: Registry },
  ): Promise<LeftUpdate['why'] | null> {
    const { settings, signal } = this.#parts
    const { env } = settings
    if (holdOf(await readHolds(directory), update.name, update.version) !== null) return 'held'
    const access = { directory, env, signal, registry }
    const [{ found, unknown }, keys] = await Promise.all([
      advisoriesOfPlugin(access, update),
      readAllowedBuilds({ cwd: directory, env, signal }),
    ])
    if (malwareIn(found).length > 0) return 'malware'
    if (unknown.length > 0) return 'unknown'
    if (keys.length === 0) return null
    const { tree, dependencies } = await resolvePlugin(access, update)
    return keysOfChange(keys, await dependencies.namesWithPeers(tree), state.unbuilt).length > 0 ? 'builds' : null
  }

  async #repairAsReviewed(profile: string, digest: string): Promise<Answer<Job>> {
    const planned = await this.#planRepair(profile)
    if (!planned.ok) return planned
    const { steps, digest: current } = planned.value
    if (current !== digest)
      return refuse('plan-changed', 'The profile has changed since this review. Review the repair again.')
    return this.#startRepair(profile, steps)
  }

  #startRepair(profile: string, repairs: RepairPlan['steps']): Promise<Answer<Job>> {
    return this.#start({ action: 'repair', profile, listing: null, more: [], changes: [], repairs })
  }
}
