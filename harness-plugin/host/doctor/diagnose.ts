import { randomUUID } from 'node:crypto'
import { access, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryState, Job } from '../../protocol/index.ts'
import type { JobSettings } from '../harness/job.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { Output } from '../harness/output.ts'
import { readPnpmVersion } from '../process/package-version.ts'
import { findProgram, withTimeout } from '../process/run.ts'
import { listProfiles, profileDirectory, realProfileDirectory } from '../profile/home.ts'
import { type Manifest, readManifest } from '../profile/manifest.ts'
import { declaresLayer, isInstalled, type ProfileState, readProfileState } from '../profile/state.ts'
import {
  type JobInfo,
  type Journal,
  NewerStateFormat,
  queuedJobIds,
  readJournal,
  withLockedProfile,
} from '../transaction/journal.ts'
import { Transaction } from '../transaction/transaction.ts'
import { type Boot, inactiveRows, type Started } from '../trial/boot.ts'
import { removeLeftTrials, type TrialContext, TrialHome } from '../trial/home.ts'
import { describeRows } from '../trial/judge.ts'
import { findPagePartProblem } from '../trial/tree.ts'
import type { Diagnosis, DoctorOptions, Finding, FindingKind } from './diagnosis.ts'
import { findInvalidSettings } from './pnpm-workspace.ts'

/** Time limit of `pnpm --version`, ms. */
const VERSION_TIMEOUT_MS = 10_000

interface DoctorParts {
  readonly settings: JobSettings
  /** Version of the harness; null when its program does not answer as the harness does. */
  readonly version: string | null
  /** Jobs that this host knows after recovery. */
  readonly jobs: readonly Job[]
  /** Reads what each entry of a profile does in the harness, or in a copy that was started. */
  readonly readStates: (profile: string, state: ProfileState, started: Started | null) => Promise<readonly EntryState[]>
}

/** Examines a profile and the programs that it needs. */
export async function diagnose(
  { settings, version, jobs, readStates }: DoctorParts,
  { profile, start: isStartAsked = true, signal = new AbortController().signal, onLines }: DoctorOptions,
): Promise<Diagnosis> {
  const { home, command, env } = settings
  const directory = await realProfileDirectory(home, profile)
  const findings: Finding[] = []
  const add = (kind: FindingKind, subjects: readonly string[] = [], severity = SEVERITY[kind]) =>
    findings.push({ kind, subjects, severity, repairable: REPAIRABLE.includes(kind) })

  // Programs.
  const limited = withTimeout(signal, settings.timeLimitMs)
  const [path, pnpm] = await Promise.all([findProgram(command[0] ?? '', env), findProgram('pnpm', env)])
  const asking = { cwd: tmpdir(), env, signal: withTimeout(signal, VERSION_TIMEOUT_MS) }
  const pnpmVersion = await readPnpmVersion(asking)
  if (path === null) add('harness-missing', [command.join(' ')])
  else if (version === null) add('not-harness', [path])
  if (pnpm === null) add('package-manager-missing', ['pnpm'])

  // The profile, and what jobs left in it.
  const manifest = await readManifest(directory)
  if (manifest === null) {
    const isThere = await access(join(directory, 'package.json')).then(
      () => true,
      () => false,
    )
    if (isThere) add('profile-unreadable', ['package.json'])
    else
      add(
        'profile-missing',
        (await listProfiles(home)).map(({ name }) => name),
      )
  }
  for (const { id, outcome } of jobs.filter((job) => job.profile === profile))
    if (outcome && (outcome.kind === 'interrupted' || outcome.kind === 'not-begun') && outcome.rollback !== 'failed')
      add('job-recovered', [id])
  const names = await readdir(directory).catch((): string[] => [])
  const kept = names.filter((name) => /\.unreadable-\d{4}-/.test(name))
  if (kept.length > 0) add('unreadable-kept', kept)
  const settingsText = await readFile(join(directory, 'pnpm-workspace.yaml'), 'utf8').catch(() => '')
  for (const setting of findInvalidSettings(settingsText)) add('setting-invalid', [setting, 'pnpm-workspace.yaml'])
  const left = await removeLeftTrials(home, (id) => hasJournal(home, id))
  if (left.length > 0) add('trial-removed', left)
  for (const name of manifest?.bundles ?? []) {
    const problem = await findPagePartProblem(directory, name)
    if (problem !== null) add('page-part-broken', [problem])
  }
  const running = new Set(await queuedJobIds(directory))

  // The rest needs exclusive access to the profile.
  let start: Diagnosis['start'] = { state: 'not-tried', why: [] }
  let copy: CopyStart | null = null
  let journal = await lookAtJournal(directory)
  const locked =
    manifest &&
    withLockedProfile(directory, { wait: false }, async () => {
      journal = await lookAtJournal(directory)
      if (journal !== null || !isStartAsked || version === null) return true
      const output = new Output({ redactions: [], onLines: (_, lines) => onLines?.(lines) })
      try {
        copy = await startCopy({ settings, output, signal: limited }, { profile, directory })
      } catch (error) {
        start = { state: 'not-tried', why: [error instanceof Error ? error.message : String(error)] }
      }
      return true
    })
  const isLocked = (await locked?.catch(() => null)) === true
  if (journal === 'unreadable') add('journal-unreadable')
  else if (journal === 'newer') add('store-outdated')
  else if (journal !== null && isLocked) add('job-unfinished', [journal.job.id])
  else if (journal !== null) running.add(journal.job.id)
  if (running.size > 0 || (manifest && !isLocked && journal === null)) add('job-running', [...running])

  // Its layers, and how it started.
  const started = copy as CopyStart | null
  if (started && !signal.aborted) {
    const { boot, isWeb } = started
    if (boot.up) {
      start = { state: 'starts', why: [] }
      for (const row of describeRows(inactiveRows(boot.rows), boot.lines)) add('row-inactive', [row])
      if (boot.page.loads === 'no') add('page-does-not-load', [boot.page.text.replace(/\s+/g, ' ')])
    } else start = { state: isWeb ? 'does-not-start' : 'not-tried', why: boot.why }
    if (start.state === 'does-not-start') add('does-not-start', boot.up ? [] : boot.why)
  }
  // Later harnesses skip such a layer.
  for (const name of started?.unresolved ?? (await findNotInstalled(directory, manifest)))
    add('layer-not-installed', [name], start.state === 'starts' ? 'warning' : 'error')
  for (const name of await findNotEnabled(directory)) add('layer-not-enabled', [name])

  const state = await readProfileState(directory)
  const up = started?.boot.up ? started.boot : null
  const plugins = state === null || !isStartAsked ? [] : await readStates(profile, state, up)

  const order: readonly Finding['severity'][] = ['error', 'warning', 'note']
  return {
    home,
    profile,
    node: { path: process.execPath, version: process.version },
    harness: { command, path, version },
    packageManager: { name: 'pnpm', path: pnpm, version: pnpmVersion },
    start,
    findings: findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity)),
    plugins,
  }
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
    return error instanceof NewerStateFormat ? 'newer' : 'unreadable'
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
  const tx = await Transaction.begin(
    { ...context, directory, job, onStage: () => {} },
    { specs: [], isRecorded: false },
  )
  let started: CopyStart | null = null
  let reason: unknown = emptyOutcome('nothing-to-do')
  try {
    const copy = await TrialHome.copy({ ...context, job }, { profile, modules: true, copying: tx.signal })
    try {
      started = { unresolved: await copy.findUnresolved(), boot: await copy.start(), isWeb: copy.isWeb }
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

/**
 * Returns the dependencies that are layers and not installed. Only the harness knows which other layers it has itself.
 */
async function findNotInstalled(directory: string, manifest: Manifest | null): Promise<string[]> {
  const { bundles = [], dependencies = {} } = manifest ?? {}
  const found: string[] = []
  for (const name of bundles)
    if (Object.hasOwn(dependencies, name) && !(await isInstalled(directory, name))) found.push(name)
  return found
}

/** Returns the installed dependencies of a profile that declare a layer which is not enabled. */
async function findNotEnabled(profile: string): Promise<string[]> {
  const { bundles = [], dependencies = {} } = (await readManifest(profile)) ?? {}
  const found: string[] = []
  for (const name of Object.keys(dependencies))
    if (!bundles.includes(name) && (await declaresLayer(profile, name))) found.push(name)
  return found
}

const SEVERITY: Readonly<Record<FindingKind, Finding['severity']>> = {
  'harness-missing': 'error',
  'not-harness': 'error',
  'package-manager-missing': 'error',
  'profile-missing': 'error',
  'profile-unreadable': 'error',
  'does-not-start': 'error',
  'row-inactive': 'warning',
  'layer-not-installed': 'error',
  'layer-not-enabled': 'note',
  'page-part-broken': 'error',
  'page-does-not-load': 'error',
  'setting-invalid': 'error',
  'trial-removed': 'note',
  'job-running': 'note',
  'job-unfinished': 'error',
  'job-recovered': 'note',
  'journal-unreadable': 'error',
  'unreadable-kept': 'note',
  'store-outdated': 'error',
}
const REPAIRABLE: readonly FindingKind[] = [
  'does-not-start',
  'layer-not-installed',
  'job-unfinished',
  'journal-unreadable',
]
