import { access, constants, copyFile, lstat, mkdir, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { syncToDisk } from '@plugmark/shared/file-lock'
import type { InstallSpec } from '@plugmark/shared/install'
import type { Outcome, OutcomeKind, PackageChange } from '../../protocol/index.ts'
import type { JobContext } from '../harness/job.ts'
import { emptyOutcome, profileOutcome } from '../harness/outcome.ts'
import { NewerFile, UnreadableState } from '../json-file.ts'
import { abortKind, endOrphanedProcesses } from '../process/run.ts'
import {
  byChangeTime,
  byContent,
  changedPaths,
  copyFileIfThere,
  copyTree,
  ignoreMissing,
  markTree,
  treeSize,
} from '../profile/files.ts'
import { changeHolds, type HoldChanges, loadHolds } from '../profile/holds.ts'
import { readManifest } from '../profile/manifest.ts'
import { changedFiles, FILES_OF_OTHERS, PROFILE_FILES, type ProfileState, readProfileState } from '../profile/state.ts'
import { scratchFolder, snapshotFolder, stateFolder, undoFolder } from '../profile/state-folder.ts'
import { isCopied } from '../trial/trial-home.ts'
import { addToHistory, packageChanges } from './history.ts'
import { beginJournal, commit, deleteJobFile, dropUndo, endUnchanged, type Journal, writeJournal } from './journal.ts'
import { marksFile } from './restore-modules.ts'
import { ownFile, rollback } from './rollback.ts'

type TransactionContext = Pick<JobContext, 'directory' | 'signal' | 'output' | 'onStage' | 'onFault'> & {
  readonly job: Parameters<typeof beginJournal>[1]
  readonly settings: Pick<JobContext['settings'], 'client' | 'now' | 'redactions'>
}

interface TransactionOptions {
  /** Plugins that the job changes. */
  readonly specs: readonly InstallSpec[]
  /** Files that the job writes beside those that every job may, or as a whole. @default none */
  readonly files?: readonly string[]
  /** True if the job needs the snapshot of the last change, which may be deleted for space otherwise. @default false */
  readonly needsUndo?: boolean
  /** True for a check, which nobody sees as a job. @default false */
  readonly isCheck?: boolean
  /** True if plugins run in a copy before the snapshot: then the profile must not change meanwhile. @default false */
  readonly isTried?: boolean
}

/** Thrown to end a job with an outcome. */
class JobEnded extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super(outcome.kind)
    this.outcome = outcome
  }
}
const ended = (kind: OutcomeKind): JobEnded => new JobEnded(emptyOutcome(kind))

/**
 * A job that changes a profile: in the end all of its changes are kept, or the profile is as before.
 *
 * ```
 * const tx = await Transaction.begin(context, { specs })
 * try {
 *   // Try the change in a copy; the profile is only read.
 *   await tx.snapshot()
 *   // Change the profile, and read what became of it.
 *   return await tx.commit(outcome, after)
 * } catch (error) {
 *   return await tx.rollback(error)
 * }
 * ```
 *
 * A host that is killed meanwhile leaves the journal, from which the next host restores the profile.
 */
export class Transaction {
  /** The profile when the job began. */
  readonly before: ProfileState
  readonly #context: TransactionContext
  readonly #options: TransactionOptions
  #journal: Journal
  /** Marks of the profile's files before the trial. */
  #marks: unknown = null

  private constructor(
    context: TransactionContext,
    options: TransactionOptions,
    before: ProfileState,
    journal: Journal,
  ) {
    this.before = before
    this.#context = context
    this.#options = options
    this.#journal = journal
  }

  /**
   * Begins the journal of a job in a profile that this process has locked, and checks the free space.
   *
   * @throws when the job cannot begin; see `outcomeOfError`. Then nothing has changed.
   */
  static async begin(context: TransactionContext, options: TransactionOptions): Promise<Transaction> {
    const { directory, job, settings } = context
    if (context.signal.aborted) throw ended(abortKind(context.signal))
    const before = await readProfileState(directory)
    if (before === null) throw ended('profile-missing')
    const { specs, isCheck = false } = options
    const journal = await beginJournal(directory, job, specs, { client: settings.client, isCheck })
    const tx = new Transaction(context, options, before, journal)
    try {
      context.onStage('preparing')
      await deleteJobFile(directory, job.id)
      await ensureFreeSpace(directory, { keepsUndo: options.needsUndo === true, signal: context.signal })
      await ensureWritable(directory)
      if (options.isTried) tx.#marks = await markProfile(directory)
      return tx
    } catch (error) {
      throw new JobEnded(await tx.rollback(error))
    }
  }

  /**
   * Takes the snapshot that a rollback restores. From here on the job may change the profile.
   *
   * @param specs the plugins that the job changes, if they were unknown before
   * @throws when the job must end; pass the error to `rollback`
   */
  async snapshot(specs: readonly InstallSpec[] = this.#options.specs): Promise<void> {
    const { directory, signal } = this.#context
    signal.throwIfAborted()
    const now = await readProfileState(directory)
    // Another program has changed the profile.
    if (now === null || changedFiles(this.before, now).length > 0) throw ended('profile-changed')
    const options = { signal, keepsUndo: this.#options.needsUndo === true, files: this.#options.files ?? [] }
    this.#journal = await takeSnapshot(directory, { ...this.#journal, specs: [...specs] }, options)
  }

  /** Holds plugins, or ends that, after the snapshot. @throws when the holds cannot be read or written */
  async changeHolds(changes: HoldChanges): Promise<void> {
    const { directory } = this.#context
    const { snapshot } = this.#journal
    if (snapshot === null || Object.keys(changes).length === 0) return
    const now = await loadHolds(directory)
    const holds = Object.fromEntries(Object.keys(changes).map((name) => [name, now[name] ?? null]))
    this.#journal = { ...this.#journal, snapshot: { ...snapshot, holds } }
    await writeJournal(directory, this.#journal)
    await changeHolds(directory, changes)
  }

  /**
   * Keeps the profile as it is now. The undo is that of the job before if this one has changed nothing.
   *
   * @param after the profile as it is now
   * @throws when the job was cancelled or cannot be ended; pass the error to `rollback`
   */
  async commit(outcome: Outcome, after: ProfileState): Promise<Outcome> {
    const { directory, signal } = this.#context
    // A change that is complete when its time is over is kept.
    if (signal.aborted && abortKind(signal) === 'cancelled') throw ended('cancelled')
    // Before the journal is deleted: if this process is killed in between, recovery replaces the entry.
    await this.#addToHistory(outcome, packageChanges(this.before, after))
    await (this.#hasChanged(outcome, after) ? commit(directory, this.#journal, after) : endUnchanged(directory))
    return outcome
  }

  #hasChanged({ kind }: Outcome, after: ProfileState): boolean {
    const { snapshot } = this.#journal
    const isHeld = snapshot !== null && Object.keys(snapshot.holds).length > 0
    return isHeld || ONLY_MODULES.includes(kind) || changedFiles(this.before, after).length > 0
  }

  /**
   * Restores the profile, if it may have changed.
   *
   * @param reason the job's outcome, or the error that ended it
   * @returns the outcome, with the result of the rollback
   */
  async rollback(reason: unknown): Promise<Outcome> {
    const { directory } = this.#context
    const outcome = isOutcome(reason) ? reason : await this.#outcomeOf(reason)
    const { rollback: result, quarantined } = (await this.#endProcesses())
      ? await rollback(directory)
      : { rollback: 'failed' as const, quarantined: [] }
    const all = { ...outcome, quarantined: [...outcome.quarantined, ...quarantined] }
    const end =
      this.#journal.snapshot === null && result === 'complete'
        ? await this.#compare(all)
        : { ...all, rollback: result, profile: await this.#readProfile() }
    await this.#addToHistory(end, [])
    return end
  }

  /** Ends processes of a job that changed the profile. @returns false if some may continue to write into it */
  async #endProcesses(): Promise<boolean> {
    const { job, snapshot } = this.#journal
    return snapshot === null || (await endOrphanedProcesses(job.id, this.#context.directory)) === true
  }

  async #outcomeOf(error: unknown): Promise<Outcome> {
    const { signal, directory, output, onFault } = this.#context
    if (signal.aborted && error === signal.reason) return emptyOutcome(abortKind(signal))
    const outcome = outcomeOfError(error, onFault)
    // Something may have run in the profile by now.
    if (this.#journal.snapshot !== null && (outcome.kind === 'failed' || outcome.kind === 'disk-error')) {
      output.write('err', `${error}\n`)
      output.end()
    }
    const isThere = outcome.kind === 'profile-missing' && (await readManifest(directory)) !== null
    return isThere ? emptyOutcome('disk-error', ['ENOENT']) : outcome
  }

  /** Names the files that changed during a trial in the outcome of a job that made no changes itself. */
  async #compare(outcome: Outcome): Promise<Outcome> {
    if (this.#marks === null) return outcome
    const changed = changedPaths(this.#marks, await markProfile(this.#context.directory))
    if (changed.length === 0) return outcome
    const after = await readProfileState(this.#context.directory)
    const profile = profileOutcome({ specs: this.#journal.specs, before: this.before, after })
    return { ...outcome, rollback: 'changed', profile: { ...profile, changed: changed.slice(0, MAX_NAMES) } }
  }

  async #readProfile(): Promise<Outcome['profile']> {
    const after = await readProfileState(this.#context.directory)
    return after && profileOutcome({ specs: this.#journal.specs, before: this.before, after })
  }

  /** Adds the job to the history of the profile. */
  async #addToHistory(outcome: Outcome, changes: readonly PackageChange[]): Promise<void> {
    if (this.#journal.isCheck) return
    const { directory, output, settings } = this.#context
    const { job, client } = this.#journal
    const entry = { ...job, client, changes, endedAt: settings.now(), outcome }
    await addToHistory(directory, entry, { output: output.lines, redactions: settings.redactions })
  }
}

/** Jobs that may change node_modules alone, such as when a folder with other files is installed again. */
const ONLY_MODULES: readonly OutcomeKind[] = ['registered', 'repaired', 'reverted', 'redone']

/** Most changed files that an outcome names. */
const MAX_NAMES = 10

/**
 * Marks the files of a profile, except those that a running harness and other programs write at any time. Beside
 * node_modules, which jobs copy anyway, looks no deeper than into the folders of the profile: they may be huge.
 */
const markProfile = (directory: string): Promise<unknown> =>
  markTree(directory, byContent, (path) => {
    const [top = '', inside, ...deeper] = path.split(sep)
    if (top === 'node_modules') return inside !== '.cache' && inside !== '.vite'
    return isCopied(top) && deeper.length === 0
  })

const isOutcome = (value: unknown): value is Outcome => !(value instanceof Error) && typeof value === 'object'

/** Returns true for an error that only a mistake in the store explains, such as a TypeError. */
const isFault = (error: unknown): boolean =>
  error instanceof Error &&
  // A plain one is of the store's own code, and names what it found in a file.
  error.constructor !== Error &&
  !(error instanceof JobEnded || error instanceof NewerFile || error instanceof UnreadableState) &&
  // Aborts and errors of YAML have a code too, and so do mistakes that Node finds.
  (!('code' in error) || error instanceof TypeError || error instanceof RangeError)

/** Returns the outcome of a job that an error ended. @param onFault called with a fault of the store */
export function outcomeOfError(error: unknown, onFault?: (error: unknown) => void): Outcome {
  if (isFault(error)) onFault?.(error)
  if (error instanceof JobEnded) return error.outcome
  if (error instanceof NewerFile) return emptyOutcome('store-outdated')
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return emptyOutcome('profile-missing')
  const isOfSystem = /^E[A-Z\d]+$/.test(code ?? '')
  return isOfSystem ? emptyOutcome('disk-error', [code!]) : emptyOutcome('failed', [message, 'profile'])
}

// The snapshot.

/**
 * Copies a profile's files and its node_modules. The files alone are not enough: after a blocked build, or without a
 * lockfile, the package manager cannot repair node_modules from them, and keeps the plugin.
 *
 * @param options.signal stops the copying; its reason is thrown
 * @param options.files other files that the job writes
 * @param options.keepsUndo false to delete the snapshot of the last change if there is no space for both
 * @returns the journal with the snapshot; both are synced to the disk
 * @throws when the copy fails; then the profile must not be changed
 */
export async function takeSnapshot(
  profile: string,
  journal: Journal,
  given: { readonly signal: AbortSignal; readonly keepsUndo: boolean; readonly files?: readonly string[] },
): Promise<Journal> {
  const { signal, keepsUndo, files = [] } = given
  const folder = snapshotFolder(profile)
  const modules = join(profile, 'node_modules')
  if (!keepsUndo && (await missingBytes(profile, signal)) > 0) await dropUndo(profile)
  await mkdir(folder)
  for (const file of PROFILE_FILES) await copyFileIfThere(join(profile, file), join(folder, file))
  for (const [index, file] of files.entries()) await copyFileIfThere(join(profile, file), ownFile(folder, index))
  const found = await lstat(modules).catch(ignoreMissing)
  // A rename could not restore the target of a link.
  if (found && !found.isDirectory()) throw new Error('node_modules is not a directory of its own')
  if (found) {
    const marks = await markTree(modules, byChangeTime)
    // Until the clock advances, a change could leave a ctime as it is. Another file system may have another clock.
    const isMarked = found.dev === (await stat(folder)).dev && (await waitForClock(profile))
    if (isMarked) await writeFile(marksFile(folder), JSON.stringify(marks))
    await copyTree(modules, join(folder, 'node_modules'), { signal, skips: 'vanished' })
  }
  const names = found ? await readdir(join(folder, 'node_modules')) : null
  await syncToDisk(stateFolder(profile))
  const taken: Journal = { ...journal, snapshot: { modules: names, files: [...files], holds: {} } }
  await writeJournal(profile, taken)
  return taken
}

const CLOCK_TIMEOUT_MS = 2000

/**
 * Waits until the file system's clock has advanced, which it does every 1 to 10 ms, so that every later change has a
 * later ctime.
 *
 * @returns false if the clock stands still
 */
async function waitForClock(profile: string): Promise<boolean> {
  await mkdir(scratchFolder(profile), { recursive: true })
  const file = join(scratchFolder(profile), 'clock')
  const touch = async () => {
    await writeFile(file, '')
    return (await stat(file)).ctimeMs
  }
  const before = await touch()
  for (const until = performance.now() + CLOCK_TIMEOUT_MS; performance.now() < until; )
    if ((await touch()) !== before) return true
  return false
}

/** Free space above which node_modules is not measured, in bytes: measuring 10,000 files takes a tenth of a second. */
const AMPLE_BYTES = 4_000_000_000
/** Space for the plugin itself and its dependencies, in bytes. */
const MARGIN_BYTES = 50_000_000

/**
 * Checks that there is space for another copy of node_modules, which trial and snapshot need. Counts the snapshot of the
 * last change as space, but leaves it: the trial may refuse the change.
 *
 * @param keepsUndo true if the job needs that snapshot
 * @throws an error with the code ENOSPC
 */
async function ensureFreeSpace(
  profile: string,
  { keepsUndo, signal }: { readonly keepsUndo: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const missing = await missingBytes(profile, signal)
  if (missing <= 0) return
  if (!keepsUndo && (await treeSize(undoFolder(profile), { signal })) >= missing) return
  throw Object.assign(new Error('There is no space for a copy of node_modules.'), { code: 'ENOSPC' })
}

/**
 * Checks that the files that a job writes can be written, so that it does not fail after a long trial.
 *
 * @throws JobEnded that names the first that cannot
 */
async function ensureWritable(profile: string): Promise<void> {
  const files = PROFILE_FILES.filter((file) => !FILES_OF_OTHERS.includes(file))
  for (const name of ['', ...files, 'node_modules', join('node_modules', '.modules.yaml')]) {
    const path = join(profile, name)
    await access(path, constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => {
      // A missing file is created.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new JobEnded(emptyOutcome('disk-error', [code ?? '', path]))
    })
  }
}

/** Returns the bytes that are missing for another copy of node_modules; 0 or less if there is enough space. */
async function missingBytes(profile: string, signal: AbortSignal): Promise<number> {
  if ((await freeBytes(profile)) >= AMPLE_BYTES) return 0
  const needed = (await treeSize(join(profile, 'node_modules'), { signal })) + MARGIN_BYTES
  const missing = needed - (await freeBytes(profile))
  return missing > 0 && (await canClone(profile)) ? 0 : missing
}

async function freeBytes(profile: string): Promise<number> {
  const { bavail, bsize } = await statfs(stateFolder(profile))
  return bavail * bsize
}

/** Returns true if the file system clones files, so that a copy takes no space. */
async function canClone(profile: string): Promise<boolean> {
  const clone = join(scratchFolder(profile), 'clone')
  try {
    await mkdir(scratchFolder(profile), { recursive: true })
    await copyFile(join(profile, 'package.json'), clone, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    // The system has no clones, or no space even for this one.
    return false
  } finally {
    await rm(clone, { force: true })
  }
}
