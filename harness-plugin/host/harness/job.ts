import { type InstallPlan, parseDependency, placeKey, repositoryOf } from '@plugmark/shared/install'
import type { YesNoUnknown } from '../../protocol/fit.ts'
import type {
  Adds,
  Job,
  JobAction,
  JobStage,
  PlannedChange,
  ProfileAction,
  ProfileLock,
  RepairStep,
  StartAgain,
} from '../../protocol/index.ts'
import type { Approval, BlockedBuilds } from '../builds/blocked.ts'
import type { Output, Redactions } from './output.ts'
import { type HarnessSettings, isDesktop, type RunningHarness } from './running-harness.ts'

export interface JobSettings extends HarnessSettings {
  readonly timeLimitMs: number
  readonly trial: TrialSettings
  /** True if a registry or a proxy is set only for jobs. */
  readonly ownNetwork: boolean
  /** Package of the store itself; null when it is not installed in a profile. */
  readonly ownPackage: string | null
  readonly redactions: Redactions
  /** Folder of what the shell stores for all profiles; null if it keeps that in memory. */
  readonly stateDir: string | null
  /** Name of the shell, for the history of profiles. */
  readonly client: string
  readonly now: () => number
}

export interface TrialSettings {
  /** True if jobs are tried in a copy of the profile first. */
  readonly isOn: boolean
  /** Time limit for the harness to start, in ms. */
  readonly startLimitMs: number
  /** Time that it must then run without changes, in ms. */
  readonly settleMs: number
  /** Returns true if a page of the store is open, which can try the harness's page. */
  readonly hasPage: () => boolean
  /** Finds the program of a browser that tries the harness's page when no page of the store is open; null for none. */
  readonly findBrowser: () => Promise<string | null>
}

/** Returns true if a job is tried in a copy of the profile first. Disabling a plugin is harmless and needs no trial. */
export const isTried = (settings: JobSettings, { action, profile }: Pick<Job, 'action' | 'profile'>): boolean =>
  settings.trial.isOn && action !== 'disable' && !isDesktop(settings, profile)

/** A running job, and the callbacks that its steps report to. */
export interface JobContext<Request extends JobRequest = JobRequest> {
  readonly settings: JobSettings
  /** The profile's directory, which this process has locked. */
  readonly directory: string
  /** The harness that runs from it, if that is this process; otherwise null. */
  readonly harness: RunningHarness | null
  readonly job: Job
  readonly request: Request
  readonly output: Output
  /** Aborts when the job is cancelled or its time is over; see `abortKind`. */
  readonly signal: AbortSignal
  /** Called once, before the first stage: what the job needs is known when it runs. */
  readonly onStages: (stages: readonly JobStage[]) => void
  readonly onStage: (stage: JobStage) => void
  /** Called when the trial of a stage starts the harness again. */
  readonly onAgain: (again: StartAgain) => void
  /** Called with an error that is a fault of the store itself. */
  readonly onFault?: (error: unknown) => void
  /** Build scripts that must be allowed for one of its changes to succeed, by listing; null for one that succeeded. */
  readonly blockedBuilds: Map<string, BlockedBuilds | null>
  /** Called with the address at which a page can try the trial's harness, and with null when the trial has ended. */
  readonly onTrial: (url: string | null) => void
  readonly runRecords: HarnessRunRecords
  /** Reads the version of the harness; null when it is unknown. Never rejects. */
  readonly harnessVersion: () => Promise<string | null>
}

/** Run records of plugins in this harness. */
export interface HarnessRunRecords {
  /** Keeps what a trial showed of each plugin. Never rejects. */
  add(runs: readonly PluginRun[]): Promise<void>
  /** Returns true if a plugin, by its `recordedName`, ran when it was last started. */
  hasRun(plugin: string): Promise<boolean>
}

/** What a trial, or a running harness, showed of one version of a plugin. */
export interface PluginRun {
  /** Its `recordedName`. */
  readonly plugin: string
  readonly runs: YesNoUnknown
  /** True if it is its part of the web page that does not run. @default false */
  readonly breaksPage?: boolean
  /** Quotes the harness when it does not run. */
  readonly why: readonly string[]
  /** Parts that it added to the harness; missing if that was not seen. */
  readonly adds?: Adds
}

/**
 * Returns the name of an installed plugin in its run record. A folder, a tarball or a repository can differ
 * from the published version that it calls itself, so its source is a part of its name.
 *
 * @param from.source its spec in the profile's package.json
 * @param from.commit of a repository; each can have the same version
 * @returns null for a repository at an unknown commit, of which nothing can be kept
 */
export function recordedName(
  name: string,
  version: string,
  { source, commit }: { readonly source: string; readonly commit: string | undefined },
): string | null {
  const spec = parseDependency(name, source)
  if (spec?.kind === 'npm') return `${name}@${version}`
  if (repositoryOf(source) === null) return `${name}@${version} from ${source}`
  // By any of its branches, a commit is the same.
  return commit === undefined ? null : `${name}@${version} from ${spec ? placeKey(spec) : source} at ${commit}`
}

/** A job and the one of its changes that is being made. */
export interface ChangeContext extends JobContext {
  readonly change: PluginChange
}

/** Change of one plugin that the user agreed to. */
export interface PluginChange {
  readonly action: JobAction
  /** The listing's `fullName`. */
  readonly listing: string
  /** Its install command for the profile. */
  readonly plan: InstallPlan
  /** Its package in the profile; null before it is installed. */
  readonly package: string | null
  /** Version that an install takes instead of the newest. */
  readonly version?: string
  /** Source that is installed instead of the plan's own, which then only names the package. */
  readonly source?: string
  /** Version that the user agreed to: another one is not kept. Null or missing when it could not be read. */
  readonly agreedVersion?: string | null
  /** Digest by which its registry described that version. Null or missing when it could not be read. */
  readonly agreedIntegrity?: string | null
  /** Commit of its repository that the user agreed to, which can have the same version as another one. */
  readonly agreedCommit?: string | null
  /** Build scripts that are allowed to run. */
  readonly approval: Approval | null
  /** Holds the plugin at the version that the job leaves. Null or missing to change no hold. */
  readonly hold?: { readonly reason: string | null } | null
}

/** Request for a job on a profile: one change, several that succeed or fail as a whole, or one of the profile itself. */
export type JobRequest = RequestOf<JobAction> | ProfileRequest

export type ProfileRequest<Action extends ProfileAction = ProfileAction> = {
  [One in Action]: RequestOf<One> & ProfileOrders[One]
}[Action]

interface RequestOf<Action extends Job['action']> extends Pick<Job, 'listing' | 'more' | 'profile'> {
  readonly action: Action
  /** Empty for an undo or a repair. */
  readonly changes: readonly PluginChange[]
  /** True if an agent asked the user for it. */
  readonly byAgent?: boolean
  /** Lines that its output begins with. */
  readonly notes?: readonly string[]
  /** Returns true if the profile allows build scripts of it by now that nobody agreed to. */
  readonly allowsMore?: () => Promise<boolean>
}

/** Says for each job on a profile as a whole what it is for. */
interface ProfileOrders {
  readonly undo: { readonly undoes: Job['id'] }
  readonly redo: { readonly undoes: Job['id'] }
  /** The reviewed steps. */
  readonly repair: { readonly repairs: readonly RepairStep[] }
  readonly sync: { readonly target: SyncTarget }
}

/** Changes that a sync makes in a profile. */
export interface SyncTarget {
  readonly lock: ProfileLock
  /** The profile that was reviewed; another one is not changed. */
  readonly here: ProfileLock
  /** True to remove plugins that the lock has not. */
  readonly isExact: boolean
  /** True to install exactly the packages of the lock, or nothing. */
  readonly isFrozen: boolean
  /** True if nothing but holds differs. */
  readonly isOnlyHolds: boolean
}

/** A sync that the user can start, by its token. */
export interface OpenSync extends SyncTarget {
  readonly profile: string
  /** The changes that need a review. */
  readonly changes: readonly PlannedChange[]
  /**
   * Returns true if the profile allows build scripts of what it adds by now that its plan did not name.
   *
   * @param keys of others that the user agreed to
   */
  readonly allowsMore: (keys: readonly string[]) => Promise<boolean>
  readonly expiresAt: number
}

/** Returns true for an action that fetches a package. */
export const fetchesPackage = (action: JobAction): boolean =>
  action === 'install' || action === 'approve' || action === 'update'

/** Commit of a review whose repository did not tell it. */
export const UNKNOWN_COMMIT = 'unknown'
export const knownCommit = (commit: string | null): string | undefined =>
  commit === null || commit === UNKNOWN_COMMIT ? undefined : commit

/** Returns true for a step of a repair that the package manager makes. */
export const usesPackageManager = ({ action }: Pick<RepairStep, 'action'>): boolean =>
  action === 'install' || action === 'update' || action === 'unpin'

/** Returns true if a job only enables or disables an installed plugin, which no command line can do. */
export const isToggle = ({ action }: Pick<PluginChange, 'action'>): boolean =>
  action === 'enable' || action === 'disable'
