import type { Job, JobStage } from '../../protocol/index.ts'
import type { Blocked } from '../builds/allow.ts'
import { type HarnessSettings, isDesktop, type RunningHarness } from '../harness/running-harness.ts'
import type { Output } from './output.ts'
import type { Redactions } from './redact.ts'
import type { JobRequest, PluginChange } from './request.ts'

export interface JobSettings extends HarnessSettings {
  readonly timeLimitMs: number
  readonly trial: TrialSettings
  /** True if a registry or a proxy is set only for jobs. */
  readonly ownNetwork: boolean
  /** Package of the store itself; null when it is not installed in a profile. */
  readonly ownPackage: string | null
  readonly redactions: Redactions
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
  /** Layer that makes a profile serve a web page; a profile without it may not start by itself. */
  readonly webLayer: string
  /** Returns true if a page of the store is open, which can try the harness's page. */
  readonly hasPage: () => boolean
  /** Finds the program of a browser that tries the harness's page when no page of the store is open; null for none. */
  readonly findBrowser: () => Promise<string | null>
}

/** Returns true if a job is tried in a copy of the profile first. Disabling a plugin is harmless and needs no trial. */
export const isTried = (settings: JobSettings, { action, profile }: Pick<Job, 'action' | 'profile'>): boolean =>
  settings.trial.isOn && action !== 'disable' && !isDesktop(settings, profile)

/** A running job, and the callbacks that its parts report to. */
export interface JobContext {
  readonly settings: JobSettings
  /** The profile's directory, which this process has locked. */
  readonly directory: string
  /** The harness that runs from it, if that is this process; otherwise null. */
  readonly harness: RunningHarness | null
  readonly job: Job
  readonly request: JobRequest
  readonly output: Output
  readonly signal: AbortSignal
  /** End of its time limit, by `performance.now()`. */
  readonly deadline: number
  readonly onStage: (stage: JobStage) => void
  /** Called with the build scripts that must be allowed for one of its changes to succeed. */
  readonly onBlocked: (change: PluginChange, blocked: Blocked) => void
  /** Called with the address at which a page can try the trial's harness, and with null when the trial has ended. */
  readonly onTrial: (url: string | null) => void
}

/** A job and the one of its changes that is being made. */
export interface ChangeContext extends JobContext {
  readonly change: PluginChange
}
