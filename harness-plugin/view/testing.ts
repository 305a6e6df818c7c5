/** For tests of the screen: listings, jobs, and a bridge that answers from memory. */
import type {
  Answer,
  CallName,
  CatalogueStatus,
  DeclaredFit,
  FactName,
  Fit,
  Fits,
  HistoryEntry,
  Inspection,
  InstalledPlugin,
  Job,
  KnownFacts,
  LastChange,
  ListingDetails,
  Outcome,
  OutcomeKind,
  Overview,
  PackageVersions,
  RefusalCode,
  RepositoryFacts,
  RepositoryText,
  Review,
  StoreBridge,
  StoreCalls,
  StoreEvent,
  StoreListing,
  UpdateChecks,
  VersionDiff,
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
    pushedAt: '2026-08-19T10:00:00.000Z',
    repoUrl: `https://github.com/${id}`,
    ...change,
  }
}

export function aJob(change: Partial<Job> = {}): Job {
  return {
    id: 'job',
    action: 'install',
    listing: 'a/first',
    more: [],
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
    again: null,
    outcome: null,
    output: [],
    dropped: 0,
    ...change,
  }
}

const NO_INSPECTION = { plugin: '', before: null, code: null, origin: null, advisories: null }
const NO_REVIEW = {
  verdict: null,
  checkedAt: null,
  riskFlags: [],
  blockedBuilds: [],
  allowedBuilds: [],
  license: null,
  repoUrl: '',
  checkedCommand: '',
  approval: null,
  trial: false,
  otherPlugins: null,
  desktop: false,
  cautions: [],
  wayBack: null,
  token: 'token',
  expiresAt: 0,
  version: null,
  installed: null,
  passedOver: null,
  loadedAs: null,
  commit: null,
  contents: null,
  past: null,
  held: null,
}

export const READY: CatalogueStatus = {
  state: 'ready',
  revision: 0,
  end: 0,
  count: 0,
  described: 0,
  rejected: 0,
  loadedAt: 0,
  failure: null,
  difference: null,
  generated: null,
}

/** Returns a plugin that runs and has an update. */
export const anInstalledPlugin = (name: string, change: Partial<InstalledPlugin> = {}): InstalledPlugin => ({
  name,
  spec: '^1.0.0',
  version: '1.0.0',
  latest: '1.1.0',
  updateProblem: null,
  advisories: [],
  news: [],
  directorySource: null,
  state: { kind: 'running', why: [], harnessVersion: '0.2.1-rc.2', steps: [], allowCommand: null },
  ...{
    waiting: null,
    hold: null,
    listing: `a/${name}`,
    layer: true,
    enabled: true,
    switchesLive: true,
    removable: true,
  },
  unmanagedReason: null,
  ...change,
})

export const aFit = (change: Partial<DeclaredFit> = {}): DeclaredFit => ({
  state: 'not-declared',
  plugin: 'first@1.0.0',
  harnessVersion: '0.2.1-rc.2',
  requirements: [],
  allowCommand: null,
  problem: null,
  foreignScope: false,
  registry: null,
  integrity: null,
  shadows: [],
  deprecated: null,
  fitting: null,
  trial: null,
  ...change,
})

export const anOutcome = (kind: OutcomeKind): Outcome => ({
  kind,
  subjects: [],
  parts: [],
  rollback: null,
  quarantined: [],
  profile: null,
  trial: null,
  activation: 'unchanged',
  removeCommand: null,
  allowCommand: null,
})

export interface FakeBridge extends StoreBridge {
  /** Calls so far, each as its name and the values of its input. */
  readonly calls: string[]
  /** Answers each call. A test may replace one; a call without an answer rejects. */
  readonly answers: { -readonly [Name in CallName]?: StoreCalls[Name] }
  push(event: StoreEvent): void
}

const ok = <T>(value: T): Answer<T> => ({ ok: true, value })

const UNKNOWN_FIT: Fit = {
  state: 'unknown',
  plugin: null,
  harnessVersion: '0.2.1-rc.2',
  needs: null,
  requirements: [],
  breaksPage: false,
  why: [],
  triedAt: null,
  fitting: null,
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
    declaredFit?: DeclaredFit | null | Promise<DeclaredFit | null>
    inspection?: Inspection | Promise<Inspection>
    diff?: VersionDiff | Promise<VersionDiff>
    fit?: Partial<Fit>
    versions?: PackageVersions
    repository?: Partial<RepositoryFacts & { readonly state: 'read' }>
    text?: (language: 'en' | 'zh') => RepositoryText | Promise<RepositoryText>
    fits?: Fits['fits']
    misfits?: Fits['misfits']
    start?: Answer<Job>
    history?: readonly HistoryEntry[]
    installed?: Answer<readonly InstalledPlugin[]>
    updates?: Answer<readonly InstalledPlugin[]>
    checks?: Partial<UpdateChecks>
    lastChange?: LastChange
  } = {},
): FakeBridge {
  const calls: string[] = []
  const listeners = new Set<(event: StoreEvent) => void>()
  const { length } = rows
  const status = { ...READY, end: length, count: length, described: length, ...given.status }
  const overview: Overview = {
    cli: 'dsh',
    profiles: [{ name: 'web', layers: [], dependencies: {} }],
    profile: 'web',
    harness: 'found',
    program: { command: '~/.local/bin/dsh', version: null },
    desktop: false,
    restart: null,
    upgrade: null,
    jobs: [],
    ...given.overview,
  }
  let installed = given.installed ?? ok([])
  let checks: UpdateChecks = { automatic: true, checkedAt: null, unknownSince: null, ...given.checks }
  const fits: Fits = {
    harnessVersion: '0.2.1-rc.2',
    fits: given.fits ?? [],
    misfits: given.misfits ?? [],
    total: 3,
  }
  const answers: FakeBridge['answers'] = {
    overview: async () => ok(overview),
    async listings({ from }) {
      const some = rows.slice(from, from + 2)
      return ok({ status, from, next: from + some.length, rows: some })
    },
    search: async () => ok(given.found ?? []),
    describe: async ({ ids }) => ok(given.described?.filter(({ id }) => ids.includes(id)) ?? []),
    async details({ id, profile }) {
      const row = rows.find((listing) => listing.id === id) ?? aListing(id)
      const command = `dsh plugin --profile ${profile} add ${row.npmPackage}`
      const more = { command, reason: null, options: [], siblings: [], page: null }
      return ok({ ...row, ...more, ...given.details })
    },
    refresh: async () => ok(status),
    async review({ id, profile, action }) {
      if (given.review && 'refused' in given.review)
        return { ok: false, code: given.review.refused, message: 'Refused.' }
      const row = rows.find((listing) => listing.id === id)!
      const { verdict, checkedAt, riskFlags, blockedBuilds, license } = row
      const command = `dsh plugin --profile ${profile} add ${row.npmPackage}`
      const commands = { command, checkedCommand: command }
      const known = { verdict, checkedAt, riskFlags, blockedBuilds, license, repoUrl: row.repoUrl ?? '' }
      return ok({ ...NO_REVIEW, id, profile, action, ...commands, ...known, ...given.review })
    },
    async facts({ wanted }) {
      const one = async (name: FactName): Promise<KnownFacts> => {
        if (name === 'fit') return { fit: given.declaredFit === undefined ? aFit() : await given.declaredFit }
        const { plugin, before, code, origin, advisories } = (await given.inspection) ?? NO_INSPECTION
        if (name === 'code') return { code: code && { plugin, before, code } }
        return name === 'origin' ? { origin } : { advisories }
      }
      return ok(await Promise.race(wanted.map(one)))
    },
    diff: async () => ok((await given.diff) ?? null),
    updateDiff: async () => ok((await given.diff)!),
    async reviewSpec({ spec, profile }) {
      const command = `dsh plugin --profile ${profile} add ${spec}`
      const known = { license: 'MIT', trial: true, cautions: ['unlisted' as const] }
      return ok({ ...NO_REVIEW, id: spec, profile, action: 'install', command, ...known })
    },
    dismissUpgrade: async () => ok(null),
    versions: async () => ok(given.versions ?? { state: 'repository' }),
    repositoryFacts: async () =>
      ok({ state: 'read', openIssues: 12, isArchived: false, pushedAt: null, ...given.repository }),
    repositoryText: async ({ language }) => ok(await (given.text?.(language) ?? { state: 'not-found' })),
    repositoryPicture: async () => ok({ state: 'not-found' }),
    fit: async () => ok({ ...UNKNOWN_FIT, ...given.fit }),
    fits: async () => ok(fits),
    reviewPackage: async ({ package: name, profile, action }) => {
      const verb = action === 'remove' ? 'remove' : 'update --latest'
      const command = `dsh plugin --profile ${profile} ${verb} ${name}`
      return ok({ ...NO_REVIEW, id: name, profile, action, command, ...(given.review as Partial<Review>) })
    },
    switchPlugin: async ({ package: name, listing, enabled }) =>
      ok(aJob({ action: enabled ? 'enable' : 'disable', listing: listing ?? name, command: null })),
    startAll: async ({ reviews: [first, ...others] }) =>
      ok(aJob({ action: 'update', listing: first!.id, more: others.map(({ id }) => id) })),
    start: async ({ id }) => given.start ?? ok(aJob({ listing: id })),
    cancel: async ({ job }) => ok(aJob({ id: job, state: 'cancelling' })),
    installed: async () => installed,
    history: async () => ok(given.history ?? []),
    jobLog: async () => ok([]),
    async checkUpdates({ ifDue }) {
      if (!ifDue) {
        checks = { ...checks, checkedAt: Date.now() }
        if (given.updates?.ok === false) return given.updates
        installed = given.updates ?? installed
      }
      return installed
    },
    configuration: async () => ok(null),
    updateChecks: async () => ok(checks),
    async setUpdateChecks({ automatic }) {
      checks = { ...checks, automatic }
      return ok(checks)
    },
    lastChange: async () => ok(given.lastChange ?? null),
    undo: async () => ok(aJob({ action: 'undo', command: null })),
    hold: async () => ok(null),
    unhold: async () => ok(null),
  }
  return {
    calls,
    answers,
    async call(name, input) {
      calls.push([name, ...Object.values(input).flat()].join(' '))
      const answer = answers[name]
      if (!answer) throw new Error(`aBridge has no answer to "${name}"`)
      return answer(input)
    },
    push: (event) => {
      for (const listener of listeners) listener(event)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
