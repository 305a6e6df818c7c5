import { specName, specOfId } from '@plugmark/shared/install'
import { computed, ref, shallowRef, watch } from 'vue'
import { Client, type Intent, intentFor } from '../client/client.ts'
import type {
  Advisories,
  Answer,
  CallInput,
  HistoryEntry,
  Inspection,
  InstalledPlugin,
  Job,
  JobState,
  LastChange,
  Overview,
  ProfileCheck,
  Refusal,
  RepositoryTextKind,
  StoreBridge,
  StoreEvent,
} from '../protocol/index.ts'
import { inspectionOf } from '../protocol/review-facts.ts'
import { listingName } from '../search/listings.ts'
import { Current, Fits, Installed } from './current-profile.ts'
import { Jobs } from './jobs.ts'
import { Rows } from './rows.ts'

/** Longest time that the end of a job waits for what it has changed, in ms. */
const REFRESH_MS = 3000

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
  /** Holds what the reviews of this page have looked up, by listing: nobody knows it before. */
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
  /** Events that arrive while the overview is asked for, to apply after it. Null while it is not. */
  #early: StoreEvent[] | null = null
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
    const early: StoreEvent[] = []
    this.#early = early
    const asked = this.client.call('overview', {})
    const copied = this.#listings.copy()
    const answer = await asked
    this.unopened.value = answer.ok ? null : answer
    // A second try may keep its own.
    if (this.#early === early) this.#early = null
    if (!answer.ok) return
    this.overview.value = answer.value
    this.#chooseProfile(answer.value.profiles, answer.value.profile)
    for (const job of answer.value.jobs) this.jobs.know(job)
    for (const event of early) this.#receive(event)
    this.#hasProfile.resolve()
    watch(this.profile, () => void this.installed.checkIfDue())
    // Another index may have the listings of more installed plugins.
    watch(
      () => this.status.value?.generated ?? null,
      () => void this.installed.changed(),
    )
    void this.installed.read()
    void this.lastChange.read()
    void this.installed.checkIfDue()
    void this.fits.read()
    await copied
  }

  #receive(event: StoreEvent): void {
    if (event.type === 'catalogue') this.#listings.receive(event.status)
    else if (this.overview.value === null) this.#early?.push(event)
    else if (event.type === 'program') this.overview.value = { ...this.overview.value, program: event.program }
    else if (event.type === 'upgrade') this.overview.value = { ...this.overview.value, upgrade: event.upgrade }
    else if (event.type === 'profile-check') this.#check.value = event.check
    else if (event.type === 'fits') this.fits.receive(event)
    else if (event.type !== 'profiles') {
      if (event.type === 'job' && event.job.state === 'done') void this.#endJob(event)
      else this.jobs.receive(event)
    } else {
      this.overview.value = { ...this.overview.value, profiles: event.profiles }
      this.#chooseProfile(event.profiles, this.profile.value || this.overview.value.profile)
      void this.#profilesChanged()
    }
  }
  /** Shows the end of a job once the rows show what it did. */
  async #endJob(event: StoreEvent): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const limit = setTimeout(resolve, REFRESH_MS)
    await Promise.race([this.#profilesChanged(), promise])
    clearTimeout(limit)
    this.jobs.receive(event)
  }
  #chooseProfile(profiles: Overview['profiles'], preferred: string): void {
    const names = profiles.map(({ name }) => name)
    this.profile.value = names.includes(preferred) ? preferred : (names[0] ?? '')
  }
  async #profilesChanged(): Promise<void> {
    void this.history.changed()
    await Promise.all([this.installed.changed(), this.lastChange.changed()])
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
  readonly subjectOf = ({ listing, more }: Pick<JobState, 'listing' | 'more'>): string =>
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
  /** Keeps what updates gain, by plugin and versions, once it was asked for. Read one after the other. */
  readonly #gains = new Map<string, Promise<Inspection | null>>()
  #lastGains: Promise<unknown> = Promise.resolve()
  /** Reads what an update does that the installed version does not. @returns null when that could not be read */
  readonly gains = (plugin: InstalledPlugin): Promise<Inspection | null> => {
    const { value: profile } = this.profile
    const key = [profile, plugin.name, plugin.version, plugin.latest].join(' ')
    const known = this.#gains.get(key)
    if (known) return known
    const reading = this.#lastGains.then(() => this.#readGains(plugin, profile))
    this.#gains.set(key, reading)
    this.#lastGains = reading.then((read) => read === null && this.#gains.delete(key))
    return reading
  }
  async #readGains(plugin: InstalledPlugin, profile: string): Promise<Inspection | null> {
    const answer = await this.client.requestReview(intentFor(plugin, 'update'), profile)
    if (!answer.ok) return null
    const facts = await this.client.followFacts(answer.value, () => !this.#closed.signal.aborted, ['code'])
    return facts.code?.code.state === 'read' ? inspectionOf(facts) : null
  }
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
