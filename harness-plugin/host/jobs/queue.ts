import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isProfileName } from '@plugmark/shared/install'
import type { Job, Outcome, StoreEvent } from '../../bridge/index.ts'
import type { Approval } from '../builds/allow.ts'
import type { RememberedBuilds } from '../builds/remembered.ts'
import { profileDirectory } from '../profiles/home.ts'
import { JOB_STAGES } from '../transaction/journal.ts'
import { lockProfile } from '../transaction/lock.ts'
import { thisProcess } from '../transaction/owner.ts'
import { undoInterrupted } from './interrupted.ts'
import { forgetJob, type LeftJob, noteJob } from './left.ts'
import { type Order, renderOrder } from './order.ts'
import { notStarted } from './outcome.ts'
import { Output } from './output.ts'
import { recoverProfile } from './recover.ts'
import { notPrepared, runJob } from './run.ts'
import type { JobSettings } from './running.ts'

/** Ended jobs that are kept for a page that is loaded again. */
const KEPT_JOBS = 20
const WITHOUT_TRIAL = JOB_STAGES.filter((stage) => stage !== 'trying' && stage !== 'starting')

interface Entry {
  job: Job
  readonly output: Output
  readonly cancel: AbortController
}

/** Jobs, one at a time for each profile and in the order they were asked for. */
export class JobQueue {
  readonly #settings: JobSettings
  readonly #emit: (event: StoreEvent) => void
  readonly #entries: Entry[] = []
  readonly #builds: RememberedBuilds
  /** The end of each profile's last job. */
  readonly #tails = new Map<string, Promise<void>>()
  #isClosing = false

  constructor(settings: JobSettings, builds: RememberedBuilds, emit: (event: StoreEvent) => void) {
    this.#settings = settings
    this.#builds = builds
    this.#emit = emit
  }

  /** Every job that is kept, oldest first, with its output. */
  jobs(): Job[] {
    return this.#entries.map(({ job, output }) => ({ ...job, output: output.lines, dropped: output.dropped }))
  }

  job(id: string): Job | null {
    return this.jobs().find((job) => job.id === id) ?? null
  }

  /** The unfinished job of a listing and a profile. */
  unfinished(listing: string, profile: string): Job | null {
    return this.jobs().find((job) => job.listing === listing && job.profile === profile && job.state !== 'done') ?? null
  }

  /** What must be allowed before a listing can be installed into a profile; null when nothing is known to be. */
  blocked(listing: string, profile: string): Approval | null {
    return this.#builds.get({ home: this.#settings.home, listing, profile })
  }

  /** @returns the job, once what becomes of it is told even by another host */
  async add(order: Order): Promise<Job> {
    const { action, listing, plan } = order
    const { profile } = plan
    const command = renderOrder(order)
    const id = randomUUID()
    const output = new Output({
      masks: this.#settings.masks,
      onLines: (from, lines) => this.#emit({ type: 'output', job: id, from, lines }),
    })
    const entry: Entry = {
      output,
      cancel: new AbortController(),
      job: {
        id,
        action,
        listing,
        profile,
        command,
        state: 'queued',
        stages: this.#settings.trial ? JOB_STAGES : WITHOUT_TRIAL,
        stage: null,
        position: this.#ahead(profile),
        profileBusy: false,
        queuedAt: this.#settings.now(),
        startedAt: null,
        endedAt: null,
        trial: null,
        outcome: null,
        output: [],
        dropped: 0,
      },
    }
    this.#entries.push(entry)
    this.#forget()
    const told = this.#note(entry).then(() => this.#change(entry, {}))
    void this.#next(profile, () => told.then(() => this.#run(entry, order)))
    await told
    return entry.job
  }

  /** Ends a job and all it started; a queued one never starts. Does nothing to one that has ended. */
  cancel(id: string): void {
    const entry = this.#entries.find(({ job }) => job.id === id)
    if (entry?.job.state === 'queued') this.#finish(entry, notStarted(this.#isClosing ? 'not-begun' : 'cancelled'))
    else if (entry?.job.state === 'running') this.#change(entry, { state: 'cancelling' })
    entry?.cancel.abort()
  }

  /** Cancels what is unfinished and waits for its end; the next host tells of it. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const { job } of this.#entries) this.cancel(job.id)
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
    for (const left of await recoverProfile(home, profileDirectory(home, profile))) this.#tell(profile, left)
  }

  #tell(profile: string, { job, outcome }: LeftJob): void {
    const output = new Output({ masks: [], onLines: () => {} })
    const at = { state: 'done', stages: [], stage: null, position: 0, profileBusy: false, trial: null } as const
    const ended = { ...at, endedAt: this.#settings.now(), output: [], dropped: 0 }
    const entry = { job: { ...job, ...ended, profile, outcome }, output, cancel: new AbortController() }
    // One that could not be undone is told again by each try.
    const told = this.#entries.findIndex((known) => known.job.id === job.id)
    this.#entries.splice(told < 0 ? this.#entries.length : told, 1, entry)
    this.#forget()
    this.#change(entry, {})
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
    if (outcome !== null) this.#finish(entry, outcome)
  }

  /** Null when it was cancelled before its turn came. */
  async #attempt(entry: Entry, order: Order, directory: string): Promise<Outcome | null> {
    const onBusy = () => this.#change(entry, { profileBusy: entry.job.state === 'queued' })
    const lock = await lockProfile(directory, { signal: entry.cancel.signal, onBusy })
    if (lock === null) return null
    const outcome = await this.#carryOut(entry, order, directory).finally(() => lock.release())
    return this.#isClosing && outcome.kind === 'cancelled' ? { ...outcome, kind: 'interrupted' } : outcome
  }

  async #carryOut(entry: Entry, order: Order, directory: string): Promise<Outcome> {
    const install = { home: this.#settings.home, listing: order.listing, profile: order.plan.profile }
    this.#builds.delete(install)
    const interrupted = await undoInterrupted(this.#settings.home, directory)
    if (interrupted !== null) this.#tell(order.plan.profile, interrupted)
    this.#change(entry, { state: 'running', profileBusy: false, startedAt: this.#settings.now() })
    return runJob({
      settings: this.#settings,
      directory,
      job: entry.job,
      order,
      output: entry.output,
      signal: entry.cancel.signal,
      until: performance.now() + this.#settings.timeLimitMs,
      onStage: (stage) => this.#change(entry, { stage }),
      onBlocked: (approval) => this.#builds.set(install, approval),
      onTrial: (url) => this.#change(entry, { trial: url === null ? null : { url } }),
    })
  }

  #finish(entry: Entry, outcome: Outcome): void {
    const ended = { state: 'done', stage: null, profileBusy: false, trial: null } as const
    this.#change(entry, { ...ended, endedAt: this.#settings.now(), outcome })
    for (const waiting of this.#entries) {
      if (waiting.job.state === 'queued' && waiting.job.profile === entry.job.profile)
        this.#change(waiting, { position: this.#ahead(waiting.job.profile, waiting) })
    }
  }

  #change(entry: Entry, change: Partial<Job>): void {
    entry.job = { ...entry.job, ...change }
    const { output: _, dropped: __, ...job } = entry.job
    this.#emit({ type: 'job', job })
  }

  /** Unfinished jobs of the profile that were asked for earlier. */
  #ahead(profile: string, entry?: Entry): number {
    const end = entry ? this.#entries.indexOf(entry) : this.#entries.length
    return this.#entries.slice(0, end).filter(({ job }) => job.profile === profile && job.state !== 'done').length
  }

  #forget(): void {
    for (let excess = this.#entries.length - KEPT_JOBS; excess > 0; excess--) {
      const oldest = this.#entries.findIndex(({ job }) => job.state === 'done')
      if (oldest < 0) return
      this.#entries.splice(oldest, 1)
    }
  }
}
