import { computed, shallowReactive, shallowRef } from 'vue'
import type { HistoryEntry, Job, Outcome, PackageChange, StoreEvent } from '../protocol/index.ts'
import { isSuccess } from '../protocol/next-steps.ts'

/** Lines of a job that the screen keeps. The host keeps as many. */
const KEPT_LINES = 2000
/** In `localStorage`: ids of jobs that were hidden, as a JSON array. */
const HIDDEN_KEY = 'plugmark-hidden-jobs'
/** In `sessionStorage`: ids of the jobs that this tab started. */
const OWN_KEY = 'plugmark-own-jobs'
/** Most ids that are kept of either; the host keeps fewer jobs. */
const KEPT_JOBS = 50

/** The jobs that the host has reported to this page. */
export class Jobs {
  readonly #byId = shallowReactive(new Map<string, Job>())
  /** Sorted by end, or else by the time when they were requested. */
  readonly #all = computed(() =>
    [...this.#byId.values()].toSorted((a, b) => (a.endedAt ?? a.queuedAt) - (b.endedAt ?? b.queuedAt)),
  )
  readonly #hidden = shallowRef<ReadonlySet<unknown>>(new Set(readIds('localStorage', HIDDEN_KEY)))
  /** An hour before this page was opened. */
  readonly #since = Date.now() - 60 * 60_000
  /** Jobs that this page has seen before their end. */
  readonly #seen = new Set<string>()
  /** Jobs that this tab started, also before the store was closed and opened again. */
  readonly #own = new Set<unknown>(readIds('sessionStorage', OWN_KEY))

  readonly ended = computed(() => this.#all.value.filter(({ state }) => state === 'done').toReversed())
  /**
   * The jobs with a line each: the newest end that is not hidden, and the job that runs, each of this tab if there is one.
   * What this page has not seen running, of another tab or an earlier hour, is news only as the newest failure.
   */
  readonly shown = computed(() => {
    const unfinished = this.#all.value.filter(({ state }) => state !== 'done').toSorted(byTurn)
    const own = unfinished.filter(({ id }) => this.isOwn(id))
    const candidates = own.length > 0 ? own : unfinished
    // A job that has ended counts as running while what it changed is read, and the next of its profile may run already.
    const running = candidates.findLast(
      ({ profile, state }) => profile === candidates[0]?.profile && state === candidates[0].state,
    )
    const [newest] = this.ended.value
    const ends = this.#all.value.filter(
      ({ id, endedAt, outcome }) =>
        outcome !== null &&
        !this.#hidden.value.has(id) &&
        (endedAt ?? 0) >= this.#since &&
        (this.isOwn(id) || this.#seen.has(id) || (id === newest?.id && hasFailed(outcome))),
    )
    const ended = ends.findLast(({ id }) => this.isOwn(id)) ?? ends.at(-1)
    return [ended, running].filter((job) => job !== undefined)
  })
  /** The other unfinished jobs: those of other profiles run at the same time. */
  readonly others = computed(() =>
    this.#all.value.filter((job) => job.state !== 'done' && !this.shown.value.includes(job)),
  )

  unfinished(listing: string, profile: string) {
    return this.#all.value.findLast(
      (job) =>
        (job.listing === listing || job.more.includes(listing)) && job.profile === profile && job.state !== 'done',
    )
  }
  /** Returns the id of the last job of a listing that has ended. */
  lastEnded(listing: string): string | undefined {
    return this.ended.value.find((job) => job.listing === listing || job.more.includes(listing))?.id
  }
  isBusy(profile: string): boolean {
    return this.#all.value.some((job) => job.profile === profile && job.state !== 'done')
  }
  isOwn(id: string): boolean {
    return this.#own.has(id)
  }
  /** Returns true for a job that this page has seen before its end. */
  hasSeen(id: string): boolean {
    return this.#seen.has(id)
  }
  know(job: Job): void {
    if (job.state !== 'done') this.#seen.add(job.id)
    if (!this.#byId.has(job.id)) this.#byId.set(job.id, job)
  }
  addOwn(job: Job): void {
    this.#own.add(job.id)
    keepIds('sessionStorage', OWN_KEY, [...this.#own].slice(-KEPT_JOBS))
    this.know(job)
  }
  receive(event: StoreEvent): void {
    if (event.type === 'job') {
      if (event.job.state !== 'done') this.#seen.add(event.job.id)
      const known = this.#byId.get(event.job.id)
      this.#byId.set(event.job.id, { output: [], dropped: 0, ...known, ...event.job })
    } else if (event.type === 'output') {
      const job = this.#byId.get(event.job)
      if (job) this.#byId.set(job.id, withLines(job, event.from, event.lines))
    }
  }
  /** Hides every job that has ended, so that closing one does not reveal the next older one. */
  hideEnded(): void {
    this.#hidden.value = new Set(this.ended.value.map(({ id }) => id))
    this.#keepHidden()
  }
  hide(job: string): void {
    this.#hidden.value = new Set([...this.#hidden.value, job])
    // Other tabs read what is kept. They do not show this job, unless it is theirs.
    if (this.isOwn(job)) this.#keepHidden()
  }
  #keepHidden(): void {
    keepIds('localStorage', HIDDEN_KEY, [...this.#hidden.value].slice(-KEPT_JOBS))
  }
}

/** Sorts running jobs before those that wait, newest first. */
const byTurn = (a: Job, b: Job): number =>
  Number(a.state === 'queued') - Number(b.state === 'queued') || b.queuedAt - a.queuedAt

type StorageName = 'localStorage' | 'sessionStorage'

function keepIds(storage: StorageName, key: string, ids: readonly unknown[]): void {
  try {
    globalThis[storage].setItem(key, JSON.stringify(ids))
  } catch {
    // Without storage they last until the page is loaded again.
  }
}

function readIds(storage: StorageName, key: string): readonly unknown[] {
  try {
    const ids: unknown = JSON.parse(globalThis[storage].getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids : []
  } catch {
    return []
  }
}

/** Returns the job with lines added at their position; drops lines that it has already. */
export function withLines(job: Job, from: number, lines: readonly string[]): Job {
  const here = job.dropped + job.output.length
  const fresh = lines.slice(Math.max(0, here - from))
  const output = [...job.output, ...fresh]
  const excess = Math.max(0, output.length - KEPT_LINES)
  return { ...job, output: output.slice(excess), dropped: job.dropped + excess }
}

// Jobs that ended

/** Returns false for a success, and for a job that somebody cancelled. */
export const hasFailed = ({ kind, rollback }: Outcome): boolean =>
  !isSuccess(kind) && (kind !== 'cancelled' || rollback === 'failed')

/** A job that ended, from this page or from the profile's history. */
export interface PastJob {
  readonly job: Job
  readonly changes: readonly PackageChange[]
  /** Shell that ran it; empty when it is unknown. */
  readonly client: string
  /** True if the log must be requested from the host. */
  readonly isLogKept: boolean
  /** True if the harness may have restarted since, so that nothing tells what it runs now. */
  readonly isOld: boolean
}

/** Returns the jobs of a profile that have ended, newest first: those of its history, and those of this page. */
export function pastJobs(entries: readonly HistoryEntry[], ended: readonly Job[], profile: string): readonly PastJob[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const here = ended.filter((job) => job.profile === profile && job.outcome !== null)
  const known = new Set(here.map(({ id }) => id))
  const past = [
    // A job of this page has its whole outcome, such as whether a restart is needed.
    ...here.map((job) => ({ ...factsOf(byId.get(job.id)), job, isLogKept: job.output.length === 0, isOld: false })),
    ...entries
      .filter(({ id }) => !known.has(id))
      .map((entry) => ({ ...factsOf(entry), job: toJob(entry, profile), isLogKept: true, isOld: true })),
  ]
  return past.toSorted((a, b) => (b.job.endedAt ?? 0) - (a.job.endedAt ?? 0))
}

const factsOf = (entry: HistoryEntry | undefined): Pick<PastJob, 'changes' | 'client'> => ({
  changes: entry?.changes ?? [],
  client: entry?.client ?? '',
})

const DONE = {
  state: 'done',
  stages: [],
  stage: null,
  position: 0,
  profileBusy: false,
  trial: null,
  again: null,
} as const

const toJob = ({ changes: _, client: __, ...entry }: HistoryEntry, profile: string): Job => ({
  ...entry,
  ...DONE,
  profile,
  output: [],
  dropped: 0,
  // A restart that it asked for may have happened since.
  outcome: { ...entry.outcome, activation: 'unchanged' },
})
