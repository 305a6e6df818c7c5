import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { isBroken, isTestedHarness, type YesNoUnknown } from '../../protocol/fit.ts'
import type { EntryState, Finding, FindingKind, Job, ProfileAdvisories } from '../../protocol/index.ts'
import { malwareIn } from '../../protocol/review-facts.ts'
import { readPnpmVersion } from '../harness/command-line.ts'
import type { JobSettings } from '../harness/job.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { Output } from '../harness/output.ts'
import { type FoundReliance, relianceOf } from '../harness/reliances.ts'
import { NewerFile } from '../json-file.ts'
import { newerThan, type UpdateStates } from '../plugins/updates.ts'
import { abortKind, findProgram, withTimeout } from '../process/run.ts'
import { listProfiles, profileDirectory, realProfileDirectory } from '../profile/home.ts'
import { type Manifest, manifestOf, readManifest } from '../profile/manifest.ts'
import { declaresLayer, isInstalled, type ProfileState, readProfileState } from '../profile/state.ts'
import { jobsFolder, removeLeftTrials } from '../profile/state-folder.ts'
import { type JobInfo, type Journal, queuedJobIds, readJournal, withLockedProfile } from '../transaction/journal.ts'
import { findHarnessLocks } from '../transaction/recover.ts'
import { Transaction } from '../transaction/transaction.ts'
import { type Boot, isNamed, type StartedHarness } from '../trial/boot.ts'
import { describeRows, findPagePartProblem } from '../trial/judge.ts'
import { inactiveRows, LONG_PAGE_MS, type Row } from '../trial/probe.ts'
import { type TrialContext, TrialHome } from '../trial/trial-home.ts'
import { findCulpritsIn } from './find-culprits.ts'
import { findUnreadableFiles } from './stored-files.ts'

/** The state of a profile and of the programs it needs. Plain data; paths are not redacted. */
export interface Diagnosis {
  readonly home: string
  readonly profile: string
  /** The Node.js that this process runs on. */
  readonly node: { readonly path: string; readonly version: string }
  readonly harness: {
    /** Program and leading arguments that start it. */
    readonly command: readonly string[]
    /** The file that the command starts; null when there is none. */
    readonly path: string | null
    /** Null when the program does not answer as the harness does. */
    readonly version: string | null
    /** True if this version of the store was tested with it. */
    readonly tested: YesNoUnknown
    /** Services that the store relies on, and if the started copy has each; empty without a version. */
    readonly parts: readonly FoundReliance[]
  }
  readonly packageManager: {
    readonly name: 'pnpm'
    /** Null when it is not on the PATH of jobs. */
    readonly path: string | null
    readonly version: string | null
  }
  /**
   * Result of starting the harness from a copy of the profile as it is now, packages included.
   * - `starts`: it came up and stayed up
   * - `does-not-start`: `why` quotes its output
   * - `not-tried`: unknown, as a program is missing, another program is working on the profile, no start was requested,
   *   or the harness did not come up in time
   */
  readonly start: { readonly state: 'starts' | 'does-not-start' | 'not-tried'; readonly why: readonly string[] }
  /** Most severe first; empty when there are no problems. */
  readonly findings: readonly Finding[]
  /** Plugins of the profile and entries that concern the harness, with the state of each; empty without a start. */
  readonly plugins: readonly EntryState[]
  /** Advisories about the packages of the profile; null without a start, and for a profile that cannot be read. */
  readonly audit: ProfileAdvisories | null
}

export interface DoctorOptions {
  readonly profile: string
  /** True to start the harness from a copy, which takes seconds. @default true */
  readonly start?: boolean
  /** Ends the programs that the doctor started; the result contains the findings so far. */
  readonly signal?: AbortSignal
  /** Called with lines that the harness writes while it starts. */
  readonly onLines?: (lines: readonly string[]) => void
}

/** Time limit of `pnpm --version`, ms. */
const VERSION_TIMEOUT_MS = 10_000

interface DoctorParts {
  readonly settings: JobSettings
  /** Version of the harness; null when its program does not answer as the harness does. */
  readonly version: string | null
  /** Jobs that this host knows after recovery. */
  readonly jobs: readonly Job[]
  readonly updates: UpdateStates
  /** Reads what each entry of a profile does in the harness, or in a copy that was started. */
  readonly readStates: (
    profile: string,
    state: ProfileState,
    started: StartedHarness | null,
  ) => Promise<readonly EntryState[]>
  /** Looks up what is known against the packages of a profile. Never rejects. */
  readonly audit: (directory: string, signal: AbortSignal) => Promise<ProfileAdvisories>
}

type AddFinding = (kind: FindingKind, subjects?: readonly string[], more?: Partial<Finding>) => void

/** Examines a profile and the programs that it needs. */
export async function diagnose(
  { settings, version, jobs, updates, readStates, audit }: DoctorParts,
  { profile, start: isStartAsked = true, signal = new AbortController().signal, onLines }: DoctorOptions,
): Promise<Diagnosis> {
  const { home, command, env } = settings
  const directory = await realProfileDirectory(home, profile)
  const findings: Finding[] = []
  const add: AddFinding = (kind, subjects = [], more = {}) =>
    void findings.push({ ...findingOf(kind, subjects), ...more })
  const limited = withTimeout(signal, settings.timeLimitMs)

  const { path, pnpm, missing } = await examinePrograms(settings, version)
  findings.push(...missing)
  const pnpmVersion = await readPnpmVersion({ cwd: tmpdir(), env, signal: withTimeout(signal, VERSION_TIMEOUT_MS) })

  for (const { id, outcome } of jobs.filter((job) => job.profile === profile))
    if (outcome && outcome.kind === 'interrupted' && outcome.rollback !== 'failed') add('job-recovered', [id])
  const manifest = await examineFiles(settings, directory, add)
  const running = await examineQueue({ home, directory, isReadable: manifest !== null }, add)
  const auditing = manifest && isStartAsked ? audit(directory, limited) : null
  const tryStart = async (): Promise<StartAttempt> => {
    if (!isStartAsked || version === null) return NOT_STARTED
    const output = new Output({ redactions: [], onLines: (_, lines) => onLines?.(lines) })
    return startCopy({ settings, output, signal: limited }, { profile, directory }).then(
      (started) => ({ started, why: [] }),
      (error) => ({ started: null, why: [error instanceof Error ? error.message : String(error)] }),
    )
  }
  const attempt = await examineJournal(directory, { running, tryStart: manifest && tryStart }, add)

  const { started } = attempt
  const up = started?.boot.up ? started.boot : null
  const state = await readProfileState(directory)
  const plugins = state === null || !isStartAsked ? [] : await readStates(profile, state, up)
  const start = examineStart(attempt, { settings, signal, limited }, add)
  // Later harnesses start without such a layer: it does not run all the same.
  const notInstalled = started?.unresolved ?? (await findNotInstalled(directory, manifest))
  for (const name of notInstalled) add('layer-not-installed', [name])
  const pageParts = findings.flatMap(({ kind, subjects }) => (kind === 'page-part-broken' ? subjects : []))
  const broken = plugins.filter(
    ({ name, state }) =>
      isBroken(state) &&
      !notInstalled.includes(name) &&
      !(state.kind === 'breaks-page' && pageParts.some((text) => text.startsWith(`${name}/`))),
  )
  for (const { name, state } of broken) {
    const { kind } = state
    const isOff = kind === 'package-missing' && manifest?.layers.includes(name) !== true
    const severity = isHarmless(kind) || isOff ? 'warning' : 'error'
    add('plugin-broken', [name], { severity, repairable: kind === 'breaks-page', state })
  }
  const parts = version === null ? [] : relianceOf(version, started?.isWeb ? (up?.parts ?? null) : null)
  const lacking = parts.filter(({ found }) => found === 'no').map(({ name }) => name)
  if (lacking.length > 0) add('harness-changed', lacking)
  if (up) examineRows(up, { broken, pageParts }, add)
  for (const name of await findNotEnabled(directory)) add('layer-not-enabled', [name])
  const { check } = await updates.read(directory)
  for (const [name, all] of state === null ? [] : newerThan(state, check, settings.now()).news)
    for (const news of all) add('plugin-news', [name], { news })
  const audited = await auditing
  for (const { path, package: name } of audited?.state === 'read' ? malwareIn(audited.found) : [])
    add('malware', [path[0] ?? name, name])

  const order: readonly Finding['severity'][] = ['error', 'warning', 'note']
  return {
    home,
    profile,
    node: { path: process.execPath, version: process.version },
    harness: { command, path, version, tested: isTestedHarness(version), parts },
    packageManager: { name: 'pnpm', path: pnpm, version: pnpmVersion },
    start,
    findings: findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity)),
    plugins,
    audit: audited,
  }
}

/** Examines what jobs left in the home and in a profile. @returns ids of the jobs that wait or run */
async function examineQueue(
  { home, directory, isReadable }: { readonly home: string; readonly directory: string; readonly isReadable: boolean },
  add: AddFinding,
): Promise<Set<string>> {
  const left = await removeLeftTrials(home, (id) => hasJournal(home, id))
  if (left.length > 0) add('trial-removed', left)
  const queued = await queuedJobIds(directory).catch(() => null)
  if (queued === null && isReadable)
    add('state-unreadable', [relative(directory, jobsFolder(directory))], { repairable: false })
  return new Set(queued)
}

/** Attempt to start the harness from a copy of a profile. */
interface StartAttempt {
  /** Null when there was no start. */
  readonly started: CopyStart | null
  /** Reason why the copy could not be started; empty when it was, or no start was tried. */
  readonly why: readonly string[]
}
const NOT_STARTED: StartAttempt = { started: null, why: [] }

/**
 * Examines a job that has not ended, and tries a start if there is none. The start needs the lock of the profile: one that
 * cannot be locked, because its disk is full or read-only, is not started.
 *
 * @param given.tryStart null for a profile that cannot be read
 */
async function examineJournal(
  directory: string,
  { running, tryStart }: { readonly running: Set<string>; readonly tryStart: (() => Promise<StartAttempt>) | null },
  add: AddFinding,
): Promise<StartAttempt> {
  let journal = await lookAtJournal(directory)
  const locked =
    tryStart &&
    withLockedProfile(directory, { wait: false }, async () => {
      journal = await lookAtJournal(directory)
      return journal === null ? tryStart() : NOT_STARTED
    })
  const attempt = (await locked?.catch(() => null)) ?? null
  const isLocked = attempt !== null
  if (journal === 'unreadable') add('journal-unreadable')
  else if (journal === 'newer') add('store-outdated')
  else if (journal !== null && isLocked) add('job-unfinished', [journal.job.id])
  else if (journal !== null) running.add(journal.job.id)
  if (running.size > 0 || (tryStart !== null && !isLocked && journal === null)) add('job-running', [...running])
  return attempt ?? NOT_STARTED
}

/** Examines how a copy started. @returns its start; `not-tried` while that is unknown */
function examineStart(
  { started, why }: StartAttempt,
  given: { readonly settings: JobSettings; readonly signal: AbortSignal; readonly limited: AbortSignal },
  add: AddFinding,
): Diagnosis['start'] {
  const { settings, signal, limited } = given
  if (started === null || signal.aborted) {
    if (!signal.aborted && why.length > 0) add('start-unknown', why)
    return { state: 'not-tried', why }
  }
  const { boot } = started
  const start = startOf(started, { signal: limited, settings })
  const old = boot.up ? null : findOldNode(boot.lines)
  if (old !== null) add('node-too-old', old)
  else if (start.state === 'does-not-start') add('does-not-start', start.why)
  // A repair compares starts, and so finds a plugin that makes the harness hang.
  else if (!boot.up && (boot.hung || limited.aborted))
    add('start-unknown', start.why, { repairable: boot.hung && !limited.aborted })
  return start
}

/** Examines the rows and the page of a harness that started. */
function examineRows(
  up: StartedHarness,
  { broken, pageParts }: { readonly broken: readonly EntryState[]; readonly pageParts: readonly string[] },
  add: AddFinding,
): void {
  // A row of a plugin is told with the plugin.
  const isTold = (row: Row, text: string) =>
    broken.some(({ name, state }) => isNamed(row.name, name) || state.why.some((why) => why.startsWith(text)))
  for (const row of inactiveRows(up.rows)) {
    const [text = ''] = describeRows([row], up.lines)
    if (!isTold(row, text)) add('row-inactive', [text])
  }
  const isPageTold = pageParts.length > 0 || broken.some(({ state }) => state.kind === 'breaks-page')
  if (up.page.loads === 'no' && !isPageTold) add('page-does-not-load', [up.page.text])
}

const findingOf = (kind: FindingKind, subjects: readonly string[]): Finding => ({
  ...{ kind, subjects, severity: SEVERITY[kind] ?? 'error', repairable: REPAIRABLE.includes(kind), state: null },
})

/**
 * Finds the programs that every job needs, without starting one.
 *
 * @param version of the harness; null when its program does not answer as the harness does
 */
export async function examinePrograms(
  { command, env }: Pick<JobSettings, 'command' | 'env'>,
  version: string | null,
): Promise<{ readonly path: string | null; readonly pnpm: string | null; readonly missing: readonly Finding[] }> {
  const [path, pnpm] = await Promise.all([findProgram(command[0] ?? '', env), findProgram('pnpm', env)])
  const missing = [
    ...(path === null ? [findingOf('harness-missing', [command.join(' ')])] : []),
    ...(path !== null && version === null ? [findingOf('not-harness', [path])] : []),
    ...(pnpm === null ? [findingOf('package-manager-missing', ['pnpm'])] : []),
  ]
  return { path, pnpm, missing }
}

/** Returns true if a profile has the journal of this job, or one that cannot be read. */
async function hasJournal(home: string, id: string): Promise<boolean> {
  for (const { name } of await listProfiles(home)) {
    const journal = await lookAtJournal(profileDirectory(home, name))
    if (typeof journal === 'string' || journal?.job.id === id) return true
  }
  return false
}

async function lookAtJournal(directory: string): Promise<Journal | 'unreadable' | 'newer' | null> {
  try {
    return await readJournal(directory)
  } catch (error) {
    return error instanceof NewerFile ? 'newer' : 'unreadable'
  }
}

/** Start of the harness from a copy of a profile. */
interface CopyStart {
  /** Layers whose package is not installed. */
  readonly unresolved: readonly string[]
  readonly boot: Boot
  readonly isWeb: boolean
}

/**
 * Starts the harness once from a copy of a profile as it is, with the same packages. It has a journal, so that a later
 * store ends the harness and deletes the copy if this process is killed.
 *
 * @param place.directory of the profile, which this process has locked
 * @throws when the harness could not be started
 */
export async function startCopy(
  context: Omit<TrialContext, 'job'>,
  { profile, directory }: { readonly profile: string; readonly directory: string },
): Promise<CopyStart> {
  const now = context.settings.now()
  const id = randomUUID()
  const job: JobInfo = { id, action: 'repair', listing: null, more: [], command: null, queuedAt: now, startedAt: now }
  const tx = await Transaction.begin({ ...context, directory, job, onStage: () => {} }, { specs: [], isCheck: true })
  let started: CopyStart | null = null
  let reason: unknown = emptyOutcome('nothing-to-do')
  try {
    const copy = await TrialHome.copy({ ...context, job }, { profile, modules: true })
    try {
      const unresolved = await copy.findUnresolved()
      const boot = await copy.start({ pageMs: LONG_PAGE_MS })
      started = { unresolved, boot: await nameCulprits(copy, boot), isWeb: copy.isWeb }
    } finally {
      await copy.dispose()
    }
  } catch (error) {
    reason = error
  }
  const { kind, subjects } = await tx.rollback(reason)
  if (started === null) throw new Error([kind, ...subjects].join(': '))
  return started
}

/** Finds the plugins that break a page that names none, and names them in its text. */
async function nameCulprits(copy: TrialHome, boot: Boot): Promise<Boot> {
  if (!boot.up || boot.page.loads !== 'no') return boot
  const { layers = [] } = (await readManifest(copy.directory)) ?? {}
  const suspects = layers.filter((name) => !name.startsWith('@deepseek-ai/'))
  if (suspects.some((name) => isNamed(boot.page.text, name))) return boot
  const culprits = await findCulpritsIn(copy, { suspects, off: [], boot })
  // Without one: a second start of all of them did not fail.
  if (culprits === null || culprits.length === 0) return boot
  return { ...boot, page: { ...boot.page, text: `${culprits.join(', ')}: ${boot.page.text}` } }
}

/** Examines the files of a profile. @returns its package.json; null when that cannot be read */
async function examineFiles(
  settings: Pick<JobSettings, 'home' | 'stateDir'>,
  directory: string,
  add: AddFinding,
): Promise<Manifest | null> {
  const manifest = await readManifest(directory)
  if (manifest === null) {
    // An entry that cannot be read is not missing: a folder, or another user's file.
    const text = await readFile(join(directory, 'package.json'), 'utf8').catch(({ code }) =>
      code === 'ENOENT' || code === 'ENOTDIR' ? null : undefined,
    )
    if (text !== null) add('profile-unreadable', [`package.json${text === undefined ? '' : findSyntaxError(text)}`])
    else
      add(
        'profile-missing',
        (await listProfiles(settings.home)).map(({ name }) => name),
      )
  }
  // The findings above name a profile that cannot be read, and its files below too.
  const names = await readdir(directory).catch((): string[] => [])
  const kept = names.filter((name) => /\.unreadable-\d{4}-/.test(name))
  if (kept.length > 0) add('unreadable-kept', kept)
  for (const [kind, files] of await findUnreadableFiles(settings, directory)) add(kind, files)
  // An old one of an ended process was removed by the recovery.
  for (const { name, owner } of await findHarnessLocks(directory).catch(() => []))
    if (name === 'package.json.lock' && owner !== 'running') add('harness-locked', [name])
  const layers = manifest?.layers ?? []
  for (const name of new Set(layers.filter((name, index) => layers.indexOf(name) !== index))) add('layer-twice', [name])
  for (const name of new Set(layers)) {
    const problem = await findPagePartProblem(directory, name)
    if (problem !== null) add('page-part-broken', [problem])
  }
  return manifest
}

/**
 * Describes the start of a copy. One that did not come up proves nothing where it ended early, or where the profile has no
 * web page: such a harness may need a task.
 */
export function startOf(
  { boot, isWeb }: CopyStart,
  { signal, settings }: { readonly signal: AbortSignal; readonly settings: JobSettings },
): Diagnosis['start'] {
  if (boot.up) return { state: 'starts', why: [] }
  if (signal.aborted) {
    const isLate = abortKind(signal) === 'timed-out'
    const why = isLate ? `The check took longer than ${settings.timeLimitMs / 1000} s.` : 'The check was cancelled.'
    return { state: 'not-tried', why: [why] }
  }
  if (!boot.hung) return { state: isWeb ? 'does-not-start' : 'not-tried', why: boot.why }
  const why = `The harness did not come up within ${settings.trial.startLimitMs / 1000} s.`
  return { state: 'not-tried', why: [why, ...boot.why] }
}

/**
 * Returns the dependencies that are layers and not installed. Only the harness knows which other layers it has itself.
 */
async function findNotInstalled(directory: string, manifest: Manifest | null): Promise<string[]> {
  const { layers = [], dependencies = {} } = manifest ?? {}
  const found: string[] = []
  // The harness does not reach either what cannot be read here.
  for (const name of layers)
    if (Object.hasOwn(dependencies, name) && !(await isInstalled(directory, name).catch(() => false))) found.push(name)
  return found
}

/** Returns the installed dependencies of a profile that declare a layer which is not enabled. */
async function findNotEnabled(profile: string): Promise<string[]> {
  const { layers = [], dependencies = {} } = (await readManifest(profile)) ?? {}
  const found: string[] = []
  for (const name of Object.keys(dependencies))
    if (!layers.includes(name) && (await declaresLayer(profile, name))) found.push(name)
  return found
}

/** The plugin runs, or the harness may. */
const isHarmless = (kind: EntryState['state']['kind']): boolean => kind === 'shadows-harness' || kind === 'pins-harness'

/** Returns the error of a text that is not JSON, with its place, or that it is not the package.json of a profile. */
function findSyntaxError(text: string): string {
  try {
    manifestOf(text)
    return ''
  } catch (error) {
    return `: ${(error as Error).message}`
  }
}

/**
 * Finds in the output of a harness that did not start that Node.js lacks what the harness imports of it. Returns the
 * version of Node.js if it printed it, and the error.
 */
function findOldNode(lines: readonly string[]): string[] | null {
  const error = lines.find((line) =>
    /'node:[\w/]+' does not provide an export named|ERR_UNKNOWN_BUILTIN_MODULE/.test(line),
  )
  if (error === undefined) return null
  const [, version] = lines.map((line) => /^Node\.js v(\S+)/.exec(line)).find((found) => found !== null) ?? []
  return [version ?? '', error.trim()]
}

/** Findings that are no error. */
const SEVERITY: Readonly<Partial<Record<FindingKind, Finding['severity']>>> = {
  ...{ 'harness-changed': 'warning', 'row-inactive': 'warning', 'plugin-news': 'warning' },
  ...{ 'layer-twice': 'warning', 'harness-locked': 'warning' },
  ...{ 'layer-not-enabled': 'note', 'trial-removed': 'note', 'job-running': 'note', 'job-recovered': 'note' },
  ...{ 'unreadable-kept': 'note', 'cache-unreadable': 'note' },
}
const REPAIRABLE: readonly FindingKind[] = [
  ...(['does-not-start', 'page-part-broken', 'page-does-not-load', 'layer-twice', 'layer-not-installed'] as const),
  ...(['harness-locked', 'job-unfinished', 'journal-unreadable', 'state-unreadable', 'cache-unreadable'] as const),
]
