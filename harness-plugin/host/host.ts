import { sourceOfId } from '@plugmark/shared/install'
import type {
  Answer,
  HarnessUpgrade,
  Job,
  LastChange,
  OutcomeKind,
  Profile,
  StoreCalls,
  StoreEvent,
} from '../protocol/index.ts'
import { createExpectedBuilds } from './builds/expected-builds.ts'
import type { AllListings } from './catalogue/catalogue.ts'
import { catalogueCalls } from './catalogue-calls.ts'
import { configurationCalls } from './configuration-calls.ts'
import { Consent } from './consent.ts'
import { detailCalls } from './details/detail-calls.ts'
import type { Diagnosis, DoctorOptions } from './doctor/diagnose.ts'
import { type TryOptions, type TryResult, tryPlugin } from './doctor/try-plugin.ts'
import { checkUpgrade, type UpgradeOptions, type UpgradeResult, upgradeCheckCalls } from './doctor/upgrade.ts'
import { answer, directoryError } from './guard/make-answer.ts'
import { redact } from './harness/output.ts'
import { isDesktop } from './harness/running-harness.ts'
import { historyCalls } from './history-calls.ts'
import { createHostParts, type HostParts } from './host-parts.ts'
import type { HostOptions } from './host-settings.ts'
import { overviewCalls } from './overview-calls.ts'
import { fitCalls } from './plugins/fit-calls.ts'
import { installedCalls } from './plugins/installed-calls.ts'
import { createFindListing } from './plugins/list-installed.ts'
import { profileJobs } from './profile-jobs.ts'
import { repairCalls } from './repair-calls.ts'
import { upgradeCalls, watchUpgrades } from './watch-upgrades.ts'

export interface StoreHost {
  /**
   * Runs an install command in a throw-away home, and starts the harness with what it installed. The plugin's code runs on
   * this machine. Changes no profile.
   */
  tryPlugin(options: TryOptions): Promise<TryResult>
  /** Checks a profile against another version of the harness. Changes nothing. */
  checkUpgrade(options: UpgradeOptions): Promise<UpgradeResult>
  /** Calls that pages may make. The other members are only for a shell in the same process. */
  readonly calls: StoreCalls
  /** The harness home, absolute. */
  readonly home: string
  /** Returns the profiles of the home by name. Unlike `calls.overview`, starts no program. */
  profiles(): Promise<Profile[]>
  /** Returns a job; null when it is no longer known. */
  job(id: string): Job | null
  /** Returns the path of the log of a job that ran on a profile; null when none is kept. */
  logFile(profile: string, job: string): Promise<string | null>
  /** Returns every listing. Unlike `calls.listings`, does not split them into pages. */
  listings(): Promise<AllListings>
  /**
   * Reads the directory again, unless a reading is running. Resolves when it has succeeded or failed.
   *
   * @param options.force false to read nothing for a minute after a request that has not succeeded @default true
   */
  readDirectory(options?: { readonly replace?: boolean; readonly force?: boolean }): Promise<void>
  /**
   * Requests a listing from the directory, so that the next review uses its current record.
   *
   * @returns true if the directory lists the plugin
   */
  confirm(id: string): Promise<Answer<boolean>>
  /**
   * Examines a profile and the programs that it needs. Changes nothing apart from recovery, which runs in any case.
   *
   * @returns findings as data; no finding makes it reject
   */
  doctor(options: DoctorOptions): Promise<Diagnosis>
  /**
   * Queues a job that makes the harness start from a profile again. Recovers what earlier jobs left, and removes layers
   * whose package is not installed from `dsh.profile.bundles` if a copy of the profile starts without them. Their
   * dependencies stay, so that an install restores them. Everything else stays byte for byte as it is.
   *
   * @returns the job: its outcome is `repaired`, `nothing-to-do`, `profile-broken` or another failure
   */
  repair(options: { readonly profile: string }): Promise<Answer<Job>>
  /**
   * Queues a job that undoes the last change of a profile: the last job of any shell that changed it. An undo can be
   * undone too, which makes the change again. The snapshot is kept until the next job begins to change the profile.
   *
   * @param change id of the job to undo, from `lastChange`: a later change is left as it is
   * @returns the job: its outcome is `reverted`, `nothing-to-do`, `profile-changed` when another program has changed
   *   the profile since, or another failure
   */
  undo(profile: string, change: string): Promise<Answer<Job>>
  /** Returns the change that `undo` would undo; null when no snapshot is kept. */
  lastChange(profile: string): Promise<LastChange | null>
  /**
   * Finds out if the harness was upgraded since its plugins were last seen running, and which of them no longer run in the
   * host's own profile. Also emits an event.
   */
  findUpgrade(): Promise<HarnessUpgrade | null>
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StoreEvent) => void): () => void
  /**
   * Cancels unfinished jobs, waits for their rollback, and ends all other work, so that the process can end. The next
   * host reports those jobs as interrupted; a shell that reports them itself cancels them first.
   */
  close(): Promise<void>
}

/**
 * Creates the store without its screen: listings, profiles and jobs. Starts to recover what earlier hosts left.
 *
 * @throws Error with a sentence for a person when an option is invalid
 */
export function createStoreHost(options: HostOptions = {}): StoreHost {
  const parts = createHostParts(options)
  const {
    settings,
    ownPackage,
    events,
    background,
    closing,
    catalogue,
    queue,
    compatibility,
    declarations,
    states,
    evidence,
  } = parts
  const { cli, home, env, now } = settings

  const upgrades = watchUpgrades(parts)
  const { calls: overview, profiles } = overviewCalls(parts, upgrades)
  const { calls: history, logFile } = historyCalls(parts)
  const consent = new Consent({
    cli,
    settings,
    rawUrl: options.rawUrl,
    listings: catalogue,
    queue,
    compatibility,
    readBuilds: createExpectedBuilds({ env, signal: closing.signal, now }),
    now,
  })
  const {
    close: closeFit,
    refreshFit,
    ...fit
  } = fitCalls({
    cli,
    home,
    catalogue,
    declarations,
    evidence,
    now,
    emit: (event) => events.emit(event),
    version: compatibility.version,
    signal: closing.signal,
  })
  const details = detailCalls({
    cli,
    home,
    env,
    catalogue,
    evidence,
    now,
    version: compatibility.version,
    signal: closing.signal,
    rawUrl: options.rawUrl,
    apiUrl: options.apiUrl,
  })
  const installed = installedCalls({
    home,
    env,
    findListing: createFindListing({ cli, listings: catalogue, now }),
    ownPackage,
    redact: (text) => redact(text, settings.redactions),
    now,
    onChange: () => background.add(profiles().then((profiles) => events.emit({ type: 'profiles', profiles }))),
    canSwitch: async (profile) => !isDesktop(settings, profile) || queue.hasManager(profile),
    switchesLive: (profile) => queue.hasManager(profile),
    readStates: states.read,
  })
  showTrialResults(parts, refreshFit)
  background.add(queue.recover())
  const { start, ...profileWide } = profileJobs(parts)

  return {
    calls: {
      ...overview,
      ...catalogueCalls(parts),
      ...consent.calls,
      ...fit,
      ...upgradeCheckCalls(parts),
      ...details,
      ...installed,
      ...history,
      ...repairCalls(parts, { start, ...profileWide }),
      ...upgradeCalls(upgrades),
      ...configurationCalls(options),
      lastChange: async ({ profile }) => answer(await profileWide.lastChange(profile)),
      undo: ({ profile, change }) => profileWide.undo(profile, change),
    },
    home,
    profiles,
    job: (id) => queue.job(id),
    logFile,
    listings: () => catalogue.all(),
    async readDirectory({ replace = false, force = true } = {}) {
      if (force || !(await catalogue.triedLately())) await catalogue.load({ force: true, replace })
    },
    async confirm(id) {
      const listed = await catalogue.confirm(id).catch(directoryError)
      return typeof listed === 'boolean' ? answer(listed) : listed
    },
    ...profileWide,
    tryPlugin: (options) => tryPlugin(parts, options),
    checkUpgrade: (options) => checkUpgrade(parts, options),
    findUpgrade: upgrades.find,
    subscribe: (listener) => events.subscribe(listener),
    async close() {
      closing.abort()
      await compatibility.close()
      await closeFit()
      await Promise.all([catalogue.close(), queue.close()])
      await background.ended()
      await declarations.save()
      events.clear()
    },
  }
}

/** Ends of jobs that change what is known of a listing's fit, besides a trial that passed. */
const TELLING: readonly OutcomeKind[] = ['stops-harness', 'does-not-start', 'breaks-screen', 'not-found']

/** Shows the result of each trial on the listing's row. */
function showTrialResults(
  { events, background, queue }: HostParts,
  refreshFit: (listing: string) => Promise<void>,
): void {
  events.subscribe((event) => {
    const job = event.type === 'job' && event.job.state === 'done' ? queue.job(event.job.id) : null
    if (!job?.outcome || (job.outcome.trial === null && !TELLING.includes(job.outcome.kind))) return
    for (const listing of job.listing === null ? [] : [job.listing, ...job.more])
      if (sourceOfId(listing) === null) background.add(refreshFit(listing))
  })
}
