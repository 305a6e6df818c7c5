import { computed, ref, shallowRef } from 'vue'
import type {
  Answer,
  CallInput,
  JobAction,
  JobState,
  Overview,
  Refusal,
  StoreBridge,
  StoreEvent,
} from '../protocol/index.ts'
import { listingName } from '../search/listing.ts'
import { createFits } from './finding/fits.ts'
import { createInstalled } from './installed/plugins.ts'
import { createJobs } from './jobs.ts'
import { createRows } from './rows.ts'

export type Store = ReturnType<typeof createStore>

/** What this page knows of its host, and everything it asks of it. */
export function createStore(bridge: StoreBridge) {
  const overview = shallowRef<Overview | null>(null)
  const refusal = shallowRef<Refusal | null>(null)
  /** Why there is no overview, without which nothing goes on. */
  const unopened = shallowRef<Refusal | null>(null)
  const profile = ref('')
  /** Commands are for a profile, and which there are is known a little later than the first rows. */
  const hasProfile = Promise.withResolvers<void>()
  /** What is told before the overview is here continues it. */
  const early: StoreEvent[] = []
  const jobs = createJobs()
  const installed = createInstalled(bridge, profile)
  const fits = createFits(bridge, profile)
  const {
    rows,
    status,
    copy,
    add,
    receive: receiveStatus,
  } = createRows(async (from) => {
    const answer = await bridge.call('listings', { from })
    return take(answer) ? answer : null
  })

  function take<T>(answer: Answer<T>): answer is { ok: true; value: T } {
    refusal.value = answer.ok ? null : answer
    return answer.ok
  }

  function receive(event: StoreEvent) {
    if (event.type === 'catalogue') receiveStatus(event.status)
    else if (overview.value === null) early.push(event)
    else if (event.type === 'program') overview.value = { ...overview.value, program: event.program }
    else if (event.type === 'fits') fits.receive(event)
    else if (event.type !== 'profiles') jobs.receive(event)
    else {
      overview.value = { ...overview.value, profiles: event.profiles }
      void installed.readAgain()
    }
  }
  const byId = computed(() => new Map(rows.value.map((row) => [row.id, row])))
  const nameOf = (id: string) => listingName(byId.value.get(id) ?? { id, npmPackage: null })
  const unsubscribe = bridge.subscribe(receive)

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
    /** The profile that is chosen, as it is now. */
    currentProfile: computed(() => overview.value?.profiles.find(({ name }) => name === profile.value)),
    /** Whether a harness with a profile is there to install into. */
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
      void fits.read()
      fits.follow()
      await copied
    },
    /** What a listing is called; one whose row is not here, by its id alone. */
    nameOf,
    /** What a job is of: the names of its listings; empty when it is of none. */
    subjectOf: ({ listing, more }: JobState) => (listing === null ? [] : [listing, ...more]).map(nameOf).join(', '),
    close: unsubscribe,
    /** @param replace true when the person agreed to the `difference` of the status */
    async refresh(replace = false) {
      take(await bridge.call('refresh', replace ? { replace } : {}))
    },
    /** Asks the directory; null when it could not be asked. @returns ids in its order */
    async search(words: string): Promise<readonly string[] | null> {
      const answer = await bridge.call('search', { query: words })
      if (!answer.ok) return null
      add(answer.value)
      return answer.value.map(({ id }) => id)
    },
    /** Asks for the records of listings. What fails stays as it is: nobody asked for it by hand. */
    async describe(ids: readonly string[]) {
      const answer = await bridge.call('describe', { ids })
      if (answer.ok) add(answer.value)
    },
    async details(id: string) {
      await hasProfile.promise
      const answer = await bridge.call('details', { id, profile: profile.value || (overview.value?.profile ?? '') })
      if (answer.ok && rows.value.some((row) => row.id === id && !row.described)) void copy()
      return answer
    },
    /** How a listing goes together with the harness. */
    async fit(id: string) {
      await hasProfile.promise
      return bridge.call('fit', { id, profile: profile.value || (overview.value?.profile ?? '') })
    },
    async dismissUpgrade() {
      const answer = await bridge.call('dismissUpgrade', { profile: overview.value?.profile ?? '' })
      if (answer.ok && overview.value) overview.value = { ...overview.value, upgrade: null }
    },
    async download() {
      take(await bridge.call('download', {}))
    },
    async stopDownload() {
      take(await bridge.call('stopDownload', {}))
    },
    review: (id: string, action: JobAction) => bridge.call('review', { id, profile: profile.value, action }),
    compatibility: (review: CallInput<'compatibility'>) => bridge.call('compatibility', review),
    async start(order: CallInput<'start'>) {
      const answer = await bridge.call('start', order)
      if (answer.ok) jobs.addOwn(answer.value)
      return answer
    },
    async cancel(id: string) {
      take(await bridge.call('cancel', { job: id }))
    },
  }
}
