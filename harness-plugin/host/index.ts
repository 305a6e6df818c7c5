/** The store without a screen. A shell passes calls to its `serve`, and the events of `subscribe` to its pages. */
import { hidePasswords } from '@plugmark/shared/contract'
import type { Answer, Job, StoreCalls, StoreEvent } from '../protocol/index.ts'
import { answer } from '../protocol/protocol.ts'
import { Configuration } from './answers/configuration.ts'
import { InstalledPlugins } from './answers/installed.ts'
import { Maintenance } from './answers/maintenance.ts'
import { Overview } from './answers/overview.ts'
import { PluginFit } from './answers/plugin-fit.ts'
import { ProfileLocks } from './answers/profile-locks.ts'
import { Repository } from './answers/repository.ts'
import { Diff } from './answers/update-diff.ts'
import { Upgrades } from './answers/upgrades.ts'
import { Versions } from './answers/versions.ts'
import type { AllListings, Catalogue } from './catalogue/catalogue.ts'
import { directoryError } from './catalogue/directory.ts'
import { type TryOptions, type TryResult, tryPlugin } from './doctor/try-plugin.ts'
import { createParts } from './parts.ts'
import { profileDirectory } from './profile/home.ts'
import { registryAddress } from './registry/registry.ts'
import { Consent } from './review/consent.ts'
import type { HostOptions, Replacements } from './settings.ts'

export type * from '../protocol/index.ts'
export { JOB_STAGES } from '../protocol/jobs.ts'
export { PROBLEMS, type Problem } from '../protocol/problems.ts'
export { CALL_NAMES, CALLS, type CallGuard, refuse, serve } from '../protocol/protocol.ts'
export { configurationFile } from './answers/configuration.ts'
export type { AllListings } from './catalogue/catalogue.ts'
export type { Diagnosis, DoctorOptions } from './doctor/diagnose.ts'
export type { PluginManager, RunningHarness } from './harness/running-harness.ts'
export type { ConfigurationFile, HarnessCommand, HostOptions, Replacements, ShellOptions } from './settings.ts'

/** A host as its shells use it. */
export type StoreHost = ReturnType<typeof createStoreHost>

/**
 * Creates the store without its screen: listings, profiles and jobs. Starts to recover what earlier hosts left.
 *
 * @param replaced for tests
 * @throws Error with a sentence for the user when an option is invalid
 */
export function createStoreHost(options: HostOptions = {}, replaced: Replacements = {}) {
  const parts = createParts(options, replaced)
  const { settings, events, background, closing, catalogue, queue, declarations } = parts
  const upgrades = new Upgrades(parts)
  const overview = new Overview(parts, upgrades)
  const versions = new Versions(parts)
  const repository = new Repository(parts)
  const fit = new PluginFit(parts)
  const consent = new Consent(parts)
  const installed = new InstalledPlugins(parts, overview)
  const diff = new Diff(parts)
  const maintenance = new Maintenance(parts)
  const locks = new ProfileLocks(parts, versions)
  const configuration = new Configuration(parts)
  const calls: StoreCalls = {
    overview: overview.overview,
    ...upgrades.calls,
    ...catalogue.calls,
    ...versions.calls,
    ...repository.calls,
    ...fit.calls,
    ...consent.calls,
    ...installed.calls,
    ...diff.calls,
    ...maintenance.calls,
    ...locks.calls,
    ...configuration.calls,
  }
  background.add(queue.recover())
  return {
    /** Calls that pages may make, through `serve`. The other members are only for a shell in the same process. */
    calls,
    /** The harness home, absolute. */
    home: settings.home,
    /** Profile that is meant where none is named. */
    profile: settings.profile,
    /** Program that starts the harness. */
    program: overview.program,
    findProgram: overview.findProgram,
    missingPrograms: overview.missingPrograms,
    /** @returns a function that ends the subscription */
    subscribe: (listener: (event: StoreEvent) => void): (() => void) => events.subscribe(listener),
    profiles: overview.profiles,
    /** Returns a job; null when it is no longer known. */
    job: (id: string): Job | null => queue.job(id),
    logFile: maintenance.logFile,
    listings: (): Promise<AllListings> => catalogue.all(),
    readDirectory: (options: Parameters<Catalogue['readAgain']>[0] = {}): Promise<void> => catalogue.readAgain(options),
    /** Requests a listing from the directory, so that the next review uses its record of now; false if there is none. */
    confirm: (id: string): Promise<Answer<boolean>> => catalogue.confirm(id).then(answer, directoryError),
    pickVersion: versions.pickVersion,
    installedOffline: installed.listOffline,
    diff: diff.read,
    audit: maintenance.audit,
    lockDrift: locks.drift,
    /** Returns the address of the registry from which a profile installs, without a password. */
    registryAddress: async (profile: string): Promise<string> =>
      hidePasswords(await registryAddress(profileDirectory(settings.home, profile), settings.env, '')),
    doctor: maintenance.doctor,
    repair: maintenance.repair,
    findUpgrade: upgrades.find,
    checkUpgrade: upgrades.check,
    /**
     * Runs an install command in a throw-away home, and starts the harness with what it installed. The plugin's code runs
     * on this machine. Changes no profile.
     */
    tryPlugin: (options: TryOptions): Promise<TryResult> => tryPlugin(parts, options),
    /**
     * Cancels unfinished jobs, waits for their rollback, and ends all other work, so that the process can end. The next
     * host reports those jobs as interrupted; a shell that reports them itself cancels them first.
     */
    async close(): Promise<void> {
      closing.abort()
      await Promise.all([catalogue.close(), queue.close()])
      await background.ended()
      await declarations.save()
      events.clear()
    },
  }
}
