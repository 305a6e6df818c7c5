import { randomUUID } from 'node:crypto'
import { type InstallPlan, installArguments, renderInstall } from '@plugmark/shared/install'
import { profileDirectory } from '../profiles/home.ts'
import { readProfileState } from '../profiles/snapshot.ts'
import type { Job, Outcome, StoreEvent } from '../types.ts'
import { readOutcome } from './outcome.ts'
import { Output } from './output.ts'
import { runProcess } from './process.ts'

/** Ended jobs that are kept for a page that is loaded again. */
const KEPT_JOBS = 20

/** What an install runs with; none of it comes from a page. */
export interface JobSettings {
  /** Program and leading arguments that start the harness's command line. */
  readonly command: readonly string[]
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly timeLimitMs: number
  readonly masks: readonly (readonly [text: string, shown: string])[]
  readonly now: () => number
}

interface Entry {
  job: Job
  readonly plan: InstallPlan
  readonly args: readonly string[]
  readonly output: Output
  readonly cancel: AbortController
}

/** Installs, one at a time for each profile and in the order they were asked for. */
export class JobQueue {
  readonly #settings: JobSettings
  readonly #emit: (event: StoreEvent) => void
  readonly #entries: Entry[] = []
  /** The end of each profile's last job. */
  readonly #tails = new Map<string, Promise<void>>()

  constructor(settings: JobSettings, emit: (event: StoreEvent) => void) {
    this.#settings = settings
    this.#emit = emit
  }

  /** Every job that is kept, oldest first, with its output. */
  jobs(): Job[] {
    return this.#entries.map(({ job, output }) => ({ ...job, output: output.lines, dropped: output.dropped }))
  }

  job(id: string): Job | null {
    return this.jobs().find((job) => job.id === id) ?? null
  }

  /** The unfinished install of a listing into a profile. */
  unfinished(listing: string, profile: string): Job | null {
    return this.jobs().find((job) => job.listing === listing && job.profile === profile && job.state !== 'done') ?? null
  }

  add(listing: string, plan: InstallPlan): Job {
    const { profile } = plan
    const args = installArguments(plan)
    const command = renderInstall(plan)
    if (args === null || command === null) throw new Error('a plan that was not parsed')
    const id = randomUUID()
    const output = new Output({
      masks: this.#settings.masks,
      onLines: (from, lines) => this.#emit({ type: 'output', job: id, from, lines }),
    })
    const entry: Entry = {
      plan,
      args,
      output,
      cancel: new AbortController(),
      job: {
        id,
        listing,
        profile,
        command,
        state: 'queued',
        position: this.#ahead(profile),
        queuedAt: this.#settings.now(),
        startedAt: null,
        endedAt: null,
        outcome: null,
        output: [],
        dropped: 0,
      },
    }
    this.#entries.push(entry)
    this.#forget()
    this.#change(entry, {})
    const previous = this.#tails.get(profile) ?? Promise.resolve()
    this.#tails.set(
      profile,
      previous.then(() => this.#run(entry)),
    )
    return entry.job
  }

  /** Ends a job and all it started; a queued one never starts. Does nothing to one that has ended. */
  cancel(id: string): void {
    const entry = this.#entries.find(({ job }) => job.id === id)
    if (entry?.job.state === 'queued') this.#finish(entry, notStarted('cancelled'))
    if (entry?.job.state !== 'running') return
    this.#change(entry, { state: 'cancelling' })
    entry.cancel.abort()
  }

  /** Cancels what is unfinished and waits for its end. */
  async close(): Promise<void> {
    for (const { job } of this.#entries) this.cancel(job.id)
    await Promise.all(this.#tails.values())
  }

  async #run(entry: Entry): Promise<void> {
    if (entry.job.state === 'done') return
    const { command, home, env, timeLimitMs, now } = this.#settings
    const { plan, args, output, cancel } = entry
    const directory = profileDirectory(home, plan.profile)
    this.#change(entry, { state: 'running', startedAt: now() })
    const before = await readProfileState(directory)
    if (before === null) return this.#finish(entry, notStarted('profile-missing'))

    const end = await runProcess({
      command: [...command, ...args],
      cwd: home,
      env,
      timeLimitMs,
      signal: cancel.signal,
      onText: (stream, text) => output.write(stream, text),
    })
    output.end()
    const after = await readProfileState(directory)
    this.#finish(entry, readOutcome({ spec: plan.spec, before, after, end, output: output.lines }))
  }

  #finish(entry: Entry, outcome: Outcome): void {
    this.#change(entry, { state: 'done', endedAt: this.#settings.now(), outcome })
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

const notStarted = (kind: 'profile-missing' | 'cancelled'): Outcome => ({ kind, subjects: [], profile: null })
