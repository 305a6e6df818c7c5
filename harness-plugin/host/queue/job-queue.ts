import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { thisProcess } from '@plugmark/shared/file-lock'
import { isProfileName } from '@plugmark/shared/install'
import type { Job, Outcome, StoreEvent } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import type { OnProblem } from '../../protocol/problems.ts'
import type { Blocked } from '../builds/allow.ts'
import { readBlockedBuilds, rememberBlockedBuilds } from '../builds/blocked-builds.ts'
import { repairProfile } from '../doctor/repair-profile.ts'
import { renderAllowCommand } from '../harness/requirements.ts'
import { harnessAt } from '../harness/running-harness.ts'
import { runJob } from '../install/run-job.ts'
import { undoLastChange } from '../install/undo-last-change.ts'
import type { JobContext, JobSettings } from '../job/job-context.ts'
import { emptyOutcome } from '../job/read-outcome.ts'
import { isToggle, type JobRequest } from '../job/request.ts'
import { profileDirectory } from '../profile/home.ts'
import { removeEmptyStateFolder } from '../profile/state-folder.ts'
import { deleteJobFile, keepJobFileAlive, writeJobFile } from '../transaction/job-files.ts'
import { withLockedProfile } from '../transaction/profile-lock.ts'
import { recoverProfile, rollbackInterrupted } from '../transaction/recover.ts'
import { quarantineJob } from '../transaction/rollback.ts'
import { UnreadableState } from '../transaction/state-file.ts'
import { outcomeOfError } from '../transaction/transaction.ts'
import { type Entry, JobStore } from './job-store.ts'

/** Interval of checking again a profile that another process may be working on, ms. */
const RETRY_RECOVERY_MS = 10_000

/** Functions that run a job, by its action. */
const RUN: Readonly<Record<JobRequest['action'], (context: JobContext) => Promise<Outcome>>> = {
  install: runJob,
  approve: runJob,
  update: runJob,
  remove: runJob,
  enable: runJob,
  disable: runJob,
  undo: undoLastChange,
  repair: repairProfile,
}

/** Runs jobs, one at a time for each profile, in the order they were requested. */
export class JobQueue {
  readonly #settings: JobSettings
  readonly #store: JobStore
  readonly #onProblem: OnProblem
  /** End of each profile's last job, by profile. */
  readonly #tails = new Map<string, Promise<void>>()
  readonly #recoveries = new Set<NodeJS.Timeout>()
  #recovered: Promise<unknown> = Promise.resolve()
  #isClosing = false

  constructor(settings: JobSettings, onProblem: OnProblem, emit: (event: StoreEvent) => void) {
    this.#settings = settings
    this.#onProblem = onProblem
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

  /**
   * Reads the builds that must be allowed before a listing can be installed into a profile; null when none are known.
   */
  blocked(listing: string, profile: string): Promise<Blocked | null> {
    return readBlockedBuilds(profileDirectory(this.#settings.home, profile), listing)
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
    const saved = this.#save(entry).then(() => this.#store.change(entry, {}))
    const stopKeepingAlive = keepJobFileAlive(this.#directoryOf(entry), entry.job.id)
    void this.#enqueue(request.profile, () => saved.then(() => this.#run(entry, request)).finally(stopKeepingAlive))
    await saved
    return entry.job
  }

  /** Ends a job and its processes; a queued job never starts. Does nothing for a job that has ended. */
  cancel(id: string): void {
    const entry = this.#store.entry(id)
    if (entry?.job.state === 'queued')
      this.#store.finish(entry, emptyOutcome(this.#isClosing ? 'not-begun' : 'cancelled'))
    else if (entry?.job.state === 'running') this.#store.change(entry, { state: 'cancelling' })
    entry?.cancel.abort()
  }

  /** Cancels unfinished jobs and waits for their end; the next host reports them. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#recoveries) clearTimeout(timer)
    for (const { id } of this.jobs()) this.cancel(id)
    await this.#recovered
    await Promise.all(this.#tails.values())
  }

  /** Recovers every profile from the leftovers of an ended host, and reports its jobs. */
  recover(): Promise<unknown> {
    this.#recovered = this.#recoverAll()
    return this.#recovered
  }

  /** Resolves once every profile was checked, with any result. */
  async recovered(): Promise<void> {
    await this.#recovered
  }

  async #recoverAll(): Promise<void> {
    const names = (await readdir(join(this.#settings.home, 'profiles')).catch((): string[] => [])).filter(isProfileName)
    await Promise.all(names.map((profile) => this.#enqueue(profile, () => this.#recover(profile))))
  }

  async #recover(profile: string): Promise<void> {
    const { home } = this.#settings
    const { jobs, isComplete } = await recoverProfile(home, profileDirectory(home, profile))
    for (const job of jobs) this.#store.restore(profile, job)
    if (isComplete || this.#isClosing) return
    const timer = setTimeout(() => {
      this.#recoveries.delete(timer)
      void this.#enqueue(profile, () => this.#recover(profile))
    }, RETRY_RECOVERY_MS).unref()
    this.#recoveries.add(timer)
  }

  async #save(entry: Entry): Promise<void> {
    await writeJobFile(this.#directoryOf(entry), entry.job, { owner: await thisProcess() })
  }

  /**
   * Deletes the file of a job. Keeps that of a job that this host gave up, because no page of this host may hear of it:
   * the next host reports it.
   */
  async #endJobFile(job: Job, directory: string, { kind, rollback }: Outcome): Promise<void> {
    // A job that could not be rolled back still has its journal.
    if ((kind === 'not-begun' || kind === 'interrupted') && rollback !== 'failed')
      await writeJobFile(directory, job, { owner: null, rollback })
    else await deleteJobFile(directory, job.id).catch(() => {})
  }

  #directoryOf({ job }: Entry): string {
    return profileDirectory(this.#settings.home, job.profile)
  }

  /** Calls `work` after all earlier work for this profile. */
  #enqueue(profile: string, work: () => Promise<void>): Promise<void> {
    const done = (this.#tails.get(profile) ?? Promise.resolve()).then(work)
    this.#tails.set(profile, done)
    return done
  }

  async #run(entry: Entry, request: JobRequest): Promise<void> {
    const { signal } = entry.cancel
    const directory = this.#directoryOf(entry)
    const outcome = signal.aborted ? null : await this.#attempt(entry, request, directory).catch(outcomeOfError)
    // Before reporting the outcome, so that no file of the store is left in a profile that the job did not change.
    await this.#endJobFile(entry.job, directory, outcome ?? entry.job.outcome ?? emptyOutcome('cancelled'))
    await removeEmptyStateFolder(directory)
    if (outcome !== null) this.#store.finish(entry, outcome)
  }

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
    // The job was cancelled after it got the lock, and has ended.
    if (entry.cancel.signal.aborted) return null
    store.change(entry, { state: 'running', profileBusy: false, startedAt: now() })
    const blockedBuilds = new Map<string, Blocked | null>()
    const outcome = await RUN[request.action]({
      settings: request.byAgent ? { ...this.#settings, client: 'agent' } : this.#settings,
      directory,
      harness: await harnessAt(directory, this.#settings.running),
      job: entry.job,
      request,
      output: entry.output,
      signal: entry.cancel.signal,
      deadline: performance.now() + timeLimitMs,
      onStage: (stage) => store.change(entry, { stage }),
      onBlocked: ({ listing }, blocked) => void blockedBuilds.set(listing, blocked),
      onTrial: (url) => store.change(entry, { trial: url === null ? null : { url } }),
    }).catch(outcomeOfError)
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
      const interrupted = await rollbackInterrupted(this.#settings.home, directory)
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
