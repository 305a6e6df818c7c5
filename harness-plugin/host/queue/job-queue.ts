import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isProfileName } from '@plugmark/shared/install'
import type { Job, Outcome, StoreEvent } from '../../bridge/index.ts'
import type { Blocked } from '../builds/allow.ts'
import type { RememberedBuilds } from '../builds/remembered.ts'
import { allowCommand } from '../harness/allow-command.ts'
import type { RunningHarness } from '../harness/running-harness.ts'
import { notPrepared, runJob } from '../install/job.ts'
import type { JobSettings } from '../job/context.ts'
import { isDone, notStarted } from '../job/outcome.ts'
import { isSwitch, type Order } from '../job/request.ts'
import { thisProcess } from '../process/owner.ts'
import { profileDirectory } from '../profile/home.ts'
import { lockProfile } from '../profile/profile-lock.ts'
import { setAside, Unreadable, WORK_DIRECTORY } from '../snapshot/journal.ts'
import { undoInterrupted } from './interrupted.ts'
import { type Entry, JobBoard } from './job-store.ts'
import { forgetJob, keepNoteAlive, noteJob } from './orphaned-jobs.ts'
import { recoverProfile } from './recovery.ts'

/** How often it is looked again for what another process may have left, ms. */
const RECOVER_AGAIN_MS = 10_000

/** Jobs, one at a time for each profile and in the order they were asked for. */
export class JobQueue {
  readonly #settings: JobSettings
  readonly #board: JobBoard
  readonly #builds: RememberedBuilds
  /** The end of each profile's last job. */
  readonly #tails = new Map<string, Promise<void>>()
  readonly #recoveries = new Set<NodeJS.Timeout>()
  #isClosing = false

  constructor(settings: JobSettings, builds: RememberedBuilds, emit: (event: StoreEvent) => void) {
    this.#settings = settings
    this.#builds = builds
    this.#board = new JobBoard(settings, emit)
  }

  /** Every job that is kept, oldest first, with its output. */
  jobs(): Job[] {
    return this.#board.jobs()
  }

  job(id: string): Job | null {
    return this.jobs().find((job) => job.id === id) ?? null
  }

  /** The unfinished job of a listing and a profile. */
  unfinished(listing: string, profile: string): Job | null {
    return this.jobs().find((job) => job.listing === listing && job.profile === profile && job.state !== 'done') ?? null
  }

  /** What must be allowed before a listing can be installed into a profile; null when nothing is known to be. */
  blocked(listing: string, profile: string): Blocked | null {
    return this.#builds.get({ home: this.#settings.home, listing, profile })
  }

  /** Whether the harness that runs from a profile is this one, and has a plugin manager. */
  async hasManager(profile: string): Promise<boolean> {
    const harness = await this.#harnessAt(profileDirectory(this.#settings.home, profile))
    return harness?.pluginManager() != null
  }

  /** @returns the job, once what becomes of it is told even by another host */
  async add(order: Order): Promise<Job> {
    const entry = this.#board.put(order)
    const told = this.#note(entry).then(() => this.#board.change(entry, {}))
    const stopBeat = keepNoteAlive(this.#directoryOf(entry), entry.job.id)
    void this.#next(order.plan.profile, () => told.then(() => this.#run(entry, order)).finally(stopBeat))
    await told
    return entry.job
  }

  /** Ends a job and all it started; a queued one never starts. Does nothing to one that has ended. */
  cancel(id: string): void {
    const entry = this.#board.entry(id)
    if (entry?.job.state === 'queued')
      this.#board.finish(entry, notStarted(this.#isClosing ? 'not-begun' : 'cancelled'))
    else if (entry?.job.state === 'running') this.#board.change(entry, { state: 'cancelling' })
    entry?.cancel.abort()
  }

  /** Cancels what is unfinished and waits for its end; the next host tells of it. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#recoveries) clearTimeout(timer)
    for (const { id } of this.jobs()) this.cancel(id)
    await Promise.all(this.#tails.values())
    await this.#builds.saved()
  }

  /** Undoes what an ended host left unfinished, and tells of it and of what never began. */
  async recover(): Promise<void> {
    const names = (await readdir(join(this.#settings.home, 'profiles')).catch((): string[] => [])).filter(isProfileName)
    await Promise.all(names.map((profile) => this.#next(profile, () => this.#recover(profile))))
  }

  async #recover(profile: string): Promise<void> {
    const { home } = this.#settings
    const { left, isOver } = await recoverProfile(home, profileDirectory(home, profile))
    for (const job of left) this.#board.tell(profile, job)
    if (isOver || this.#isClosing) return
    const timer = setTimeout(() => {
      this.#recoveries.delete(timer)
      void this.#next(profile, () => this.#recover(profile))
    }, RECOVER_AGAIN_MS).unref()
    this.#recoveries.add(timer)
  }

  async #note(entry: Entry): Promise<void> {
    await noteJob(this.#directoryOf(entry), entry.job, { owner: await thisProcess() })
  }

  /** A page that hears no more from this host is told by the next one how a job ended that this one gave up. */
  async #endNote(job: Job, directory: string, { kind, undo }: Outcome): Promise<void> {
    // What could not be undone is in the journal.
    if ((kind === 'not-begun' || kind === 'interrupted') && undo !== 'failed')
      await noteJob(directory, job, { owner: null, undo })
    else await forgetJob(directory, job.id).catch(() => {})
  }

  async #harnessAt(directory: string): Promise<RunningHarness | null> {
    const { running } = this.#settings
    const paths = [directory, running?.profile].map((path) => path && realpath(path).catch(() => null))
    const [one, other] = await Promise.all(paths)
    return one && one === other ? running : null
  }

  #directoryOf({ job }: Entry): string {
    return profileDirectory(this.#settings.home, job.profile)
  }

  /** Does `work` after all else that was asked for this profile. */
  #next(profile: string, work: () => Promise<void>): Promise<void> {
    const done = (this.#tails.get(profile) ?? Promise.resolve()).then(work)
    this.#tails.set(profile, done)
    return done
  }

  async #run(entry: Entry, order: Order): Promise<void> {
    const { signal } = entry.cancel
    const directory = this.#directoryOf(entry)
    const outcome = signal.aborted ? null : await this.#attempt(entry, order, directory).catch(notPrepared)
    // Who is told that a profile is as it was finds nothing of ours in it.
    await this.#endNote(entry.job, directory, outcome ?? entry.job.outcome ?? notStarted('cancelled'))
    if (outcome !== null) this.#board.finish(entry, outcome)
  }

  /** Null when it was cancelled before its turn came. */
  async #attempt(entry: Entry, order: Order, directory: string): Promise<Outcome | null> {
    const onBusy = () => this.#board.change(entry, { profileBusy: entry.job.state === 'queued' })
    const lock = await lockProfile(directory, { signal: entry.cancel.signal, onBusy })
    if (lock === null) return null
    const outcome = await this.#carryOut(entry, order, directory).finally(() => lock.release())
    return this.#isClosing && outcome.kind === 'cancelled' ? { ...outcome, kind: 'interrupted' } : outcome
  }

  async #carryOut(entry: Entry, order: Order, directory: string): Promise<Outcome> {
    const { home, now, timeLimitMs } = this.#settings
    const board = this.#board
    const install = { home, listing: order.listing, profile: order.plan.profile }
    const unreadable = await this.#undoEarlier(install.profile, directory)
    board.change(entry, { state: 'running', profileBusy: false, startedAt: now() })
    const outcome = await runJob({
      settings: this.#settings,
      directory,
      harness: await this.#harnessAt(directory),
      job: entry.job,
      order,
      output: entry.output,
      signal: entry.cancel.signal,
      until: performance.now() + timeLimitMs,
      onStage: (stage) => board.change(entry, { stage }),
      onBlocked: (blocked) => this.#builds.set(install, blocked),
      onTrial: (url) => board.change(entry, { trial: url === null ? null : { url } }),
    }).catch(notPrepared)
    if (isDone(outcome.kind) && !isSwitch(order)) this.#builds.delete(install)
    const [plugin, harness] = outcome.subjects
    const allow =
      outcome.kind === 'incompatible' && plugin && harness ? allowCommand(order.plan, plugin, harness) : outcome.allow
    return { ...outcome, allow, setAside: [...unreadable, ...outcome.setAside] }
  }

  /** @returns the new name in the profile of what an earlier job left and cannot be read */
  async #undoEarlier(profile: string, directory: string): Promise<readonly string[]> {
    try {
      const interrupted = await undoInterrupted(this.#settings.home, directory)
      if (interrupted !== null) this.#board.tell(profile, interrupted)
      return []
    } catch (error) {
      if (error instanceof Unreadable) return [await setAside(directory, WORK_DIRECTORY)]
      throw error
    }
  }
}
