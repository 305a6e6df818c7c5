import type {
  Answer,
  CatalogueStatus,
  Job,
  Profile,
  Review,
  StoreCalls,
  StoreEvent,
  StoreListing,
} from '../protocol/index.ts'
import { catalogueCalls } from './catalogue-calls.ts'
import { consentCalls, type Reviewed } from './consent/calls.ts'
import { ConsentTokens } from './consent/tokens.ts'
import type { Diagnosis, DoctorOptions } from './doctor/diagnosis.ts'
import { fitCalls } from './fit/calls.ts'
import { createFitTools, type FitTools, upgradeCalls } from './fit/host-fit.ts'
import { recordTrial, tellsFit } from './fit/record-trials.ts'
import { answer, directoryError } from './guard/answer.ts'
import { createHostParts } from './host-parts.ts'
import { installedCalls } from './installed/calls.ts'
import { createFindListing } from './installed/installed.ts'
import { redact } from './job/redact.ts'
import { overviewCalls } from './overview-calls.ts'
import { type LastChange, profileJobs } from './profile-jobs.ts'
import type { HostOptions } from './settings.ts'

export interface StoreHost extends FitTools {
  /** The calls that pages may make. The other members are for a shell in the same process alone. */
  readonly calls: StoreCalls
  /** The harness home, absolute. */
  readonly home: string
  /** The profiles of the home, by name. Unlike `calls.overview`, this asks nobody for anything. */
  profiles(): Promise<Profile[]>
  /** @returns null when it is no longer known */
  job(id: string): Job | null
  /** Returns every listing. Unlike `calls.listings`, it makes no pages. */
  listings(): Promise<{ readonly rows: readonly StoreListing[]; readonly status: CatalogueStatus }>
  /** Reads the directory anew, unless that is going on. Resolves once it is over, however that went. */
  readDirectory(options?: { readonly replace?: boolean }): Promise<void>
  /**
   * Asks the directory for a listing itself, so that what is reviewed next is what it says now.
   *
   * @returns whether it lists the plugin
   */
  confirm(id: string): Promise<Answer<boolean>>
  /**
   * Finds out what a profile and the programs it needs are like. Changes nothing but what recovery does in any case.
   *
   * @returns findings as data; never rejects for anything that it finds
   */
  doctor(options: DoctorOptions): Promise<Diagnosis>
  /**
   * Queues a job that makes the harness start from a profile again: what earlier jobs left is recovered, and layers whose
   * package is not installed are taken out of `dsh.profile.bundles`, if a copy of the profile starts without them. Their
   * dependencies stay, so that an install brings them back. All else stays byte for byte as it is.
   *
   * @returns the job: its outcome is `repaired`, `nothing-to-do`, `profile-broken` or another failure
   */
  repair(options: { readonly profile: string }): Promise<Answer<Job>>
  /**
   * Queues a job that takes the last change of a profile back: the last job of any shell that changed it. That can be
   * undone too, which makes the change again. Its snapshot is kept until the next job begins to change the profile.
   *
   * @param change id of the job that is meant, as `lastChange` told it: one that came meanwhile is left
   * @returns the job: its outcome is `reverted`, `nothing-to-do`, `profile-changed` when somebody else changed the
   *   profile since, or another failure
   */
  undo(profile: string, change: string): Promise<Answer<Job>>
  /** @returns the change that `undo` would take back; null when none is kept */
  lastChange(profile: string): Promise<LastChange | null>
  /** Reviews the removal of any package that a profile depends on. Needs no directory. */
  reviewRemoval(target: { readonly package: string; readonly profile: string }): Promise<Answer<Review>>
  /**
   * Queues one job of several reviews of one profile. It is tried, kept or rolled back as a whole; its outcome has
   * `parts`. Refuses as `calls.start` does, for the first review that cannot be started, and then starts none; and as
   * `malformed` when there are none, two of one listing, or those of several profiles.
   */
  startAll(reviewed: readonly Reviewed[]): Promise<Answer<Job>>
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StoreEvent) => void): () => void
  /**
   * Cancels unfinished jobs, waits for their rollback, and ends all else: nothing of the host keeps the process alive or
   * goes on. The next host reports those jobs as interrupted; a shell that reports them itself cancels them first.
   */
  close(): Promise<void>
}

/**
 * Creates the store without its screen: what can be installed, into which profiles, and the jobs themselves. It begins to
 * recover what earlier hosts left.
 *
 * @throws Error with a sentence for a person when an option has no sense
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

  const { calls: overview, profiles } = overviewCalls(parts)
  const {
    calls: consent,
    startAll,
    reviewRemoval,
  } = consentCalls({
    cli,
    settings,
    ownPackage,
    listings: catalogue,
    tokens: new ConsentTokens(now),
    queue,
    compatibility,
  })
  const { close: closeFit, ...fit } = fitCalls({
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
  const installed = installedCalls({
    home,
    env,
    findListing: createFindListing({ cli, listings: catalogue, now }),
    ownPackage,
    redact: (text) => redact(text, settings.redactions),
    canSwitch: (profile) => queue.hasManager(profile),
    readStates: states.read,
  })
  // What a trial showed is kept, for the fit of that version.
  events.subscribe((event) => {
    const job = event.type === 'job' && event.job.state === 'done' ? queue.job(event.job.id) : null
    if (job === null || !tellsFit(job)) return
    const recorded = compatibility
      .version()
      .then((harnessVersion) => recordTrial(job, { cli, home, catalogue, declarations, evidence, harnessVersion }))
    background.add(recorded)
  })
  background.add(queue.recover())

  return {
    calls: { ...overview, ...catalogueCalls(parts), ...consent, ...fit, ...installed, ...upgradeCalls(states) },
    home,
    profiles,
    job: (id) => queue.job(id),
    listings: () => catalogue.all(),
    readDirectory: ({ replace = false } = {}) => catalogue.load({ force: true, replace }),
    async confirm(id) {
      const listed = await catalogue.confirm(id).catch(directoryError)
      return typeof listed === 'boolean' ? answer(listed) : listed
    },
    ...profileJobs(parts),
    ...createFitTools(parts),
    reviewRemoval,
    startAll,
    subscribe: (listener) => events.subscribe(listener),
    async close() {
      closing.abort()
      await compatibility.close()
      await closeFit()
      await Promise.all([catalogue.close(), queue.close()])
      await background.ended()
      await Promise.all([declarations.save(), evidence.opened])
      events.clear()
    },
  }
}
