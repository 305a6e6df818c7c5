import type { Job, JobStage } from '../../protocol/index.ts'
import type { Blocked } from '../builds/allow.ts'
import { type HarnessSettings, isDesktop, type RunningHarness } from '../harness/harness.ts'
import type { Output } from './output.ts'
import type { Redactions } from './redact.ts'
import type { JobRequest, PluginChange } from './request.ts'

export interface JobSettings extends HarnessSettings {
  readonly timeLimitMs: number
  readonly trial: TrialSettings
  /** Whether a registry or a proxy is set for jobs alone. */
  readonly ownNetwork: boolean
  readonly redactions: Redactions
  readonly now: () => number
}

export interface TrialSettings {
  /** Whether jobs are tried in a copy; else they go straight to the profile. */
  readonly isOn: boolean
  /** How long the harness may take to start. */
  readonly startLimitMs: number
  /** How long it must then stay as it is, in ms. */
  readonly settleMs: number
  /** The layer that makes a profile serve a web page; one without it may not start by itself. */
  readonly webLayer: string
  /** Whether a page is open that can try the harness's own. */
  readonly hasPage: () => boolean
  /** Finds the program of a browser that tries it where no page is open; null for none. */
  readonly findBrowser: () => Promise<string | null>
}

/** Whether a job is tried in a copy of the profile first. What is turned off cannot do harm. */
export const isTried = (settings: JobSettings, { action, profile }: Pick<Job, 'action' | 'profile'>): boolean =>
  settings.trial.isOn && action !== 'disable' && !isDesktop(settings, profile)

/** A job that is running, and what its parts report. */
export interface JobContext {
  readonly settings: JobSettings
  /** The profile's directory, which this process has locked. */
  readonly directory: string
  /** The harness that runs from it, where that is this very process. */
  readonly harness: RunningHarness | null
  readonly job: Job
  readonly request: JobRequest
  readonly output: Output
  readonly signal: AbortSignal
  /** When its time is over, by `performance.now()`. */
  readonly deadline: number
  readonly onStage: (stage: JobStage) => void
  /** Called with the build scripts that must be allowed for a change of it to succeed. */
  readonly onBlocked: (change: PluginChange, blocked: Blocked) => void
  /** Called with the address at which a page can try the trial's harness, and with null when that is over. */
  readonly onTrial: (url: string | null) => void
}

/** A job, and that of its changes which is made. */
export interface ChangeContext extends JobContext {
  readonly change: PluginChange
}
