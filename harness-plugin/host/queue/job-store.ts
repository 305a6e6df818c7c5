import { randomUUID } from 'node:crypto'
import type { Job, JobStage, Outcome, StoreEvent } from '../../protocol/index.ts'
import { JOB_STAGES } from '../../protocol/jobs.ts'
import { isTried, type JobSettings } from '../job/job-context.ts'
import { Output } from '../job/output.ts'
import { type JobRequest, renderCommand, usesPackageManager } from '../job/request.ts'
import type { OrphanedJob } from '../transaction/job-files.ts'

/** Most jobs that are kept for pages that are loaded again. */
const KEPT_JOBS = 20
const WITHOUT_TRIAL = JOB_STAGES.filter((stage) => stage !== 'trying' && stage !== 'starting')

export interface Entry {
  job: Job
  readonly output: Output
  readonly cancel: AbortController
}

/** Jobs as pages see them. Emits an event whenever one changes. */
export class JobStore {
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
    const commands = changes.map(renderCommand)
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
        stages: this.#stagesOf(request),
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
    })
  }

  #stagesOf({ action, profile, changes, repairs = [] }: JobRequest): readonly JobStage[] {
    if (action === 'repair')
      return repairs.some(usesPackageManager) ? JOB_STAGES : JOB_STAGES.filter((stage) => stage !== 'trying')
    const isSomeTried = changes.some(({ action }) => isTried(this.#settings, { action, profile }))
    return isSomeTried ? JOB_STAGES : WITHOUT_TRIAL
  }

  /** Adds an ended job that an earlier host left. */
  restore(profile: string, { job, outcome }: OrphanedJob): void {
    const output = new Output({ redactions: [], onLines: () => {} })
    const done = { state: 'done', stages: [], stage: null, position: 0, profileBusy: false, trial: null } as const
    const ended = { ...done, endedAt: this.#settings.now(), output: [], dropped: 0 }
    const entry = { job: { ...job, ...ended, profile, outcome }, output, cancel: new AbortController() }
    // A job that could not be rolled back is restored again with each attempt.
    const index = this.#entries.findIndex((known) => known.job.id === job.id)
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
    const ended = { state: 'done', stage: null, profileBusy: false, trial: null } as const
    this.change(entry, { ...ended, endedAt: this.#settings.now(), outcome })
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
