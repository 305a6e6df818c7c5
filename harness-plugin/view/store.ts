import { isCategory } from '@plugmark/shared/contract'
import { computed, reactive, ref, shallowReactive, shallowRef } from 'vue'
import type { Answer, CatalogueStatus, Job, Overview, StoreBridge, StoreEvent, StoreListing } from '../bridge/index.ts'
import { matches, searchText } from './filter.ts'
import { installedListings } from './installed.ts'

/** Lines of a job that the screen keeps; the host keeps as many. */
const KEPT_LINES = 2000

export type Store = ReturnType<typeof createStore>

/** The screen's state, and everything that changes it. */
export function createStore(bridge: StoreBridge) {
  const overview = shallowRef<Overview | null>(null)
  const status = shallowRef<CatalogueStatus | null>(null)
  const refusal = shallowRef<{ code: string; message: string } | null>(null)
  const rows = shallowRef<readonly StoreListing[]>([])
  const jobs = shallowReactive(new Map<string, Job>())
  const filter = reactive({ text: '', category: null as string | null })
  const selectedId = ref<string | null>(null)
  const profile = ref('')

  const categoryOf = ({ category }: StoreListing) => (isCategory(category) ? category : 'other')
  const searchable = computed(() => new Map(rows.value.map((row) => [row, searchText(row)])))
  const visible = computed(() => {
    const matching = matches(filter, categoryOf)
    return rows.value.filter((row) => matching(row, searchable.value.get(row) ?? ''))
  })
  const categories = computed(() => [...new Set(rows.value.map(categoryOf))])
  const selected = computed(() => rows.value.find(({ id }) => id === selectedId.value) ?? null)
  const installed = computed(() => {
    const current = overview.value?.profiles.find(({ name }) => name === profile.value)
    return installedListings(rows.value, current)
  })

  let rowsRevision: number | null = null
  let copying = false
  let copyAgain = false
  /** Brings the rows up to what the host has. One copying at a time; what arrives meanwhile is copied after it. */
  async function copyRows() {
    copyAgain = copying
    if (copying) return
    copying = true
    do {
      copyAgain = false
      await copyPages()
    } while (copyAgain)
    copying = false
  }

  async function copyPages() {
    let collected = rows.value
    for (;;) {
      const answer = await bridge.listings(collected.length)
      if (!take(answer)) return
      const { status: latest, from, rows: more } = answer.value
      status.value = latest
      if (latest.revision !== rowsRevision) {
        rowsRevision = latest.revision
        collected = []
        if (from > 0) continue
      }
      collected = [...collected, ...more]
      rows.value = collected
      if (collected.length >= latest.count || more.length === 0) return
    }
  }

  function take<T>(answer: Answer<T>): answer is { ok: true; value: T } {
    refusal.value = answer.ok ? null : answer
    return answer.ok
  }

  async function open() {
    const answer = await bridge.overview()
    if (!take(answer)) return
    overview.value = answer.value
    const names = answer.value.profiles.map(({ name }) => name)
    profile.value = names.includes(answer.value.profile) ? answer.value.profile : (names[0] ?? '')
    for (const job of answer.value.jobs) jobs.set(job.id, job)
    await copyRows()
  }

  function receive(event: StoreEvent) {
    if (event.type === 'catalogue') {
      status.value = event.status
      if (event.status.revision !== rowsRevision || event.status.count !== rows.value.length) void copyRows()
    } else if (event.type === 'profiles') {
      if (overview.value) overview.value = { ...overview.value, profiles: event.profiles }
    } else if (event.type === 'job') {
      const known = jobs.get(event.job.id)
      jobs.set(event.job.id, { output: [], dropped: 0, ...known, ...event.job })
    } else {
      const job = jobs.get(event.job)
      if (job) jobs.set(job.id, withLines(job, event.from, event.lines))
    }
  }

  const unsubscribe = bridge.subscribe(receive)

  return {
    overview,
    status,
    refusal,
    rows,
    jobs,
    filter,
    visible,
    categories,
    selected,
    selectedId,
    profile,
    installed,
    open,
    close: unsubscribe,
    async refresh() {
      take(await bridge.refresh())
    },
    review: (id: string) => bridge.review(id, profile.value),
    async install(id: string, token: string, acknowledged: boolean) {
      const answer = await bridge.install(id, token, acknowledged)
      if (answer.ok && !jobs.has(answer.value.id)) jobs.set(answer.value.id, answer.value)
      return answer
    },
    async cancel(id: string) {
      take(await bridge.cancel(id))
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
