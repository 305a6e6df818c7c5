/** Makes a job's changes in a profile: by the harness's command line, or by the plugin manager of a running harness. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import type { Activation, Outcome, OutcomeKind, PackageChange } from '../../protocol/index.ts'
import { type Adds, AddsSchema } from '../../protocol/jobs.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import { type CommandEnd, runChange, sourceText } from '../harness/command-line.ts'
import { type ChangeContext, isToggle, type JobContext } from '../harness/job.ts'
import { changeOutcome, emptyOutcome, OTHER_VERSION, otherVersion } from '../harness/outcome.ts'
import { appliesChanges } from '../harness/reliances.ts'
import { isDesktop, type PluginManager, type RunningHarness } from '../harness/running-harness.ts'
import { abortKind, endManagersProcesses, MANAGER_VARIABLE } from '../process/run.ts'
import { packageDifferences, readLockfilePackages } from '../profile/lockfile.ts'
import { addLayer, changeLayers, orderLayers, removeLayer, restoreForm } from '../profile/manifest.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { packageChanges, updateHistory } from '../transaction/history.ts'
import { findRestarts } from '../transaction/restarts.ts'

interface Applied {
  readonly end: CommandEnd
  readonly output: readonly string[]
  /** Error code of the plugin manager's refusal, or `OTHER_VERSION`; null when it did not refuse or was not used. */
  readonly refusal: string | null
  /** Packages that differ between the profile and the trial's copy. */
  readonly differences: readonly string[]
}

interface Expected {
  readonly before: ProfileState
  /** Packages that the trial's copy had after this change; undefined when there was no trial. */
  readonly tried: ReadonlyMap<string, string> | null | undefined
}

export interface Changed {
  /** Outcomes of the changes so far, in order; the last may be a failure. */
  readonly outcomes: readonly Outcome[]
  /** Packages that differ between the profile and the trial's copy after the last of those changes. */
  readonly differences: readonly string[]
  /** The profile after that; null when it can no longer be read. */
  readonly after: ProfileState | null
}

/**
 * Makes a job's changes in the profile itself, one after the other, until one fails.
 *
 * @param packages packages of the trial's copy after each change; null when there was no trial
 */
export async function applyChanges(
  context: JobContext,
  before: ProfileState,
  packages: readonly (ReadonlyMap<string, string> | null)[] | null,
): Promise<Changed> {
  const outcomes: Outcome[] = []
  let after: ProfileState | null = before
  let differences: readonly string[] = []
  for (const [index, change] of context.request.changes.entries()) {
    if (after === null) break
    const expected: Expected = { before: after, tried: packages?.[index] }
    const one: ChangeContext = { ...context, change }
    const applied = (await applyByManager(one, expected)) ?? (await applyByCommand(one, expected))
    after = await readProfileState(context.directory)
    const lockfile = await readLockfilePackages(context.directory)
    outcomes.push(changeOutcome(change, { ...applied, before: expected.before, after, lockfile }))
    differences = applied.differences
    if (differences.length > 0 || !outcomes.every(({ kind }) => isSuccess(kind))) break
  }
  return { outcomes, differences, after }
}

async function applyByCommand(context: ChangeContext, expected: Expected): Promise<Applied> {
  const { action, package: name } = context.change
  if (isToggle(context.change) && name !== null) {
    // The command line cannot do this. A harness that runs from the profile follows at its next start.
    await (action === 'enable' ? addLayer : removeLayer)(context.directory, name)
    return { end: { kind: 'exited', code: 0 }, output: [], refusal: null, differences: [] }
  }
  const ran = await runChange(context, context.settings.home, context.directory)
  return compare(context, expected, { ...ran, refusal: null })
}

/**
 * Makes a change by the plugin manager of the harness that runs from the profile, so that nothing new runs in that harness
 * before it was compared with the trial.
 *
 * @returns null where there is none, and for changes that the command line must make: approved scripts must not see the
 *   harness's own environment, and the manager has no option for a proxy
 */
async function applyByManager(context: ChangeContext, expected: Expected): Promise<Applied | null> {
  const { change, settings, harness } = context
  const manager = harness?.pluginManager() ?? null
  // The manager would unload the store in the middle of its own update.
  const isOwn = change.package !== null && change.package === settings.ownPackage
  return manager === null || isOwn ? null : new ManagerChange(context, expected, manager).apply()
}

/** The change of one plugin by a plugin manager. */
class ManagerChange {
  readonly #context: ChangeContext
  readonly #expected: Expected
  readonly #manager: PluginManager

  constructor(context: ChangeContext, expected: Expected, manager: PluginManager) {
    this.#context = context
    this.#expected = expected
    this.#manager = manager
  }

  /** Makes the change. @returns null if the command line must make it */
  async apply(): Promise<Applied | null> {
    const { change, settings } = this.#context
    const { action, package: name } = change
    const hasCommand = !isDesktop(settings, change.plan.profile)
    if (name === null) return hasCommand && (change.approval || settings.ownNetwork) ? null : this.#add()
    if (action === 'remove') return this.#remove(name)
    if (action === 'enable' || action === 'disable') return this.#setEnabled(name, action === 'enable')
    if (!hasCommand) return this.#replace(name)
    const isReplaced = action === 'update' || change.version !== undefined
    return isReplaced && this.#expected.before.manifest.layers.includes(name) ? this.#updateByCommand(name) : null
  }

  async #add(): Promise<Applied> {
    const { change, job } = this.#context
    const source = sourceText(change)
    const added = await this.#call(() => this.#manager.installBundle(source, { enabled: false, requestId: job.id }))
    const compared = await compare(this.#context, this.#expected, added)
    return added.bundle !== null && isAsTried(compared) ? this.#enableIfAgreed(added.bundle, compared) : compared
  }

  /** Installs another version where only the manager can: it does that for no package that is installed. */
  async #replace(name: string): Promise<Applied> {
    const removed = await this.#remove(name)
    if (!isAsTried(removed)) return removed
    const added = await this.#add()
    if (isAsTried(added)) await this.#restoreOrder()
    return added
  }

  /** Has the command line install another version while the plugin is off: enabling it loads that version. */
  async #updateByCommand(name: string): Promise<Applied> {
    const disabled = await this.#setEnabled(name, false)
    if (!isAsTried(disabled)) return disabled
    const updated = await applyByCommand(this.#context, this.#expected)
    if (!isAsTried(updated)) return updated
    const enabled = await this.#enableIfAgreed(name, updated)
    await this.#restoreOrder()
    return { ...enabled, output: [...updated.output, ...enabled.output] }
  }

  /** Enables what was installed, unless it is not what the user agreed to: the harness runs what is enabled at once. */
  async #enableIfAgreed(name: string, installed: Applied): Promise<Applied> {
    const { change, directory } = this.#context
    const [after, lockfile] = await Promise.all([readProfileState(directory), readLockfilePackages(directory)])
    const made = { before: this.#expected.before, after, lockfile }
    const isOther = otherVersion({ ...change, spec: change.plan.spec, ...made }) !== null
    return isOther ? { ...installed, refusal: OTHER_VERSION } : this.#setEnabled(name, true)
  }

  #setEnabled(name: string, enabled: boolean): Promise<Applied> {
    return this.#call(() => this.#manager.setBundleEnabled(name, enabled))
  }

  #remove(name: string): Promise<Applied> {
    return this.#call(() => this.#manager.removeBundle(name))
  }

  async #call(run: () => Promise<unknown>): Promise<ManagerRun & Applied> {
    return { ...(await callPluginManager(this.#context, this.#manager, run)), differences: [] }
  }

  /** Puts the layer back that enabling adds at the end. If the profile cannot be read or written, the verification fails later. */
  async #restoreOrder(): Promise<void> {
    await orderLayers(this.#context.directory, this.#expected.before.manifest.layers).catch(() => {})
  }
}

/** Returns true if the change succeeded and installed the same packages as the trial. */
const isAsTried = ({ end, differences }: Applied): boolean => end.code === 0 && differences.length === 0

async function compare<T extends Omit<Applied, 'differences'>>(
  { directory }: JobContext,
  { tried }: Expected,
  applied: T,
): Promise<T & Applied> {
  const isCompared = tried !== undefined && applied.end.kind === 'exited' && applied.end.code === 0
  const differences = isCompared ? packageDifferences(tried, await readLockfilePackages(directory)) : []
  return { ...applied, differences }
}

// A call of the plugin manager

/** Time limit for the manager to cancel an install, in ms. After that its processes are killed. */
const CANCEL_MS = 5000
/**
 * Time limit for it to notice that, and to restore the profile itself, in ms: it must not do so during or after our
 * rollback. After that its result is not awaited, as it may itself wait for the store when the harness unloads the store.
 */
const SETTLE_MS = 5000

const LogSchema = v.object({ requestId: v.string(), stream: v.optional(v.string()), text: v.string() })
const ResultSchema = v.object({
  application: v.string(),
  bundle: v.optional(v.string()),
  packageResult: v.optional(v.object({ output: v.optional(v.string(), '') })),
  error: v.optional(v.object({ code: v.string(), diagnostic: v.optional(v.string(), '') })),
})
type Result = v.InferOutput<typeof ResultSchema>

const DONE: readonly string[] = ['applied', 'restart-required', 'overridden']

interface ManagerRun extends Omit<Applied, 'differences'> {
  /** Package that it reports as installed. */
  readonly bundle: string | null
}

/** Calls the harness's plugin manager as part of a job, with the job's output and signal. Never rejects. */
async function callPluginManager(
  context: JobContext,
  manager: PluginManager,
  run: () => Promise<unknown>,
): Promise<ManagerRun> {
  const { output, signal, job, directory } = context
  const from = output.end()
  let endedBy = signal.aborted ? abortKind(signal) : null
  let kill: NodeJS.Timeout | undefined
  let isOver = false
  const timedOut = Promise.withResolvers<Result>()
  const cancel = () => {
    endedBy = abortKind(signal)
    // It may not know the install any more.
    void tryCall(() => manager.cancelInstall(job.id)).catch(() => {})
    kill = setTimeout(async () => {
      // Other processes that the harness starts meanwhile, such as an agent's shell, inherit the variable too.
      await endManagersProcesses(job.id, directory)
      if (isOver) return
      kill = setTimeout(() => timedOut.resolve(failure('no-answer', 'It did not end.')), SETTLE_MS)
    }, CANCEL_MS)
  }
  signal.addEventListener('abort', cancel)
  let isLogged = false
  const stopLog = manager.onLog((log) => {
    const { success, output: line } = v.safeParse(LogSchema, log)
    if (!success || line.requestId !== job.id) return
    isLogged = true
    output.write(line.stream === 'stderr' ? 'err' : 'out', line.text)
  })
  // Processes that it starts inherit this, so that recovery finds them if this process is killed.
  process.env[MANAGER_VARIABLE] = job.id
  try {
    const result = endedBy ? null : await Promise.race([resultOf(run), timedOut.promise])
    if (result && !isLogged) output.write('out', result.packageResult?.output ?? '')
    output.end()
    const { error } = result ?? {}
    if (error && !(isLogged || result?.packageResult)) output.write('err', `${error.code}: ${error.diagnostic}`)
    output.end()
    const isDone = result !== null && DONE.includes(result.application)
    return {
      end: endedBy ? { kind: endedBy, code: null } : { kind: 'exited', code: isDone ? 0 : 1 },
      output: output.since(from),
      refusal: error?.code ?? null,
      bundle: result?.bundle ?? null,
    }
  } finally {
    delete process.env[MANAGER_VARIABLE]
    stopLog()
    isOver = true
    clearTimeout(kill)
    signal.removeEventListener('abort', cancel)
  }
}

const resultOf = (run: () => Promise<unknown>): Promise<Result> =>
  tryCall(run).then(readResult, (error) => failure('rejected', String(error)))

/** Turns a synchronous error into a rejection. */
const tryCall = async (call: () => unknown): Promise<unknown> => call()

function readResult(result: unknown): Result {
  const read = v.safeParse(ResultSchema, result)
  return read.success ? read.output : failure('unreadable', 'The plugin manager’s answer was not understood.')
}

const failure = (code: string, diagnostic: string): Result => ({ application: 'failed', error: { code, diagnostic } })

// The running harness after a change

/** Time limit for a running harness to apply a change of its profile, in ms; 0.2.1 takes less than 4 s. */
const APPLY_MS = 10_000
/** Time limit for a step of loading plugins again, in ms, also after a cancel: the job may be the last of a closing host. */
const REVERT_MS = 5000
const POLL_MS = 100

/** Follows how a job changes the harness that runs from its profile. Create it before the profile changes. */
export class ActivationWatch {
  readonly #context: JobContext
  /** Instances of the active rows before the job. */
  readonly #before: ReadonlySet<Rows[number]['instance']>
  readonly #offeredBefore: Adds | null
  /** Plugins that the job unloaded. */
  readonly #unloaded: string[] = []

  constructor(context: JobContext) {
    const { harness } = context
    this.#context = context
    this.#before = new Set(harness && instancesOf(activeRows(harness)))
    this.#offeredBefore = harness?.offers() ?? null
  }

  /** Unloads plugins while their files are there, so that open pages forget them too. */
  async unload(names: readonly string[]): Promise<void> {
    for (const name of names) {
      this.#unloaded.push(name)
      await this.#switchPlugin(name, false, this.#context.signal)
    }
  }

  /**
   * Returns the outcome of reviewed changes that were kept, with what the harness made of them.
   *
   * @param ends of each change
   * @param names of their packages
   * @param seen what the trial saw them add; undefined if it saw nothing
   */
  afterCommit(
    outcome: Outcome,
    ends: readonly Outcome[],
    names: readonly (string | null)[],
    seen: Adds | undefined,
  ): Promise<Outcome> {
    return this.#follow(outcome, async () => {
      const end = { ...outcome, activation: await this.#afterChanges(ends, names) }
      return { ...end, ...this.#adds(end, seen) }
    })
  }

  /** Returns the outcome of a profile that became another one, which the harness loads first. */
  afterSwitch(outcome: Outcome, was: ProfileState, is: ProfileState): Promise<Outcome> {
    return this.#follow(outcome, async () => {
      const changes = packageChanges(was, is)
      if (changes.length === 0) return outcome
      const namesOf = (some: typeof changes) => some.map(({ name }) => name)
      await this.#reload(namesOf(changes.filter(({ after }) => after?.enabled)))
      const { activation } = outcome
      const ends = changes.map((change): Outcome => ({ ...emptyOutcome(endOf(change)), activation }))
      return (await this.#runsAlready(changes, is))
        ? { ...outcome, activation: 'unchanged' }
        : { ...outcome, activation: await this.#afterChanges(ends, namesOf(changes)) }
    })
  }

  /** Returns true if a harness that is not seen still runs the versions that an undo brought back. */
  async #runsAlready(changes: readonly PackageChange[], is: ProfileState): Promise<boolean> {
    const { harness, directory } = this.#context
    if (harness !== null || !changes.every(({ before, after }) => before?.enabled && after?.enabled)) return false
    const restarts = await findRestarts(directory, is, null)
    return changes.every(({ name }) => !restarts.has(name))
  }

  /**
   * Returns the outcome of a job that was rolled back, once the harness runs the profile as it was: loads what the job
   * unloaded, and what runs from files that are gone.
   *
   * @param changed plugins of the job, beside those that it unloaded
   */
  afterRollback(outcome: Outcome, changed: readonly (string | null)[] = []): Promise<Outcome> {
    return this.#follow(outcome, async () => {
      const { harness, directory } = this.#context
      const names = [...new Set([...this.#unloaded, ...changed])].filter((name) => name !== null)
      const profile = await readProfileState(directory)
      if (!harness?.isLive || profile === null || names.length === 0) return outcome
      const isLayer = (name: string) => profile.manifest.layers.includes(name)
      const gone = new Set(instancesOf(activeRows(harness)).filter((instance) => !this.#before.has(instance)))
      const isReverted = (name: string) => {
        const instances = instancesOf(rowsOf(harness, name))
        return isLayer(name) === instances.length > 0 && !instances.some((one) => gone.has(one))
      }
      const lost = names.filter((name) => isLayer(name) && !isReverted(name))
      if (outcome.rollback === 'complete' || outcome.rollback === 'partial') await this.#reload(lost)
      const isAll = await this.#waitUntil(() => names.every(isReverted), true)
      return { ...outcome, activation: isAll ? 'unchanged' : 'restart' }
    })
  }

  /**
   * Returns the outcome of a job that has ended in the profile, and keeps it in the history. A harness that cannot be watched
   * runs it once restarted.
   */
  async #follow(outcome: Outcome, look: () => Promise<Outcome>): Promise<Outcome> {
    const { onFault, directory, job, settings } = this.#context
    const end = await look().catch((error): Outcome => {
      onFault?.(error)
      return { ...outcome, activation: 'restart' }
    })
    if (job.startedAt !== null)
      await updateHistory(directory, { id: job.id, startedAt: job.startedAt }, end, settings.redactions)
    return end
  }

  /**
   * Has the harness load a plugin from the files that are there now, or unload it, by its plugin manager. A harness without
   * one does the same by itself later, or at its next start.
   */
  async #switchPlugin(name: string, enabled: boolean, limit: AbortSignal): Promise<void> {
    const { harness, settings } = this.#context
    const manager = harness?.pluginManager() ?? null
    // The manager would unload the store in the middle of its own job.
    if (manager === null || name === settings.ownPackage) return
    await callPluginManager({ ...this.#context, signal: limit }, manager, () => manager.setBundleEnabled(name, enabled))
  }

  /** Has the harness load the version of each plugin that is there now, which it does not by itself, also after a cancel. */
  async #reload(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    const { directory } = this.#context
    const text = await readFile(join(directory, 'package.json'), 'utf8')
    for (const name of names) {
      const limit = AbortSignal.timeout(REVERT_MS)
      await this.#switchPlugin(name, false, limit)
      const isStuck = limit.aborted
      await this.#switchPlugin(name, true, AbortSignal.timeout(REVERT_MS))
      // The others run once it is restarted.
      if (isStuck) break
    }
    // The manager adds the layer at the end unless it failed, and writes the file in its own form, which an undo would take
    // for a change of another program. A profile that cannot be written now stays so.
    const enable = changeLayers(directory, (layers) => [...new Set([...layers, ...names])])
    await enable.then(() => restoreForm(directory, text)).catch(() => {})
  }

  /** Resolves with true once the condition is true, or with false after the time limit. */
  async #waitUntil(condition: (harness: RunningHarness) => boolean, isRollback = false): Promise<boolean> {
    const { harness, signal } = this.#context
    if (!harness?.isLive) return false
    for (const until = performance.now() + (isRollback ? REVERT_MS : APPLY_MS); ; await pause(POLL_MS)) {
      if (condition(harness)) return true
      if ((signal.aborted && !isRollback) || performance.now() >= until) return false
    }
  }

  async #afterChange({ kind, activation, profile }: Outcome, name: string | null): Promise<Activation> {
    const { harness, settings, harnessVersion } = this.#context
    if (activation === 'unchanged' || name === null) return activation
    // The store's own new version cannot run beside the one that watches.
    if (name === settings.ownPackage) return 'restart'
    if (kind === 'updated' && profile?.registered === false) return 'unchanged'
    // 0.2.1 goes on running the version that an update of another process replaced.
    const isReplaced = kind === 'updated' || (kind === 'registered' && profile?.registeredBefore === true)
    if (harness === null) {
      const isApplied = !isReplaced && appliesChanges(await harnessVersion())
      return isApplied ? 'restart-unless-applied' : 'restart'
    }
    if (kind !== 'removed' && kind !== 'disabled') {
      const isNew = (all: unknown[]) => all.length > 0 && all.every((one) => !this.#before.has(one))
      return (await this.#waitUntil((harness) => isNew(instancesOf(rowsOf(harness, name))))) ? 'live' : 'restart'
    }
    if (!(await this.#waitUntil((harness) => rowsOf(harness, name).length === 0))) return 'restart'
    return (await this.#waitUntil((harness) => !harness.pageModules().includes(name))) ? 'live' : 'restart-for-page'
  }

  /** Returns the activation that holds for all changes. */
  async #afterChanges(ends: readonly Outcome[], names: readonly (string | null)[]): Promise<Activation> {
    const each = await Promise.all(ends.map((end, index) => this.#afterChange(end, names[index] ?? null)))
    return LEAST_FIRST.find((activation) => each.includes(activation)) ?? 'unchanged'
  }

  /**
   * Returns what the changed plugins add beyond what the harness had before: as the trial saw it, or else that harness.
   * What an update adds is only known if that harness ran the version before.
   *
   * @param seen in the trial; undefined if it saw nothing
   */
  #adds({ kind, activation }: Outcome, seen: Adds | undefined): { readonly adds?: Adds } {
    const isUpdate = kind === 'updated'
    const now = seen ?? (activation === 'live' ? this.#context.harness?.offers() : undefined)
    if (now === undefined || (isUpdate && this.#offeredBefore === null)) return {}
    const isNew = (kind: 'commands' | 'tools') =>
      now[kind].filter((name) => !this.#offeredBefore?.[kind].includes(name))
    // A running harness does not tell which pages its Settings had.
    const pages = isUpdate ? undefined : seen?.settings
    const names = { commands: isNew('commands'), tools: isNew('tools') }
    const adds = v.parse(AddsSchema, { ...names, ...(pages && { settings: pages }) })
    return Object.values(adds).flat().length > 0 ? { adds } : {}
  }
}

/** Returns the end that a job has which makes the same change. */
function endOf({ before, after }: PackageChange): OutcomeKind {
  if (after === null) return 'removed'
  if (!after.enabled) return 'disabled'
  return before === null ? 'registered' : before.enabled ? 'updated' : 'enabled'
}

const LEAST_FIRST: readonly Activation[] = ['restart', 'restart-for-page', 'restart-unless-applied', 'live']

type Rows = ReturnType<RunningHarness['tree']>['rows']

const activeRows = (harness: RunningHarness): Rows =>
  harness.tree().rows.filter(({ disabled, active }) => active && !disabled)

const instancesOf = (rows: Rows) => rows.map(({ instance }) => instance)

/** Returns the active rows of a plugin. */
const rowsOf = (harness: RunningHarness, plugin: string): Rows =>
  activeRows(harness).filter(
    ({ name }) => name === plugin || name.startsWith(`${plugin}/`) || name.includes(`/node_modules/${plugin}/`),
  )
