import { randomUUID } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { thisProcess } from '@plugmark/shared/file-lock'
import { isProfileName } from '@plugmark/shared/install'
import type { Job, Outcome, StoreEvent } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import type { OnProblem } from '../../protocol/problems.ts'
import { type BlockedBuilds, rememberBlockedBuilds } from '../builds/blocked.ts'
import { renderCommand } from '../harness/command-line.ts'
import { isToggle, type JobContext, type JobRequest, type JobSettings } from '../harness/job.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { Output } from '../harness/output.ts'
import { renderAllowCommand } from '../harness/requirements.ts'
import { harnessAt } from '../harness/running-harness.ts'
import { UnreadableState } from '../json-file.ts'
import { withTimeout } from '../process/run.ts'
import { readNames } from '../profile/files.ts'
import { profileDirectory } from '../profile/home.ts'
import { removeEmptyStateFolder } from '../profile/state-folder.ts'
import type { OrphanedJob } from '../transaction/journal.ts'
import { deleteJobFile, keepJobFileAlive, withLockedProfile, writeJobFile } from '../transaction/journal.ts'
import { recoverProfile, removeHarnessLocks, rollbackInterrupted } from '../transaction/recover.ts'
import { quarantineJob } from '../transaction/rollback.ts'
import { outcomeOfError } from '../transaction/transaction.ts'
import { changePlugins } from './install.ts'
import { repairProfile } from './repair.ts'
import { syncProfile } from './sync.ts'
import { undoLastChange } from './undo.ts'

/** Interval, in ms, of checking again a profile that could not be recovered: another process works on it, or the disk fails. */
const RETRY_RECOVERY_MS = 10_000

/** Runs a job. */
function runJob(context: Omit<JobContext, 'request'>, request: JobRequest): Promise<Outcome> {
  switch (request.action) {
    case 'install':
    case 'approve':
    case 'update':
    case 'remove':
    case 'enable':
    case 'disable':
      return changePlugins({ ...context, request })
    case 'undo':
    case 'redo':
      return undoLastChange({ ...context, request })
    case 'repair':
      return repairProfile({ ...context, request })
    case 'sync':
      return syncProfile({ ...context, request })
  }
}

interface JobQueueParts extends Pick<JobContext, 'runRecords' | 'harnessVersion'> {
  readonly emit: (event: StoreEvent) => void
}

/** Runs jobs, one at a time for each profile, in the order they were requested. */
export class JobQueue {
  readonly #settings: JobSettings
  readonly #store: JobStore
  readonly #onProblem: OnProblem
  readonly #shared: Pick<JobContext, 'runRecords' | 'harnessVersion'>
  /** End of each profile's last job, by profile. */
  readonly #tails = new Map<string, Promise<void>>()
  /** Timers of the next recovery, by profile. */
  readonly #recoveries = new Map<string, NodeJS.Timeout>()
  #recovered: Promise<unknown> = Promise.resolve()
  #isClosing = false

  constructor(settings: JobSettings, onProblem: OnProblem, { emit, ...shared }: JobQueueParts) {
    this.#settings = settings
    this.#onProblem = onProblem
    this.#shared = shared
    this.#store = new JobStore(settings, emit)
  }

  /** Returns the kept jobs with their output, oldest first. */
  jobs(): Job[] {
    return this.#store.jobs()
  }

  job(id: string): Job | null {
    return this.jobs().find((job) => job.id === id) ?? null
  }

  /** Returns the unfinished job of a listing and a profile. */
  unfinished(listing: string, profile: string): Job | null {
    const isOf = (job: Job) => job.listing === listing || job.more.includes(listing)
    return this.jobs().find((job) => isOf(job) && job.profile === profile && job.state !== 'done') ?? null
  }

  /** Returns true if the harness that runs from a profile is this one, and has a plugin manager. */
  async hasManager(profile: string): Promise<boolean> {
    const harness = await harnessAt(profileDirectory(this.#settings.home, profile), this.#settings.running)
    return harness?.pluginManager() != null
  }

  /** Adds a job. Resolves with it once it is on disk, so that a later host can report it. */
  async add(request: JobRequest): Promise<Job> {
    const entry = this.#store.add(request)
    if (this.#isClosing) {
      this.cancel(entry.job.id)
      return entry.job
    }
    const directory = this.#directoryOf(entry)
    const stored = thisProcess().then((owner) => writeJobFile(directory, entry.job, { owner }))
    const saved = stored.then(() => this.#store.change(entry, {}))
    const stopKeepingAlive = keepJobFileAlive(directory, entry.job.id)
    void this.#enqueue(request.profile, () => saved.then(() => this.#run(entry, request)).finally(stopKeepingAlive))
    await saved
    return entry.job
  }

  /** Ends a job and its processes; a queued job never starts. Does nothing for a job that has ended. */
  cancel(id: string): void {
    const entry = this.#store.entry(id)
    if (entry?.job.state === 'queued')
      this.#store.finish(entry, emptyOutcome(this.#isClosing ? 'interrupted' : 'cancelled'))
    else if (entry?.job.state === 'running') this.#store.change(entry, { state: 'cancelling' })
    entry?.cancel.abort()
  }

  /** Cancels unfinished jobs and waits for their end; the next host reports them. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#recoveries.values()) clearTimeout(timer)
    for (const { id } of this.jobs()) this.cancel(id)
    await this.recovered()
    await Promise.all(this.#tails.values())
  }

  /** Recovers every profile from the leftovers of an ended host, and reports its jobs. */
  recover(): Promise<unknown> {
    this.#recovered = this.#recoverAll()
    return this.#recovered
  }

  /** Resolves once every profile was checked, with any result. */
  async recovered(): Promise<void> {
    await Promise.allSettled([this.#recovered])
  }

  async #recoverAll(): Promise<void> {
    const names = (await readNames(join(this.#settings.home, 'profiles'))).filter(isProfileName)
    await Promise.all(names.map((profile) => this.#enqueue(profile, () => this.#recover(profile))))
  }

  async #recover(profile: string): Promise<void> {
    const directory = profileDirectory(this.#settings.home, profile)
    const { jobs, isComplete } = await recoverProfile(this.#settings, directory, (cause) =>
      this.#onProblem('recovery-failed', cause),
    )
    for (const job of jobs) this.#store.restore(profile, job)
    if (!isComplete) this.#recoverLater(profile)
  }

  #recoverLater(profile: string): void {
    if (this.#isClosing || this.#recoveries.has(profile)) return
    const timer = setTimeout(() => {
      this.#recoveries.delete(profile)
      void this.#enqueue(profile, () => this.#recover(profile))
    }, RETRY_RECOVERY_MS).unref()
    this.#recoveries.set(profile, timer)
  }

  /**
   * Deletes the file of a job. Keeps that of a job that this host gave up, because no page of this host may hear of it:
   * the next host reports it.
   */
  async #endJobFile(job: Job, directory: string, { kind, rollback }: Outcome): Promise<void> {
    // A job that could not be rolled back still has its journal.
    if (kind === 'interrupted' && rollback !== 'failed') await writeJobFile(directory, job, { owner: null, rollback })
    // The profile may be gone. A file that stays is reported by the next host.
    else await deleteJobFile(directory, job.id).catch(() => {})
  }

  #directoryOf({ job }: Entry): string {
    return profileDirectory(this.#settings.home, job.profile)
  }

  /** Calls `work` after all earlier work for this profile, however that ended. */
  #enqueue(profile: string, work: () => Promise<void>): Promise<void> {
    const earlier = this.#tails.get(profile) ?? Promise.resolve()
    const done = earlier.then(work).catch((cause) => this.#onProblem('background', cause))
    this.#tails.set(profile, done)
    return done
  }

  async #run(entry: Entry, request: JobRequest): Promise<void> {
    const { signal } = entry.cancel
    const directory = this.#directoryOf(entry)
    const ended = (error: unknown) => outcomeOfError(error, this.#onFault)
    const outcome = signal.aborted ? null : await this.#attempt(entry, request, directory).catch(ended)
    // Before reporting the outcome, so that no file of the store is left in a profile that the job did not change.
    await this.#endJobFile(entry.job, directory, outcome ?? entry.job.outcome ?? emptyOutcome('cancelled'))
    await removeEmptyStateFolder(directory)
    if (outcome !== null) this.#store.finish(entry, outcome)
    if (outcome?.rollback === 'failed') this.#recoverLater(entry.job.profile)
  }

  readonly #onFault = (error: unknown) => this.#onProblem('background', error)

  /** Runs a job. @returns null when it was cancelled before its turn */
  async #attempt(entry: Entry, request: JobRequest, named: string): Promise<Outcome | null> {
    const onBusy = () => this.#store.change(entry, { profileBusy: entry.job.state === 'queued' })
    // A profile may be a link.
    const directory = await realpath(named)
    const { signal } = entry.cancel
    const outcome = await withLockedProfile(directory, { signal, onBusy }, () =>
      this.#runLocked(entry, request, directory),
    )
    return this.#isClosing && outcome?.kind === 'cancelled' ? { ...outcome, kind: 'interrupted' } : outcome
  }

  async #runLocked(entry: Entry, request: JobRequest, directory: string): Promise<Outcome | null> {
    const { now, timeLimitMs } = this.#settings
    const store = this.#store
    const unreadable = await this.#rollbackEarlier(request.profile, directory)
    for (const file of await removeHarnessLocks(directory))
      entry.output.write('out', `Removed ${file}: the harness process that wrote it has ended.\n`)
    // The job was cancelled after it got the lock, and has ended.
    if (entry.cancel.signal.aborted) return null
    store.change(entry, { state: 'running', profileBusy: false, startedAt: now() })
    for (const note of request.notes ?? []) entry.output.write('out', `${note}\n`)
    const blockedBuilds = new Map<string, BlockedBuilds | null>()
    const context: Omit<JobContext, 'request'> = {
      settings: request.byAgent ? { ...this.#settings, client: 'agent' } : this.#settings,
      directory,
      harness: await harnessAt(directory, this.#settings.running),
      job: entry.job,
      output: entry.output,
      signal: withTimeout(entry.cancel.signal, timeLimitMs),
      onStages: (stages) => store.change(entry, { stages }),
      onStage: (stage) => store.change(entry, { stage, again: null }),
      onAgain: (again) => store.change(entry, { again }),
      onFault: this.#onFault,
      blockedBuilds,
      onTrial: (url) => store.change(entry, { trial: url === null ? null : { url } }),
      ...this.#shared,
    }
    const run = async () => {
      if (!(await request.allowsMore?.())) return runJob(context, request)
      entry.output.write('out', 'Build scripts of it were allowed while it waited. Review it again.\n')
      return emptyOutcome('profile-changed')
    }
    const outcome = await run().catch((error) => outcomeOfError(error, this.#onFault))
    for (const change of isSuccess(outcome.kind) ? request.changes : [])
      if (!isToggle(change)) blockedBuilds.set(change.listing, null)
    await rememberBlockedBuilds(directory, blockedBuilds).catch((cause) => this.#onProblem('builds-unsaved', cause))
    return {
      ...outcome,
      allowCommand: allowCommandOf(outcome, request),
      quarantined: [...unreadable, ...outcome.quarantined],
    }
  }

  /** Rolls back an earlier job. @returns the new names of its unreadable leftovers */
  async #rollbackEarlier(profile: string, directory: string): Promise<readonly string[]> {
    try {
      const interrupted = await rollbackInterrupted(this.#settings, directory)
      if (interrupted !== null) this.#store.restore(profile, interrupted)
      return []
    } catch (error) {
      if (error instanceof UnreadableState) return [await quarantineJob(directory)]
      throw error
    }
  }
}

/** Returns the harness's own command that accepts an incompatible version. */
function allowCommandOf({ kind, subjects }: Outcome, { changes }: JobRequest): string | null {
  const [plugin, harness] = subjects
  const [change] = changes
  return kind === 'incompatible' && plugin && harness && change
    ? renderAllowCommand(change.plan, plugin, harness)
    : null
}

/** Most jobs that are kept for pages that are loaded again. */
const KEPT_JOBS = 20

/** State of a job that has ended. */
const OVER = { state: 'done', stage: null, profileBusy: false, trial: null, again: null } as const

interface Entry {
  job: Job
  readonly output: Output
  readonly cancel: AbortController
}

/** Jobs as pages see them. Emits an event whenever one changes. */
class JobStore {
  readonly #settings: JobSettings
  readonly #emit: (event: StoreEvent) => void
  readonly #entries: Entry[] = []

  constructor(settings: JobSettings, emit: (event: StoreEvent) => void) {
    this.#settings = settings
    this.#emit = emit
  }

  /** Returns the kept jobs with their output, oldest first. */
  jobs(): Job[] {
    return this.#entries.map(({ job, output }) => ({ ...job, output: output.lines, dropped: output.dropped }))
  }

  entry(id: string): Entry | undefined {
    return this.#entries.find(({ job }) => job.id === id)
  }

  /** Adds a queued job. Pages receive it with its first change. */
  add(request: JobRequest): Entry {
    const { action, listing, more, profile, changes } = request
    // A sync has reviews, but runs none of their commands.
    const commands = action === 'sync' ? [] : changes.map(renderCommand)
    const id = randomUUID()
    const output = new Output({
      redactions: this.#settings.redactions,
      onLines: (from, lines) => this.#emit({ type: 'output', job: id, from, lines }),
    })
    return this.#keep({
      output,
      cancel: new AbortController(),
      job: {
        id,
        action,
        listing,
        more,
        profile,
        command: commands.length === 0 || commands.includes(null) ? null : commands.join(' && '),
        state: 'queued',
        stages: [],
        stage: null,
        position: this.#ahead(profile),
        profileBusy: false,
        queuedAt: this.#settings.now(),
        startedAt: null,
        endedAt: null,
        trial: null,
        again: null,
        outcome: null,
        output: [],
        dropped: 0,
      },
    })
  }

  /** Adds an ended job that an earlier host left. */
  restore(profile: string, { job, outcome }: OrphanedJob): void {
    const output = new Output({ redactions: [], onLines: () => {} })
    const done = { ...OVER, stages: [], position: 0, endedAt: this.#settings.now(), output: [], dropped: 0 }
    const entry = { job: { ...job, ...done, profile, outcome }, output, cancel: new AbortController() }
    // A job that could not be rolled back is restored again with each attempt.
    const index = this.#entries.findIndex((known) => known.job.id === job.id)
    if (index >= 0 && isDeepStrictEqual(this.#entries[index]?.job.outcome, outcome)) return
    if (index < 0) this.#keep(entry)
    else this.#entries[index] = entry
    this.change(entry, {})
  }

  change(entry: Entry, change: Partial<Job>): void {
    entry.job = { ...entry.job, ...change }
    const { output: _, dropped: __, ...job } = entry.job
    this.#emit({ type: 'job', job })
  }

  finish(entry: Entry, outcome: Outcome): void {
    this.change(entry, { ...OVER, endedAt: this.#settings.now(), outcome })
    for (const waiting of this.#entries) {
      if (waiting.job.state === 'queued' && waiting.job.profile === entry.job.profile)
        this.change(waiting, { position: this.#ahead(waiting.job.profile, waiting) })
    }
  }

  /** Returns the number of unfinished jobs of the profile that were requested earlier. */
  #ahead(profile: string, entry?: Entry): number {
    const end = entry ? this.#entries.indexOf(entry) : this.#entries.length
    return this.#entries.slice(0, end).filter(({ job }) => job.profile === profile && job.state !== 'done').length
  }

  #keep(entry: Entry): Entry {
    this.#entries.push(entry)
    for (let excess = this.#entries.length - KEPT_JOBS; excess > 0; excess--) {
      const oldest = this.#entries.findIndex(({ job }) => job.state === 'done')
      if (oldest < 0) break
      this.#entries.splice(oldest, 1)
    }
    return entry
  }
}
