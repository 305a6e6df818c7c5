import { basename } from 'node:path'
import type { Job, JobStage } from '../../bridge/index.ts'
import type { Blocked } from '../builds/allow.ts'
import type { RunningHarness } from '../harness/running-harness.ts'
import type { Output } from './output.ts'
import type { Masks } from './redact.ts'
import type { Order } from './request.ts'

/** What a job runs with; none of it comes from a page. */
export interface JobSettings {
  /** Program and leading arguments that start the harness's command line. */
  readonly command: readonly string[]
  /** Nobody configured it. */
  readonly isCommandGuessed: boolean
  readonly home: string
  /** Environment variable that names the home to the harness. */
  readonly homeVariable: string
  readonly env: Readonly<Record<string, string>>
  readonly timeLimitMs: number
  /** Null when jobs go straight to the profile. */
  readonly trial: TrialSettings | null
  /** Whether a registry or a proxy is set for jobs alone. */
  readonly ownNetwork: boolean
  /** The harness that the store runs in; null where it runs in another program. */
  readonly running: RunningHarness | null
  readonly masks: Masks
  readonly now: () => number
}

export interface TrialSettings {
  /** How long the harness may take to start. */
  readonly startLimitMs: number
  /** The layer that makes a profile serve a web page; one without it may not start by itself. */
  readonly webLayer: string
  /** Whether a page is open that can try the harness's own. */
  readonly hasPage: () => boolean
}

/** Whether a profile is that of the Desktop app: only the app starts it, and only its plugin manager changes it. */
export const isDesktop = ({ running }: Pick<JobSettings, 'running'>, profile: string): boolean =>
  profile.toLowerCase() === 'desktop' || (running?.isDesktop === true && basename(running.profile) === profile)

/** Whether a job is tried in a copy of the profile first. What is turned off cannot do harm. */
export const isTried = (settings: JobSettings, { action, profile }: Pick<Job, 'action' | 'profile'>): boolean =>
  settings.trial !== null && action !== 'disable' && !isDesktop(settings, profile)

/** A job that goes on. */
export interface RunningJob {
  readonly settings: JobSettings
  /** The profile's directory, which this process has locked. */
  readonly directory: string
  /** The harness that runs from it, where that is this very process. */
  readonly harness: RunningHarness | null
  readonly job: Job
  readonly order: Order
  readonly output: Output
  readonly signal: AbortSignal
  /** When its time is over, by `performance.now()`. */
  readonly until: number
  readonly onStage: (stage: JobStage) => void
  /** Told which build scripts must be allowed for it to come through. */
  readonly onBlocked: (blocked: Blocked) => void
  /** Told where the trial's web page can be tried, and null when that is over. */
  readonly onTrial: (url: string | null) => void
}
