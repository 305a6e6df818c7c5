/** For tests of the screen: listings, jobs, and a bridge that answers from memory. */
import type {
  Answer,
  CatalogueStatus,
  Compatibility,
  InstalledPlugin,
  Job,
  ListingDetails,
  Overview,
  RefusalCode,
  Review,
  StoreBridge,
  StoreEvent,
  StoreListing,
} from '../protocol/index.ts'

export function aListing(id: string, change: Partial<StoreListing> = {}): StoreListing {
  const { installable = true, npmPackage = id.split('/')[1] ?? null } = change
  return {
    id,
    described: true,
    installable: true,
    summary: `Summary of ${id}.`,
    summaryZh: null,
    category: 'tools',
    stars: 10,
    license: 'MIT',
    language: null,
    npmPackage,
    specKey: installable ? (npmPackage ?? `github:${id}`.toLowerCase()) : null,
    riskFlags: [],
    blockedBuilds: [],
    verdict: 'passed',
    checkedAt: '2026-08-20T14:05:11.000Z',
    repoUrl: `https://github.com/${id}`,
    ...change,
  }
}

export function aJob(change: Partial<Job> = {}): Job {
  return {
    id: 'job',
    action: 'install',
    listing: 'a/first',
    profile: 'web',
    command: 'dsh plugin --profile web add first',
    state: 'running',
    stages: ['preparing', 'trying', 'starting', 'installing', 'checking'],
    stage: 'installing',
    position: 0,
    profileBusy: false,
    queuedAt: 0,
    startedAt: 0,
    endedAt: null,
    trial: null,
    outcome: null,
    output: [],
    dropped: 0,
    ...change,
  }
}

const READY: CatalogueStatus = {
  state: 'ready',
  revision: 0,
  end: 0,
  count: 0,
  described: 0,
  rejected: 0,
  loadedAt: 0,
  failure: null,
  download: null,
  downloadedAt: null,
}

export interface FakeBridge extends StoreBridge {
  /** Calls so far, as `name argument …`. */
  readonly calls: string[]
  push(event: StoreEvent): void
}

export function aBridge(
  rows: readonly StoreListing[],
  given: {
    status?: Partial<CatalogueStatus>
    overview?: Partial<Overview>
    found?: readonly StoreListing[]
    /** Rows with their records, for those that come without. */
    described?: readonly StoreListing[]
    details?: Partial<ListingDetails>
    review?: Partial<Review> | { refused: RefusalCode }
    compatibility?: Compatibility | null | Promise<Compatibility | null>
    start?: Answer<Job>
    installed?: Answer<readonly InstalledPlugin[]>
    updates?: Answer<readonly InstalledPlugin[]>
  } = {},
): FakeBridge {
  const calls: string[] = []
  const listeners = new Set<(event: StoreEvent) => void>()
  const { length } = rows
  const status = { ...READY, end: length, count: length, described: length, ...given.status }
  const note = <T>(call: string, value: T): Promise<{ ok: true; value: T }> => {
    calls.push(call)
    return Promise.resolve({ ok: true, value })
  }
  const overview: Overview = {
    cli: 'dsh',
    directory: 'https://directory.example',
    profiles: [{ name: 'web', bundles: [], dependencies: {} }],
    profile: 'web',
    harness: 'found',
    program: { command: '~/.local/bin/dsh', version: null },
    desktop: false,
    restart: null,
    jobs: [],
    ...given.overview,
  }
  return {
    calls,
    push: (event) => {
      for (const listener of listeners) listener(event)
    },
    overview: () => note('overview', overview),
    listings(from) {
      const some = rows.slice(from, from + 2)
      return note(`listings ${from}`, { status, from, next: from + some.length, rows: some })
    },
    search: (words) => note(`search ${words}`, given.found ?? []),
    describe: (ids) => note(`describe ${ids.join(' ')}`, given.described?.filter(({ id }) => ids.includes(id)) ?? []),
    details(id, profile) {
      const row = rows.find((listing) => listing.id === id) ?? aListing(id)
      const command = `dsh plugin --profile ${profile} add ${row.npmPackage}`
      const more = { command, reason: null, options: [], siblings: [], page: null, pushedAt: null }
      return note(`details ${id} ${profile}`, { ...row, ...more, ...given.details })
    },
    refresh: () => note('refresh', status),
    download: () => note('download', { ...status, download: { done: 0, total: null } }),
    stopDownload: () => note('stopDownload', status),
    review(id, profile, action) {
      calls.push(`review ${id} ${profile} ${action}`)
      if (given.review && 'refused' in given.review)
        return Promise.resolve({ ok: false, code: given.review.refused, message: 'Refused.' })
      const row = rows.find((listing) => listing.id === id)!
      const { verdict, checkedAt, riskFlags, blockedBuilds, license } = row
      const repoUrl = row.repoUrl ?? ''
      const command = `dsh plugin --profile ${profile} add ${row.npmPackage}`
      const known = { id, profile, action, verdict, checkedAt, riskFlags, blockedBuilds, license, repoUrl }
      const none = { approval: null, trial: false, otherPlugins: null, desktop: false, cautions: [] }
      const review = { ...known, ...none, command, checkedCommand: command, token: 'token', expiresAt: 0 }
      return Promise.resolve({ ok: true, value: { ...review, ...given.review } })
    },
    async compatibility({ id, token }) {
      calls.push(`compatibility ${id} ${token}`)
      const met = {
        state: 'met',
        plugin: 'first@1.0.0',
        harnessVersion: '0.2.1-rc.2',
        requirements: [],
        allowCommand: null,
      } as const
      return { ok: true, value: given.compatibility === undefined ? met : await given.compatibility }
    },
    start({ id, token, acknowledged }) {
      calls.push(`start ${id} ${token} ${acknowledged}`)
      return Promise.resolve(given.start ?? { ok: true, value: aJob({ listing: id }) })
    },
    cancel: (job) => note(`cancel ${job}`, aJob({ id: job, state: 'cancelling' })),
    async installed(profile) {
      calls.push(`installed ${profile}`)
      return given.installed ?? { ok: true, value: [] }
    },
    async checkUpdates(profile) {
      calls.push(`checkUpdates ${profile}`)
      return given.updates ?? { ok: true, value: [] }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
