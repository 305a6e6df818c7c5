import { computed, type Ref, shallowRef } from 'vue'
import type { HistoryEntry, Job, PackageChange, Refusal, StoreBridge } from '../../protocol/index.ts'

/** A job that ended, from this page or from the profile's history. */
export interface PastJob {
  readonly job: Job
  readonly changes: readonly PackageChange[]
  /** Shell that ran it; empty when it is unknown. */
  readonly client: string
  /** True if the log must be requested from the host. */
  readonly isLogKept: boolean
}

/** Keeps the history of the chosen profile, once a person has asked for it. */
export function createHistory(bridge: Pick<StoreBridge, 'call'>, profile: Ref<string>) {
  const known = shallowRef<{ readonly profile: string; readonly entries: readonly HistoryEntry[] } | null>(null)
  const refused = shallowRef<{ readonly profile: string; readonly refusal: Refusal } | null>(null)

  async function read() {
    const asked = profile.value
    if (asked === '') return
    const answer = await bridge.call('history', { profile: asked })
    // The person has chosen another profile meanwhile.
    if (asked !== profile.value) return
    refused.value = answer.ok ? null : { profile: asked, refusal: answer }
    if (answer.ok) known.value = { profile: asked, entries: answer.value }
  }
  return {
    /** Null until they have been read. */
    entries: computed(() => (known.value?.profile === profile.value ? known.value.entries : null)),
    refusal: computed(() => (refused.value?.profile === profile.value ? refused.value.refusal : null)),
    read,
    /** Reads the history again after a job, if it was read before. */
    async readAgain() {
      if (known.value !== null) await read()
    },
    /** Reads the log of a job. @returns null when it could not be read */
    async log(job: string): Promise<readonly string[] | null> {
      const answer = await bridge.call('jobLog', { profile: profile.value, job })
      return answer.ok ? answer.value : null
    },
  }
}

/** Returns the jobs of a profile that have ended, newest first: those of its history, and those of this page. */
export function pastJobs(entries: readonly HistoryEntry[], ended: readonly Job[], profile: string): readonly PastJob[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const here = ended.filter((job) => job.profile === profile && job.outcome !== null)
  const known = new Set(here.map(({ id }) => id))
  const past = [
    // A job of this page has its whole outcome, such as whether a restart is needed.
    ...here.map((job) => ({ ...factsOf(byId.get(job.id)), job, isLogKept: job.output.length === 0 })),
    ...entries
      .filter(({ id }) => !known.has(id))
      .map((entry) => ({ ...factsOf(entry), job: toJob(entry, profile), isLogKept: true })),
  ]
  return past.toSorted((a, b) => (b.job.endedAt ?? 0) - (a.job.endedAt ?? 0))
}

const factsOf = (entry: HistoryEntry | undefined): Pick<PastJob, 'changes' | 'client'> => ({
  changes: entry?.changes ?? [],
  client: entry?.client ?? '',
})

const DONE = { state: 'done', stages: [], stage: null, position: 0, profileBusy: false, trial: null } as const

const toJob = ({ changes: _, client: __, ...entry }: HistoryEntry, profile: string): Job => ({
  ...entry,
  ...DONE,
  profile,
  output: [],
  dropped: 0,
  // A restart that it asked for may have happened since.
  outcome: { ...entry.outcome, activation: 'unchanged' },
})
