import { computed, type Ref, ref, shallowRef } from 'vue'
import type {
  Answer,
  HistoryEntry,
  InstalledPlugin,
  Job,
  Misfit,
  PackageChange,
  Refusal,
  StoreBridge,
  StoreEvent,
  UpdateChecks,
} from '../protocol/index.ts'

type Calls = Pick<StoreBridge, 'call'>

/** Keeps what is known of one profile. Its value is null while another one is chosen. */
function ofProfile<T>(chosen: () => string) {
  const kept = shallowRef<{ readonly profile: string; readonly value: T } | null>(null)
  return {
    value: computed(() => (kept.value?.profile === chosen() ? kept.value.value : null)),
    /** Returns true if anything is kept, of any profile. */
    isKept: () => kept.value !== null,
    /** Ignores a value of a profile that is no longer chosen. */
    keep(profile: string, value: T | null): void {
      if (profile === chosen()) kept.value = value === null ? null : { profile, value }
    },
  }
}

/** The installed plugins of the chosen profile, once they have been asked for. */
export class Installed {
  readonly #bridge: Calls
  readonly #profile: Ref<string>
  readonly #known = ofProfile<readonly InstalledPlugin[]>(() => this.#profile.value)
  readonly #refused = ofProfile<Refusal>(() => this.#profile.value)
  readonly #checks = ofProfile<UpdateChecks>(() => this.#profile.value)
  /** The profile that is being checked for updates. */
  readonly #checking = ref<string | null>(null)
  readonly #reads = ref(0)
  /** Number of requests so far, and that of the newest answer: an answer never replaces a newer one. */
  #asked = 0
  #newest = 0

  constructor(bridge: Calls, profile: Ref<string>) {
    this.#bridge = bridge
    this.#profile = profile
  }

  /** True while they are read: the profile may have changed since. */
  readonly isReading = computed(() => this.#reads.value > 0)
  /** Null until they have been read. */
  readonly plugins = this.#known.value
  readonly refusal = this.#refused.value
  readonly isChecking = computed(() => this.#checking.value === this.#profile.value)
  /** Checks for updates of the chosen profile; null until they are known. */
  readonly checks = this.#checks.value
  /** Listings, and the package of the store itself, that can be updated. */
  readonly updatable = computed(
    () => new Set((this.plugins.value ?? []).filter(isUpdatable).map(({ listing, name }) => listing ?? name)),
  )

  readonly read = async (): Promise<void> => {
    const { value: profile } = this.#profile
    if (profile === '') return
    this.#reads.value++
    const request = ++this.#asked
    const answer = await this.#bridge.call('installed', { profile }).finally(() => this.#reads.value--)
    if (request > this.#newest) this.#keep(profile, answer, request)
  }
  /** Reads the plugins again after a change, if they were asked for before. */
  readonly readAgain = async (): Promise<void> => {
    if (this.#known.isKept() || this.#refused.isKept() || this.isReading.value) await this.read()
  }
  readonly check = async (): Promise<void> => {
    const { value: profile } = this.#profile
    if (profile === '' || this.#checking.value === profile) return
    this.#checking.value = profile
    const answer = await this.#bridge.call('checkUpdates', { profile })
    this.#keep(profile, answer, ++this.#asked)
    if (answer.ok) await this.#readChecks()
    if (this.#checking.value === profile) this.#checking.value = null
  }
  /** Checks unless this profile was checked before. */
  readonly checkOnce = async (): Promise<void> => {
    if ((this.checks.value?.checkedAt ?? null) === null) await this.check()
  }
  /** Checks if the last automatic check was long ago, and reads the plugins in any case. Ignores a failure. */
  readonly checkIfDue = async (): Promise<void> => {
    const { value: profile } = this.#profile
    if (profile === '') return
    const answer = await this.#bridge.call('checkUpdates', { profile, ifDue: true })
    if (!answer.ok) return
    this.#keep(profile, answer, ++this.#asked)
    await this.#readChecks()
  }
  readonly setAutomatic = async (automatic: boolean): Promise<void> => {
    const { value: profile } = this.#profile
    const answer = await this.#bridge.call('setUpdateChecks', { profile, automatic })
    if (answer.ok) this.#checks.keep(profile, answer.value)
    if (automatic) await this.checkIfDue()
  }
  /** @param reason null for none; undefined ends the hold @returns the refusal; null when it was done */
  readonly hold = async ({ name }: InstalledPlugin, reason: string | null | undefined): Promise<Refusal | null> => {
    const target = { package: name, profile: this.#profile.value }
    const answer = await (reason === undefined
      ? this.#bridge.call('unhold', target)
      : this.#bridge.call('hold', { ...target, reason }))
    if (answer.ok) await this.read()
    return answer.ok ? null : answer
  }
  /** Skips the newest update of a plugin; the next one is offered again. */
  readonly skip = async ({ name, latest }: InstalledPlugin): Promise<void> => {
    if (latest === null) return
    const { value: profile } = this.#profile
    const answer = await this.#bridge.call('hold', { package: name, profile, reason: null, skips: latest })
    if (answer.ok) await this.read()
    else this.#refused.keep(profile, answer)
  }

  /** @param request its number; a check lists the plugins at its end, so its answer counts as asked for then */
  #keep(profile: string, answer: Answer<readonly InstalledPlugin[]>, request: number): void {
    if (profile !== this.#profile.value) return
    this.#refused.keep(profile, answer.ok ? null : answer)
    if (!answer.ok) return
    this.#newest = request
    this.#known.keep(profile, answer.value)
  }
  async #readChecks(): Promise<void> {
    const { value: profile } = this.#profile
    const answer = await this.#bridge.call('updateChecks', { profile })
    if (answer.ok) this.#checks.keep(profile, answer.value)
  }
}

/** Returns true if a newer version of a plugin can be installed and nobody holds or disabled it. */
export const isUpdatable = ({ latest, hold, enabled, ...plugin }: InstalledPlugin): boolean =>
  latest !== null && hold === null && enabled !== false && (isManaged(plugin) || plugin.unmanagedReason === 'store')

/** Returns true if the directory has a listing by which a plugin is updated. */
export const isManaged = ({ listing, removable }: Pick<InstalledPlugin, 'listing' | 'removable'>): boolean =>
  listing !== null && removable

/** Returns a page of a repository on its code host; null where the code host has none by that address. */
export function repositoryPage(repoUrl: string | null, page: 'releases' | 'issues'): string | null {
  const url = repoUrl === null ? null : URL.parse(repoUrl)
  return url?.hostname === 'github.com' && /^\/[^/]+\/[^/]+\/?$/.test(url.pathname)
    ? `${url.origin}${url.pathname.replace(/\/$/, '')}/${page}`
    : null
}

/** Plugins that are known to fit the harness, of those that were looked at. */
export class Fits {
  readonly #bridge: Calls
  readonly #profile: Ref<string>
  readonly known = shallowRef<ReadonlyMap<string, boolean>>(new Map())
  /** Reasons for those that do not fit. */
  readonly misfits = shallowRef<ReadonlyMap<string, Misfit>>(new Map())

  constructor(bridge: Calls, profile: Ref<string>) {
    this.#bridge = bridge
    this.#profile = profile
  }

  /** Reads what the host knows already. Causes no request to other servers. */
  async read(): Promise<void> {
    const { value: profile } = this.#profile
    if (profile === '') return
    const answer = await this.#bridge.call('fits', { profile })
    if (!answer.ok || profile !== this.#profile.value) return
    this.known.value = new Map(answer.value.fits)
    this.misfits.value = new Map(answer.value.misfits)
  }
  receive({ changed, misfits }: StoreEvent & { readonly type: 'fits' }): void {
    if (changed.length === 0) return
    this.known.value = new Map([...this.known.value, ...changed])
    const isFitting = new Set(changed.flatMap(([id, fits]) => (fits ? id : [])))
    this.misfits.value = new Map([...this.misfits.value, ...misfits].filter(([id]) => !isFitting.has(id)))
  }
}

/** A job that ended, from this page or from the profile's history. */
export interface PastJob {
  readonly job: Job
  readonly changes: readonly PackageChange[]
  /** Shell that ran it; empty when it is unknown. */
  readonly client: string
  /** True if the log must be requested from the host. */
  readonly isLogKept: boolean
}

/** The history of the chosen profile, once it has been asked for. */
export class History {
  readonly #bridge: Calls
  readonly #profile: Ref<string>
  readonly #known = ofProfile<readonly HistoryEntry[]>(() => this.#profile.value)
  readonly #refused = ofProfile<Refusal>(() => this.#profile.value)

  constructor(bridge: Calls, profile: Ref<string>) {
    this.#bridge = bridge
    this.#profile = profile
  }

  /** Null until they have been read. */
  readonly entries = this.#known.value
  readonly refusal = this.#refused.value

  async read(): Promise<void> {
    const { value: profile } = this.#profile
    if (profile === '') return
    const answer = await this.#bridge.call('history', { profile })
    this.#refused.keep(profile, answer.ok ? null : answer)
    if (answer.ok) this.#known.keep(profile, answer.value)
  }
  /** Reads the history again after a job, if it was read before. */
  async readAgain(): Promise<void> {
    if (this.#known.isKept()) await this.read()
  }
  log(job: string): Promise<Answer<readonly string[]>> {
    return this.#bridge.call('jobLog', { profile: this.#profile.value, job })
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
