import { computed, ref, shallowReactive } from 'vue'
import type { Job, StoreEvent } from '../bridge/index.ts'

/** Lines of a job that the screen keeps; the host keeps as many. */
const KEPT_LINES = 2000

/** The jobs that this page knows of, by what the host told. */
export function createJobs() {
  const byId = shallowReactive(new Map<string, Job>())
  const all = computed(() => [...byId.values()])
  const hidden = ref<ReadonlySet<string>>(new Set())

  /** The job that goes on, else the newest that nobody has put away. */
  const shown = computed(
    () =>
      all.value.findLast(({ state }) => state === 'running' || state === 'cancelling') ??
      all.value.findLast(({ id }) => !hidden.value.has(id)),
  )

  return {
    shown,
    /** The others that are queued. */
    waiting: computed(() => all.value.filter((job) => job.state === 'queued' && job.id !== shown.value?.id)),
    /** Harnesses that run from a copy, whose page is to be shown to nobody. */
    trials: computed(() => all.value.flatMap(({ id, trial }) => (trial ? { id, url: trial.url } : []))),
    /** The unfinished job of a listing in a profile. */
    unfinished: (listing: string, profile: string) =>
      all.value.findLast((job) => job.listing === listing && job.profile === profile && job.state !== 'done'),
    /** Puts away every job that has ended: the next older one is not what anybody wants to see then. */
    hideEnded() {
      hidden.value = new Set(all.value.filter(({ state }) => state === 'done').map(({ id }) => id))
    },
    know(job: Job) {
      if (!byId.has(job.id)) byId.set(job.id, job)
    },
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

/** The job with lines added where they belong; lines that are already here are not added twice. */
export function withLines(job: Job, from: number, lines: readonly string[]): Job {
  const here = job.dropped + job.output.length
  const fresh = lines.slice(Math.max(0, here - from))
  const output = [...job.output, ...fresh]
  const excess = Math.max(0, output.length - KEPT_LINES)
  return { ...job, output: output.slice(excess), dropped: job.dropped + excess }
}
