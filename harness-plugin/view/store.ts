import { specName, specOfId } from '@plugmark/shared/install'
import { computed, ref, shallowReactive, shallowRef, watch } from 'vue'
import { Client, type Intent } from '../client/client.ts'
import type { Messages } from '../messages/index.ts'
import { fitCautions } from '../protocol/fit.ts'
import type {
  Advisories,
  Answer,
  CallInput,
  HistoryEntry,
  InstalledPlugin,
  Job,
  JobState,
  LastChange,
  Overview,
  ProfileCheck,
  Refusal,
  RepositoryTextKind,
  Review,
  StoreBridge,
  StoreEvent,
  VersionDiff,
} from '../protocol/index.ts'
import { isSuccess } from '../protocol/next-steps.ts'
import { AWAITED, inspectionOf, type KnownFacts, REVIEW_FACTS, refusalOf } from '../protocol/review-facts.ts'
import { listingName } from '../search/listings.ts'
import { Current, Fits, Installed } from './current-profile.ts'
import { Rows } from './rows.ts'

/** Keeps the host's state on this page. Components take its members apart. */
export class Store {
  readonly overview = shallowRef<Overview | null>(null)
  /** Refusal of the last thing that the user did. */
  readonly refusal = shallowRef<Refusal | null>(null)
  /** Refusal of the list. */
  readonly unread = shallowRef<Refusal | null>(null)
  /** Refusal of the overview, which the screen cannot do without. */
  readonly unopened = shallowRef<Refusal | null>(null)
  /** The chosen profile; empty until it is known. */
  readonly profile = ref('')
  readonly jobs = new Jobs()
  /** What the reviews of this page have looked up, by listing: nobody knows it before. */
  readonly advisories = shallowRef<ReadonlyMap<string, Advisories>>(new Map())
  readonly installed: Installed
  readonly fits: Fits
  /** Its history, once it has been asked for. */
  readonly history: Current<readonly HistoryEntry[]>
  /** The last change, which an undo reverts. */
  readonly lastChange: Current<LastChange | null>
  readonly rows: Rows['rows']
  readonly status: Rows['status']
  /** Makes the calls. One that neither changes what is kept here nor needs it is made by it alone. */
  readonly client: Client
  readonly #listings: Rows
  /** The last check of a profile, or the one that runs. */
  readonly #check = shallowRef<ProfileCheck | null>(null)
  /** Resolves when the profiles are known, a little later than the first rows. Commands need a profile. */
  readonly #hasProfile = Promise.withResolvers<void>()
  /** Events that arrived before the overview, to apply after it. */
  readonly #early: StoreEvent[] = []
  readonly #closed = new AbortController()

  constructor(bridge: StoreBridge) {
    this.client = new Client(bridge)
    const { signal } = this.#closed
    this.installed = new Installed(this.client, this.profile, signal)
    this.fits = new Fits(this.client, this.profile, signal)
    this.history = new Current((profile) => bridge.call('history', { profile }), this.profile, signal)
    this.lastChange = new Current((profile) => bridge.call('lastChange', { profile }), this.profile, signal)
    this.#listings = new Rows(async (from) => {
      const answer = await bridge.call('listings', { from })
      this.unread.value = answer.ok ? null : answer
      return answer.ok ? answer : null
    })
    this.rows = this.#listings.rows
    this.status = this.#listings.status
    signal.addEventListener(
      'abort',
      bridge.subscribe((event) => this.#receive(event)),
    )
  }

  readonly close = (): void => this.#closed.abort()

  readonly currentProfile = computed(() =>
    this.overview.value?.profiles.find(({ name }) => name === this.profile.value),
  )
  /** False once it is known that there is no harness with a profile to install into. A review waits until then. */
  readonly canInstall = computed(() => {
    const { value: known } = this.overview
    return known === null ? this.unopened.value === null : known.harness === 'found' && known.profiles.length > 0
  })
  readonly #byId = computed(() => new Map(this.rows.value.map((row) => [row.id, row])))
  /** The check of the chosen profile; null before the first. */
  readonly check = computed(() => (this.#check.value?.profile === this.profile.value ? this.#check.value : null))

  readonly open = async (): Promise<void> => {
    // Rows need not wait for the profiles, which the host reads from the disk.
    const asked = this.client.call('overview', {})
    const copied = this.#listings.copy()
    const answer = await asked
    this.unopened.value = answer.ok ? null : answer
    if (!answer.ok) return
    this.overview.value = answer.value
    this.#chooseProfile(answer.value.profiles, answer.value.profile)
    for (const job of answer.value.jobs) this.jobs.know(job)
    for (const event of this.#early.splice(0)) this.#receive(event)
    this.#hasProfile.resolve()
    watch(this.profile, () => void this.installed.checkIfDue())
    // Another index may have the listings of more installed plugins.
    watch(
      () => this.status.value?.generated ?? null,
      () => this.installed.changed(),
    )
    void this.installed.read()
    void this.lastChange.read()
    void this.installed.checkIfDue()
    void this.fits.read()
    await copied
  }

  #receive(event: StoreEvent): void {
    if (event.type === 'catalogue') this.#listings.receive(event.status)
    else if (this.overview.value === null) this.#early.push(event)
    else if (event.type === 'program') this.overview.value = { ...this.overview.value, program: event.program }
    else if (event.type === 'upgrade') this.overview.value = { ...this.overview.value, upgrade: event.upgrade }
    else if (event.type === 'profile-check') this.#check.value = event.check
    else if (event.type === 'fits') this.fits.receive(event)
    else if (event.type !== 'profiles') {
      this.jobs.receive(event)
      if (event.type === 'job' && event.job.state === 'done') this.#profilesChanged()
    } else {
      this.overview.value = { ...this.overview.value, profiles: event.profiles }
      this.#chooseProfile(event.profiles, this.profile.value || this.overview.value.profile)
      this.#profilesChanged()
    }
  }
  #chooseProfile(profiles: Overview['profiles'], preferred: string): void {
    const names = profiles.map(({ name }) => name)
    this.profile.value = names.includes(preferred) ? preferred : (names[0] ?? '')
  }
  #profilesChanged(): void {
    this.installed.changed()
    this.history.changed()
    this.lastChange.changed()
  }

  /** Shows the refusal of what the user does, in place of that of what they did before. */
  async #act<T>(call: Promise<Answer<T>>): Promise<Answer<T>> {
    this.refusal.value = null
    const answer = await call
    if (!answer.ok) this.refusal.value = answer
    return answer
  }

  /** Returns the chosen profile once it is known; the configured one if there is none to choose. */
  async #chosenProfile(): Promise<string> {
    await this.#hasProfile.promise
    return this.profile.value || (this.overview.value?.profile ?? '')
  }

  // Listings

  readonly listingOf = (id: string | null) => (id === null ? null : (this.#byId.value.get(id) ?? null))
  /** Returns the name of a listing; without its row, made of the id alone. A job without one is named by its source. */
  readonly nameOf = (id: string): string => {
    const source = specOfId(id)
    return source ? specName(source) : listingName(this.#byId.value.get(id) ?? { id, npmPackage: null })
  }
  readonly subjectOf = ({ listing, more }: JobState): string =>
    (listing === null ? [] : [listing, ...more]).map(this.nameOf).join(', ')
  /** @param replace true when the user agreed to the `difference` of the status */
  readonly refresh = async (replace = false) => {
    await this.#act(this.client.call('refresh', replace ? { replace } : {}))
  }
  /** Searches in the directory. @returns ids in its order; null when the search failed */
  readonly search = async (words: string): Promise<readonly string[] | null> => {
    const answer = await this.client.call('search', { query: words })
    if (!answer.ok) return null
    this.#listings.add(answer.value)
    return answer.value.map(({ id }) => id)
  }
  /** Fetches the records of listings that have none yet. Ignores a failure: the user did not ask for this. */
  readonly describe = async (ids: readonly string[]) => {
    const missing = ids.filter((id) => this.#byId.value.get(id)?.described === false).slice(0, 100)
    if (missing.length === 0) return
    const answer = await this.client.call('describe', { ids: missing })
    if (answer.ok) this.#listings.add(answer.value)
  }
  readonly details = async (id: string) => {
    const answer = await this.client.call('details', { id, profile: await this.#chosenProfile() })
    if (answer.ok && this.rows.value.some((row) => row.id === id && !row.described)) void this.#listings.copy()
    return answer
  }

  // What the registry and the code host know of a listing

  readonly fit = async (id: string) => this.client.call('fit', { id, profile: await this.#chosenProfile() })
  readonly versions = async (id: string) =>
    plain(await this.client.call('versions', { id, profile: await this.#chosenProfile() }))
  readonly repository = async (id: string) =>
    plain(await this.client.call('repositoryFacts', { id, profile: await this.#chosenProfile() }))
  readonly repositoryText = async (id: string, kind: RepositoryTextKind, language: 'en' | 'zh') =>
    plain(await this.client.call('repositoryText', { id, kind, language, profile: await this.#chosenProfile() }))
  /** @returns a `data:` address; null when there is no picture */
  readonly picture = async (url: string): Promise<string | null> => {
    const answer = await this.client.call('repositoryPicture', { url, profile: await this.#chosenProfile() })
    return answer.ok && answer.value.state === 'read' ? answer.value.dataUrl : null
  }

  // Changes of the chosen profile

  readonly review = async (intent: Intent) => this.client.requestReview(intent, await this.#chosenProfile())
  readonly updateDiff = (plugin: InstalledPlugin) => this.client.requestUpdateDiff(plugin, this.profile.value)
  /** Starts one job of all these reviews. */
  readonly start = (reviews: CallInput<'startAll'>['reviews'], sync: string | null = null) =>
    this.#withJob(this.client.startJob(reviews, { sync }))
  readonly switchPlugin = async (plugin: InstalledPlugin, enabled: boolean) => {
    await this.#act(this.#withJob(this.client.requestSwitch(plugin, this.profile.value, enabled)))
  }
  readonly repair = (digest: string) =>
    this.#withJob(this.client.call('repair', { profile: this.profile.value, digest }))
  readonly jobLog = (job: string) => this.client.call('jobLog', { profile: this.profile.value, job })
  readonly undo = (change: string) => this.#withJob(this.client.call('undo', { profile: this.profile.value, change }))
  readonly cancel = async (job: string) => {
    await this.#act(this.client.call('cancel', { job }))
  }
  /** Shows a job of this page once it has started. @returns the answer of the call */
  async #withJob(call: Promise<Answer<Job>>): Promise<Answer<Job>> {
    const answer = await call
    if (answer.ok) {
      this.jobs.addOwn(answer.value)
      this.refusal.value = null
    }
    return answer
  }

  // The harness and the store itself

  readonly checkProfile = async () => {
    const answer = await this.#act(this.client.call('checkProfile', { profile: this.profile.value }))
    // Its end may have come as an event before.
    if (answer.ok && this.#check.value?.profile !== this.profile.value) this.#check.value = answer.value
  }
  readonly dismissUpgrade = async () => {
    const answer = await this.client.call('dismissUpgrade', { profile: this.overview.value?.profile ?? '' })
    if (answer.ok && this.overview.value) this.overview.value = { ...this.overview.value, upgrade: null }
  }
}

/** Turns a refusal of the host into one more state of the answer. */
const plain = <T extends { readonly state: string }>(answer: Answer<T>): T | { readonly state: 'refused' } =>
  answer.ok ? answer.value : { state: 'refused' }

// A change, from the intent to the job

/** A change of a plugin's files that the user wants to read. */
export interface DiffRequest {
  readonly name: string
  /** Reads it; null when there is nothing to compare. */
  read(): Promise<Answer<VersionDiff | null>>
}

/** Returns true for a caution that needs a tick: unchecked or failed, scripts, or possible harm to the harness. */
const isGrave = (caution: string): boolean => !['risk-flags', 'deprecated'].includes(caution)

/** One change that is reviewed, until the user agrees to it or gives it up. */
export class PendingReview {
  readonly intent: Intent
  readonly #store: Pick<Store, 'profile' | 'review' | 'client' | 'start' | 'advisories'>
  readonly #answer = shallowRef<Answer<Review> | null>(null)
  /** Counts how often a review was asked for: only the last answer is shown. */
  #looks = 0
  /** Refusal of the start, after a review that was not refused. */
  readonly refused = shallowRef<Refusal | null>(null)
  readonly acknowledged = ref(false)
  readonly isStarting = ref(false)
  /** What was read for it so far. */
  readonly #facts = shallowRef<KnownFacts>({})
  /** Whether it fits the harness: undefined until the host has answered, null when it is unknown. */
  readonly fit = computed(() => this.#facts.value.fit)
  /** Facts of the package: undefined until the first is known, null when there are none. Parts are null until they are known. */
  readonly inspection = computed(() => {
    const { fit: _, ...read } = this.#facts.value
    return Object.keys(read).length === 0 ? undefined : inspectionOf(read)
  })
  /** True while facts are read that the yes waits for. Each has a time limit of its own. */
  readonly isReading = computed(() => AWAITED.some((name) => this.#facts.value[name] === undefined))

  constructor(store: Pick<Store, 'profile' | 'review' | 'client' | 'start' | 'advisories'>, intent: Intent) {
    this.#store = store
    this.intent = intent
  }

  readonly review = computed(() =>
    this.#answer.value?.ok && this.refused.value === null ? this.#answer.value.value : null,
  )
  readonly problem = computed(
    (): Refusal | null => this.refused.value ?? (this.#answer.value?.ok === false ? this.#answer.value : null),
  )
  /** Reason why the host refuses to start it, as far as the facts are known. */
  readonly refusal = computed(() => refusalOf(this.#facts.value))
  /** True when the harness would refuse it, or there is nothing to install. */
  readonly isImpossible = computed(() => this.refusal.value !== null && this.refusal.value !== 'malware')
  readonly #cautions = computed(() => [...(this.review.value?.cautions ?? []), ...fitCautions(this.fit.value)])
  readonly needsTick = computed(() => this.refusal.value === null && this.#cautions.value.some(isGrave))
  readonly mayStart = computed(
    () =>
      this.review.value !== null &&
      !this.isReading.value &&
      this.refusal.value === null &&
      (this.acknowledged.value || !this.needsTick.value),
  )
  /** What starts it. The warnings were on the screen, and only the grave ones ask for a tick. */
  readonly order = computed(() => {
    const { id, token } = this.review.value ?? { id: '', token: '' }
    return { id, token, acknowledged: this.#cautions.value.length > 0 }
  })

  /** Returns the sentence of each warning. */
  warnings({ contract, review: words, refused }: Messages): string[] {
    const { value: review } = this.review
    const { value: fit } = this.fit
    const ofReview = (review?.cautions ?? []).flatMap((caution) => {
      // The scripts that wait for approval are shown with a warning of their own, and those that are allowed as such.
      const { verdict, approval, allowedBuilds } = review!
      if (caution === 'verdict' && verdict === 'needs-approval' && (approval || allowedBuilds.length > 0)) return []
      if (caution === 'verdict') return contract.verdict(review!.verdict).sentence
      // The flags stand with what was read of its code.
      return caution === 'risk-flags' ? [] : words.cautions[caution]
    })
    const ofHarness = fit ? fitCautions(fit).map((caution) => words.fit.cautions[caution](fit)) : []
    return [...(this.refusal.value === 'malware' ? [refused.malware] : []), ...ofReview, ...ofHarness]
  }

  /** Asks for a review. Each has its own command and token: another profile means another command. */
  readonly look = async (): Promise<void> => {
    const look = ++this.#looks
    this.#answer.value = null
    this.refused.value = null
    this.acknowledged.value = false
    this.#facts.value = {}
    const reply = await this.#store.review(this.intent)
    const isOfOther = reply.ok && reply.value.profile !== this.#store.profile.value
    if (look !== this.#looks || isOfOther) return
    this.#answer.value = reply
    if (!reply.ok) return
    const { id, token } = reply.value
    const isShown = () => this.review.value?.token === token
    const show = (facts: KnownFacts) => {
      const { advisories: all } = this.#store
      if (facts.advisories) all.value = new Map(all.value).set(id, facts.advisories)
      if (isShown()) this.#facts.value = facts
      return isShown()
    }
    const known = await this.#store.client.followFacts(reply.value, show)
    // What the host no longer tells stays unknown.
    show({ ...Object.fromEntries(REVIEW_FACTS.map((name) => [name, null])), ...known })
  }

  /** Starts the job that the user agreed to. Its events then show it. @returns false if it was refused */
  readonly start = async (): Promise<boolean> => {
    if (!this.mayStart.value || this.isStarting.value) return false
    const look = this.#looks
    this.isStarting.value = true
    const reply = await this.#store.start([this.order.value])
    this.isStarting.value = false
    // What was refused is not what is shown now, if that is of a later look.
    if (look === this.#looks) this.refused.value = reply.ok ? null : reply
    return reply.ok
  }
}

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
  /** Midnight before this page was opened. */
  readonly #firstDay = new Date().setHours(0, 0, 0, 0)
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
    const running = unfinished.find(({ id }) => this.isOwn(id)) ?? unfinished[0]
    const [newest] = this.ended.value
    const ends = this.#all.value.filter(
      ({ id, endedAt, outcome }) =>
        outcome !== null &&
        !this.#hidden.value.has(id) &&
        (endedAt ?? 0) >= this.#firstDay &&
        (this.isOwn(id) || this.#seen.has(id) || (id === newest?.id && !isSuccess(outcome.kind))),
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

type Place = 'localStorage' | 'sessionStorage'

function keepIds(storage: Place, key: string, ids: readonly unknown[]): void {
  try {
    globalThis[storage].setItem(key, JSON.stringify(ids))
  } catch {
    // Without storage they last until the page is loaded again.
  }
}

function readIds(storage: Place, key: string): readonly unknown[] {
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
