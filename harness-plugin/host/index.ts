/** The store without a screen. A shell passes calls to its `serve`, and the events of `subscribe` to its pages. */
import { join } from 'node:path'
import { type InstallSpec, parseDependency, sourceOfId } from '@plugmark/shared/install'
import { OPTIONS } from '../config.ts'
import type {
  Answer,
  Audit,
  CallInput,
  HarnessUpgrade,
  Job,
  OutcomeKind,
  Profile,
  StoreCalls,
  StoreEvent,
  VersionChanges,
} from '../protocol/index.ts'
import { answer, refuse, unknownProfile } from '../protocol/protocol.ts'
import { Details } from './answers/details.ts'
import { fitCalls } from './answers/fit.ts'
import { createFindListing, InstalledPlugins } from './answers/installed.ts'
import { Maintenance } from './answers/maintenance.ts'
import { Overview } from './answers/overview.ts'
import { createExpectedBuilds } from './builds/expected-builds.ts'
import { type AllListings, Catalogue } from './catalogue/catalogue.ts'
import { directoryError } from './catalogue/directory.ts'
import { type Diagnosis, type DoctorOptions, readPatches } from './doctor/diagnose.ts'
import { type TryOptions, type TryResult, tryPlugin } from './doctor/try-plugin.ts'
import { checkUpgrade, type UpgradeOptions, type UpgradeResult, upgradeCheckCalls } from './doctor/upgrade.ts'
import { BackgroundWork, StoreEvents } from './events.ts'
import { redact } from './harness/output.ts'
import { isDesktop } from './harness/running-harness.ts'
import { auditProfile, type BadDatabase, readDatabase } from './inspection/advisories.ts'
import { compareVersions } from './inspection/compare.ts'
import { JobQueue } from './jobs/queue.ts'
import { CompatibilityCheck } from './plugins/compatibility.ts'
import { Declarations } from './plugins/declarations.ts'
import { openEvidence, openLastSeen } from './plugins/evidence.ts'
import { createStateReader } from './plugins/states.ts'
import { watchProfiles } from './plugins/watch.ts'
import { findProgram } from './process/run.ts'
import { readProfile, realProfileDirectory } from './profile/home.ts'
import { readProfileState } from './profile/state.ts'
import { lastSeenFile, sharedFile } from './profile/state-folder.ts'
import { Registry } from './registry/registry.ts'
import { pickRelease } from './releases/release-age.ts'
import { Consent } from './review/consent.ts'
import { configurationCalls, type HostOptions, readSettings } from './settings.ts'

export type * from '../protocol/index.ts'
export { JOB_STAGES } from '../protocol/jobs.ts'
export { PROBLEMS, type Problem } from '../protocol/problems.ts'
export { CALL_NAMES, type CallGuard, refuse, serve } from '../protocol/protocol.ts'
export type { AllListings } from './catalogue/catalogue.ts'
export type { Diagnosis, DoctorOptions } from './doctor/diagnose.ts'
export type { TriedPlugin } from './doctor/try-plugin.ts'
export type { PluginManager, RunningHarness } from './harness/running-harness.ts'
export type { ConfigurationFile, HarnessCommand, HostOptions, ShellOptions } from './settings.ts'

interface AuditOptions {
  readonly profile: string
  /** Path of a file to look in, instead of asking the registries. */
  readonly database?: string | undefined
  readonly signal: AbortSignal
}

interface CompareOptions {
  readonly profile: string
  readonly spec: InstallSpec
  /** Its name in the profile; null when it is not installed. */
  readonly package: string | null
  readonly before: string | null
  readonly after: string | null
  readonly signal: AbortSignal
}

interface PickOptions {
  readonly package: string
  readonly profile: string
  /** A range or a tag. */
  readonly wanted: string
  readonly signal: AbortSignal
}

/** A host as its shells use it. */
export type StoreHost = Pick<Host, keyof Host>

/**
 * Creates the store without its screen: listings, profiles and jobs. Starts to recover what earlier hosts left.
 *
 * @throws Error with a sentence for a person when an option is invalid
 */
export const createStoreHost = (options: HostOptions = {}): StoreHost => new Host(options)

/** Ends of jobs that change what is known of a listing's fit, besides a trial that passed. */
const TELLING: readonly OutcomeKind[] = ['stops-harness', 'does-not-start', 'breaks-screen', 'not-found']

/** The only wiring of the store: options become parts, and parts become calls. */
class Host {
  readonly #parts: ReturnType<typeof createParts>
  readonly #overview: Overview
  readonly #maintenance: Maintenance
  readonly #fit: ReturnType<typeof fitCalls>
  /** Calls that pages may make, through `serve`. The other members are only for a shell in the same process. */
  readonly calls: StoreCalls
  /** The harness home, absolute. */
  readonly home: string
  /** Program that starts the harness. */
  readonly program: string

  constructor(options: HostOptions) {
    const parts = createParts(options)
    const { settings, events, background, closing, catalogue, queue, compatibility, states } = parts
    const { cli, home, env, now } = settings
    const { rawUrl, apiUrl } = options
    this.#parts = parts
    this.home = home
    this.program = settings.command[0] ?? cli
    this.#overview = new Overview(parts)
    this.#maintenance = new Maintenance(parts)
    const readBuilds = createExpectedBuilds({ env, signal: closing.signal, now })
    const consent = new Consent({ ...parts, cli, rawUrl, listings: catalogue, readBuilds, now })
    const shared = { ...parts, cli, home, env, now, version: compatibility.version, signal: closing.signal }
    this.#fit = fitCalls({ ...shared, emit: (event) => events.emit(event) })
    const installed = new InstalledPlugins({
      home,
      env,
      signal: closing.signal,
      apiUrl,
      findListing: createFindListing({ cli, listings: catalogue, now }),
      ownPackage: settings.ownPackage,
      redact: (text) => redact(text, settings.redactions),
      now,
      recovered: () => queue.recovered(),
      onChange: () => background.add(this.#overview.emitProfiles()),
      canSwitch: async (profile) => !isDesktop(settings, profile) || queue.hasManager(profile),
      switchesLive: (profile) => queue.hasManager(profile),
      readStates: states.read,
    })
    const { refreshFit: _, ...fit } = this.#fit
    this.calls = {
      ...this.#overview.calls,
      ...directoryCalls(catalogue, background),
      ...consent.calls,
      ...fit,
      ...upgradeCheckCalls(parts),
      ...new Details({ ...shared, rawUrl, apiUrl }).calls,
      ...installed.calls,
      ...this.#maintenance.calls,
      updateChanges: (input) => this.#updateChanges(input),
      ...configurationCalls(options, { settings, jobs: () => queue.jobs() }),
    }
    this.#showTrialResults()
    background.add(queue.recover())
    const { hasPage } = settings.trial
    const onChange = () => this.#overview.emitProfiles()
    watchProfiles({ home, running: settings.running, hasPage, onChange, signal: closing.signal })
  }

  /** Shows the result of each trial on the listing's row. */
  #showTrialResults(): void {
    const { events, background, queue } = this.#parts
    events.subscribe((event) => {
      const job = event.type === 'job' && event.job.state === 'done' ? queue.job(event.job.id) : null
      if (!job?.outcome || (job.outcome.trial === null && !TELLING.includes(job.outcome.kind))) return
      for (const listing of job.listing === null ? [] : [job.listing, ...job.more])
        if (sourceOfId(listing) === null) background.add(this.#fit.refreshFit(listing, job.profile))
    })
  }

  /** @returns a function that ends the subscription */
  readonly subscribe = (listener: (event: StoreEvent) => void): (() => void) => this.#parts.events.subscribe(listener)

  /** Returns the profiles of the home by name. Unlike `calls.overview`, starts no program. */
  readonly profiles = (): Promise<Profile[]> => this.#overview.profiles()

  /** Returns a job; null when it is no longer known. */
  readonly job = (id: string): Job | null => this.#parts.queue.job(id)

  /** Returns the path of the log of a job that ran on a profile; null when none is kept. */
  /** Finds the file of the program that starts the harness; null when there is none. */
  readonly findProgram = (): Promise<string | null> => findProgram(this.program, this.#parts.settings.env)

  readonly logFile = (profile: string, job: string): Promise<string | null> => this.#maintenance.logFile(profile, job)

  /** Returns every listing. Unlike `calls.listings`, does not split them into pages. */
  readonly listings = (): Promise<AllListings> => this.#parts.catalogue.all()

  /**
   * Reads the directory again, unless a reading is running. Resolves when it has succeeded or failed.
   *
   * @param options.force false to read nothing for a minute after a request that has not succeeded @default true
   */
  async readDirectory({ replace = false, force = true } = {}): Promise<void> {
    const { catalogue } = this.#parts
    if (force || !(await catalogue.triedLately())) await catalogue.load({ force: true, replace })
  }

  /**
   * Requests a listing from the directory, so that the next review uses its current record.
   *
   * @returns true if the directory lists the plugin
   */
  confirm(id: string): Promise<Answer<boolean>> {
    return this.#parts.catalogue.confirm(id).then(answer, directoryError)
  }

  /**
   * Compares the files of two versions of a plugin, or of two commits of its repository.
   *
   * @param options.before null for the installed one, or the one before `after`
   * @param options.after null for the newest
   */
  async compare({ profile, spec, package: name, before, after, signal }: CompareOptions): Promise<VersionChanges> {
    const { home, env } = this.#parts.settings
    const directory = await realProfileDirectory(home, profile)
    const state = before === null && name !== null ? await readProfileState(directory) : null
    const installed = (spec.kind === 'npm' ? state?.versions : state?.commits)?.get(name ?? '')
    const listings = spec.kind === 'npm' ? await this.#parts.catalogue.published(spec.name).catch(() => []) : []
    const repoUrls = listings.map((id) => `https://github.com/${id}`)
    return compareVersions({ spec, before: before ?? installed ?? null, after, repoUrls, directory, env, signal })
  }

  async #updateChanges({ package: name, profile, after }: CallInput<'updateChanges'>): Promise<Answer<VersionChanges>> {
    const known = await readProfile(this.home, profile)
    if (known === null) return unknownProfile(profile)
    const source = known.dependencies[name]
    if (source === undefined) return refuse('not-installed', 'This plugin is not installed in the profile.')
    const spec = parseDependency(name, source)
    if (spec === null) return refuse('other-source', 'Only packages of a registry and repositories are compared.')
    const { signal } = this.#parts.closing
    return answer(await this.compare({ profile, spec, package: name, before: null, after, signal }))
  }

  /** Returns the version of a package that an install of a range or a tag takes; null when that is none, or unknown. */
  async pickVersion({ package: name, profile, wanted, signal }: PickOptions): Promise<string | null> {
    const { home, env } = this.#parts.settings
    const registry = new Registry(await realProfileDirectory(home, profile), env)
    const answer = await registry.package(name, { signal })
    if (answer.state !== 'read') return null
    const readAge = () => this.#parts.compatibility.releaseAge(profile)
    return pickRelease(answer.document, wanted, { readAge, registry, signal, now: this.#parts.settings.now() })
  }

  /** Looks up what is known against the packages of a profile. */
  async audit({ profile, database, signal }: AuditOptions): Promise<Audit | BadDatabase> {
    const { home, env } = this.#parts.settings
    const read = database === undefined ? null : await readDatabase(database)
    if (read?.state === 'bad-database') return read
    const directory = await realProfileDirectory(home, profile)
    return auditProfile({ directory, env, signal, database: read?.database })
  }

  /** Returns the paths of the patches of packages that a profile's settings name. */
  async patches(profile: string): Promise<string[]> {
    return (await readPatches(await realProfileDirectory(this.home, profile))).map(({ patch }) => patch)
  }

  /**
   * Examines a profile and the programs that it needs. Changes nothing apart from recovery, which runs in any case.
   *
   * @returns findings as data; no finding makes it reject
   */
  readonly doctor = (options: DoctorOptions): Promise<Diagnosis> => this.#maintenance.doctor(options)

  /**
   * Queues a job that makes the harness start from a profile again. Recovers what earlier jobs left, and removes layers
   * whose package is not installed from `dsh.profile.bundles` if a copy of the profile starts without them. Their
   * dependencies stay, so that an install restores them. Everything else stays byte for byte as it is.
   *
   * @returns the job: its outcome is `repaired`, `nothing-to-do`, `profile-broken` or another failure
   */
  readonly repair = (options: { readonly profile: string }): Promise<Answer<Job>> => this.#maintenance.repair(options)

  /**
   * Finds out if the harness was upgraded since its plugins were last seen running, and which of them no longer run in the
   * host's own profile. Also emits an event.
   */
  readonly findUpgrade = (): Promise<HarnessUpgrade | null> => this.#overview.findUpgrade()

  /**
   * Runs an install command in a throw-away home, and starts the harness with what it installed. The plugin's code runs on
   * this machine. Changes no profile.
   */
  readonly tryPlugin = (options: TryOptions): Promise<TryResult> => tryPlugin(this.#parts, options)

  /** Checks a profile against another version of the harness. Changes nothing. */
  readonly checkUpgrade = (options: UpgradeOptions): Promise<UpgradeResult> => checkUpgrade(this.#parts, options)

  /**
   * Cancels unfinished jobs, waits for their rollback, and ends all other work, so that the process can end. The next
   * host reports those jobs as interrupted; a shell that reports them itself cancels them first.
   */
  async close(): Promise<void> {
    const { closing, catalogue, queue, background, declarations, events } = this.#parts
    closing.abort()
    await Promise.all([catalogue.close(), queue.close()])
    await background.ended()
    await declarations.save()
    events.clear()
  }
}

/** Creates the parts of a host from its options. Starts nothing. */
function createParts(options: HostOptions) {
  const settings = readSettings(options)
  const { env, now, home } = settings
  const { stateDir = null, onProblem = () => {}, rawUrl } = options
  const events = new StoreEvents(onProblem)
  const background = new BackgroundWork(onProblem)
  const closing = new AbortController()
  const { signal } = closing
  const declarationsFile = stateDir && join(stateDir, 'declarations.json')
  const declarations = new Declarations({ path: declarationsFile, env, signal, now, onProblem, rawUrl })
  const evidence = openEvidence({ path: stateDir && sharedFile(home, 'fit-trials.json'), now, onProblem })
  const compatibility = new CompatibilityCheck({ settings, declarations, evidence, signal, background })
  const lastSeen = openLastSeen({ path: stateDir && lastSeenFile(home), onProblem })
  return {
    settings,
    events,
    background,
    closing,
    catalogue: new Catalogue({
      baseUrl: options.baseUrl ?? OPTIONS.api.default,
      cli: settings.cli,
      stateDir,
      now,
      onStatus: (status) => events.emit({ type: 'catalogue', status }),
      onProblem,
      ...(options.fetch ? { fetch: options.fetch } : {}),
    }),
    queue: new JobQueue(settings, onProblem, {
      emit: (event) => events.emit(event),
      starts: {
        async add(tried) {
          const harnessVersion = await compatibility.version()
          if (harnessVersion !== null) await evidence.add(tried, harnessVersion)
        },
        async hasRun(plugin) {
          const harnessVersion = await compatibility.version()
          await evidence.refresh()
          return harnessVersion !== null && evidence.find(plugin, harnessVersion)?.runs === true
        },
      },
    }),
    declarations,
    compatibility,
    evidence,
    states: createStateReader({ settings, version: compatibility.version, evidence, lastSeen }),
  }
}

const unlisted = () => refuse('unknown-listing', 'The directory does not list this plugin.')

/** Creates the calls that read the directory. */
function directoryCalls(
  catalogue: Catalogue,
  background: BackgroundWork,
): Pick<StoreCalls, 'listings' | 'search' | 'describe' | 'details' | 'refresh'> {
  return {
    listings: async ({ from }) => answer(await catalogue.page(from)),
    search: ({ query }) => catalogue.search(query).then(answer, directoryError),
    describe: ({ ids }) => catalogue.describe(ids).then(answer, directoryError),
    details: ({ id, profile }) =>
      catalogue.details(id, profile).then((found) => (found === null ? unlisted() : answer(found)), directoryError),
    async refresh({ replace = false }) {
      background.add(catalogue.load({ force: true, replace }))
      return answer(catalogue.status())
    },
  }
}
