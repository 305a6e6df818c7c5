import { sourceName, sourceOfId } from '@plugmark/shared/install'
import { computed, ref, shallowRef } from 'vue'
import type {
  Answer,
  JobState,
  Overview,
  ProfileCheck,
  Refusal,
  SettingValue,
  StoreBridge,
  StoreEvent,
} from '../protocol/index.ts'
import { listingName } from '../search/listings.ts'
import { createChanges } from './create-changes.ts'
import { createJobs } from './create-jobs.ts'
import { askAbout } from './details/ask-about.ts'
import { createFits } from './finding/create-fits.ts'
import { createHistory } from './history/create-history.ts'
import { createInstalled } from './installed/plugins.ts'
import { createRows } from './rows.ts'

export type Store = ReturnType<typeof createStore>

/** Keeps the host's state on this page, and makes every call to the host. */
export function createStore(bridge: StoreBridge) {
  const overview = shallowRef<Overview | null>(null)
  const refusal = shallowRef<Refusal | null>(null)
  /** Refusal of the overview, which the screen cannot do without. */
  const unopened = shallowRef<Refusal | null>(null)
  const profile = ref('')
  /** The last check of a profile, or the one that runs. */
  const check = shallowRef<ProfileCheck | null>(null)
  /** Resolves when the profiles are known, a little later than the first rows. Commands need a profile. */
  const hasProfile = Promise.withResolvers<void>()
  /** Events that arrived before the overview, to apply after it. */
  const early: StoreEvent[] = []
  const jobs = createJobs()
  const installed = createInstalled(bridge, profile)
  const fits = createFits(bridge, profile)
  const history = createHistory(bridge, profile)
  const {
    rows,
    status,
    copy,
    add,
    receive: receiveStatus,
  } = createRows(async (from) => {
    const answer = await bridge.call('listings', { from })
    return accept(answer) ? answer : null
  })

  function accept<T>(answer: Answer<T>): answer is { ok: true; value: T } {
    refusal.value = answer.ok ? null : answer
    return answer.ok
  }

  function receive(event: StoreEvent) {
    if (event.type === 'catalogue') receiveStatus(event.status)
    else if (overview.value === null) early.push(event)
    else if (event.type === 'program') overview.value = { ...overview.value, program: event.program }
    else if (event.type === 'upgrade') overview.value = { ...overview.value, upgrade: event.upgrade }
    else if (event.type === 'profile-check') check.value = event.check
    else if (event.type === 'fits') fits.receive(event)
    else if (event.type !== 'profiles') jobs.receive(event)
    else {
      overview.value = { ...overview.value, profiles: event.profiles }
      void installed.readAgain()
      void history.readAgain()
    }
  }
  const byId = computed(() => new Map(rows.value.map((row) => [row.id, row])))
  const nameOf = (id: string) => {
    // A job without a listing is named by its package or its source.
    const source = sourceOfId(id)
    return source ? sourceName(source) : listingName(byId.value.get(id) ?? { id, npmPackage: null })
  }
  const unsubscribe = bridge.subscribe(receive)
  /** Resolves with the chosen profile once it is known; with the configured one if there is none to choose. */
  async function chosenProfile(): Promise<string> {
    await hasProfile.promise
    return profile.value || (overview.value?.profile ?? '')
  }

  return {
    overview,
    refusal,
    unopened,
    profile,
    status,
    rows,
    jobs,
    installed,
    fits,
    history,
    /** The current state of the chosen profile. */
    currentProfile: computed(() => overview.value?.profiles.find(({ name }) => name === profile.value)),
    /** True if there is a harness with a profile to install into. */
    canInstall: computed(() => overview.value?.harness === 'found' && overview.value.profiles.length > 0),
    async open() {
      // Rows need not wait for the profiles, which the host reads from the disk.
      const asked = bridge.call('overview', {})
      const copied = copy()
      const answer = await asked
      unopened.value = answer.ok ? null : answer
      if (!answer.ok) return
      overview.value = answer.value
      const names = answer.value.profiles.map(({ name }) => name)
      profile.value = names.includes(answer.value.profile) ? answer.value.profile : (names[0] ?? '')
      for (const job of answer.value.jobs) jobs.know(job)
      for (const event of early.splice(0)) receive(event)
      hasProfile.resolve()
      void installed.checkIfDue()
      void fits.read()
      fits.follow()
      await copied
    },
    /** Returns the row of a listing; null while it is not here. */
    listingOf: (id: string | null) => (id === null ? null : (byId.value.get(id) ?? null)),
    /** Returns the name of a listing; without its row, made of the id alone. */
    nameOf,
    /** Returns the names of a job's listings; empty when it has none. */
    subjectOf: ({ listing, more }: JobState) => (listing === null ? [] : [listing, ...more]).map(nameOf).join(', '),
    close: unsubscribe,
    /** @param replace true when the person agreed to the `difference` of the status */
    async refresh(replace = false) {
      accept(await bridge.call('refresh', replace ? { replace } : {}))
    },
    /** Searches in the directory. @returns ids in its order; null when the search failed */
    async search(words: string): Promise<readonly string[] | null> {
      const answer = await bridge.call('search', { query: words })
      if (!answer.ok) return null
      add(answer.value)
      return answer.value.map(({ id }) => id)
    },
    /** Fetches the records of listings. Ignores a failure: no person asked for this. */
    async describe(ids: readonly string[]) {
      const answer = await bridge.call('describe', { ids })
      if (answer.ok) add(answer.value)
    },
    /** Fetches the records of those listings that have none yet. */
    async describeMissing(ids: readonly string[]) {
      const missing = ids.filter((id) => byId.value.get(id)?.described === false).slice(0, 100)
      if (missing.length === 0) return
      const answer = await bridge.call('describe', { ids: missing })
      if (answer.ok) add(answer.value)
    },
    async details(id: string) {
      const answer = await bridge.call('details', { id, profile: await chosenProfile() })
      if (answer.ok && rows.value.some((row) => row.id === id && !row.described)) void copy()
      return answer
    },
    about: askAbout(bridge, chosenProfile),
    /** Reads how a listing fits the harness. */
    async fit(id: string) {
      return bridge.call('fit', { id, profile: await chosenProfile() })
    },
    /** The check of the chosen profile; null before the first. */
    check: computed(() => (check.value?.profile === profile.value ? check.value : null)),
    async checkProfile() {
      const answer = await bridge.call('checkProfile', { profile: profile.value })
      // Its end may have come as an event before.
      if (accept(answer) && check.value?.profile !== profile.value) check.value = answer.value
    },
    /** Returns newer versions of the harness, newest first; none where the registry does not answer. */
    async harnessVersions() {
      const answer = await bridge.call('harnessVersions', { profile: profile.value })
      return answer.ok ? answer.value : []
    },
    /** The store's own settings; null where the host has a form of its own, or does not answer. */
    async configuration() {
      const answer = await bridge.call('configuration', {})
      return answer.ok ? answer.value : null
    },
    configure: (values: Readonly<Record<string, SettingValue>>) => bridge.call('configure', { values }),
    async checkServer(server: 'directory' | 'registry', address: string) {
      const answer = await bridge.call('checkServer', { server, address })
      return answer.ok && answer.value
    },
    /** @param version null for the newest that the registry has */
    checkUpgrade: (version: string | null) => bridge.call('checkUpgrade', { profile: profile.value, version }),
    async dismissUpgrade() {
      const answer = await bridge.call('dismissUpgrade', { profile: overview.value?.profile ?? '' })
      if (answer.ok && overview.value) overview.value = { ...overview.value, upgrade: null }
    },
    ...createChanges({ bridge, profile, jobs, accept }),
    async download() {
      accept(await bridge.call('download', {}))
    },
    async stopDownload() {
      accept(await bridge.call('stopDownload', {}))
    },
  }
}
