import { computed, shallowReactive, shallowRef } from 'vue'
import type { Job, StoreEvent } from '../protocol/index.ts'

/** Lines of a job that the screen keeps. The host keeps as many. */
const KEPT_LINES = 2000
/** In `localStorage`: ids of jobs that were hidden, as a JSON array. */
const HIDDEN_KEY = 'plugmark-hidden-jobs'

/** Creates the list of jobs that the host has reported to this page. */
export function createJobs() {
  const byId = shallowReactive(new Map<string, Job>())
  /** Sorted by end, or else by the time when they were requested. */
  const all = computed(() =>
    [...byId.values()].toSorted((a, b) => (a.endedAt ?? a.queuedAt) - (b.endedAt ?? b.queuedAt)),
  )
  const ended = computed(() => all.value.filter(({ state }) => state === 'done').toReversed())
  const hidden = shallowRef(readHidden())
  const own = new Set<string>()

  /** The running job, else the newest one that is not hidden. */
  const shown = computed(
    () =>
      all.value.findLast(({ state }) => state === 'running' || state === 'cancelling') ??
      all.value.findLast(({ id }) => !hidden.value.has(id)),
  )

  return {
    shown,
    /** The other unfinished jobs: those of other profiles run at the same time. */
    others: computed(() => all.value.filter((job) => job.state !== 'done' && job.id !== shown.value?.id)),
    /** The unfinished job of a listing in a profile. */
    unfinished: (listing: string, profile: string) =>
      all.value.findLast(
        (job) =>
          (job.listing === listing || job.more.includes(listing)) && job.profile === profile && job.state !== 'done',
      ),
    /** Returns true if a profile has an unfinished job. */
    isBusy: (profile: string) => all.value.some((job) => job.profile === profile && job.state !== 'done'),
    /** Newest first. */
    ended,
    /** Hides every job that has ended, so that closing one does not reveal the next older one. */
    hideEnded() {
      hidden.value = new Set(ended.value.map(({ id }) => id))
      try {
        localStorage.setItem(HIDDEN_KEY, JSON.stringify([...hidden.value]))
      } catch {
        // Without storage they stay hidden until the page is loaded again.
      }
    },
    know(job: Job) {
      if (!byId.has(job.id)) byId.set(job.id, job)
    },
    /** Adds a job that this page has started. */
    addOwn(job: Job) {
      own.add(job.id)
      if (!byId.has(job.id)) byId.set(job.id, job)
    },
    /** Returns true if this page has started the job. */
    isOwn: (id: string) => own.has(id),
    receive(event: StoreEvent) {
      if (event.type === 'job') {
        const known = byId.get(event.job.id)
        byId.set(event.job.id, { output: [], dropped: 0, ...known, ...event.job })
      } else if (event.type === 'output') {
        const job = byId.get(event.job)
        if (job) byId.set(job.id, withLines(job, event.from, event.lines))
      }
    },
  }
}

function readHidden(): ReadonlySet<unknown> {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(HIDDEN_KEY) ?? '[]')
    return new Set(Array.isArray(ids) ? ids : [])
  } catch {
    return new Set()
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
