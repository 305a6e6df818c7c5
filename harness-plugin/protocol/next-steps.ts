import type { Activation, OutcomeKind } from './jobs.ts'
import type { WaitingRelease } from './profiles.ts'

/**
 * Steps that the user can take after a job.
 * - `approve`: look at the scripts that were blocked, and allow them
 * - `retry`: review the same job again
 * - `source`: read where the plugin comes from, or tell its author
 */
export type NextStep = 'approve' | 'retry' | 'source'

/** Line of a job's output after 20 s in which its command wrote nothing. */
export const SILENCE_LINE = 'No output for 20 s: the package registry may not have answered yet.'

/** What follows an outcome. */
interface Sequel {
  /** In the order in which they are offered; null after a success. */
  readonly steps: readonly NextStep[] | null
  /** Name of the command line's exit code. */
  readonly exit: 'done' | 'failed' | 'consent' | 'refused' | 'missing' | 'cancelled'
  /** True if the same job may succeed when it is merely repeated. */
  readonly retryable: boolean
}
const SUCCESS: Sequel = { steps: null, exit: 'done', retryable: false }

export const OUTCOMES: Readonly<Record<OutcomeKind, Sequel>> = {
  registered: SUCCESS,
  updated: SUCCESS,
  removed: SUCCESS,
  enabled: SUCCESS,
  disabled: SUCCESS,
  reverted: SUCCESS,
  redone: SUCCESS,
  repaired: SUCCESS,
  synced: SUCCESS,
  'not-synced': { steps: ['retry'], exit: 'failed', retryable: false },
  'unsafe-lock': { steps: [], exit: 'refused', retryable: false },
  'nothing-to-do': SUCCESS,
  'not-a-layer': { steps: ['source'], exit: 'failed', retryable: false },
  'build-blocked': { steps: ['approve', 'source'], exit: 'consent', retryable: false },
  incompatible: { steps: ['retry', 'source'], exit: 'refused', retryable: false },
  'not-found': { steps: ['source'], exit: 'failed', retryable: false },
  'file-missing': { steps: ['retry'], exit: 'failed', retryable: false },
  'too-new': { steps: ['retry'], exit: 'failed', retryable: false },
  'pnpm-unusable': { steps: ['retry'], exit: 'failed', retryable: false },
  'disk-error': { steps: ['retry'], exit: 'failed', retryable: false },
  'not-authorized': { steps: ['retry'], exit: 'failed', retryable: false },
  'hangs-harness': { steps: ['source'], exit: 'failed', retryable: false },
  unreachable: { steps: ['retry'], exit: 'failed', retryable: true },
  damaged: { steps: ['retry'], exit: 'failed', retryable: true },
  'stops-harness': { steps: ['source'], exit: 'failed', retryable: false },
  'does-not-start': { steps: ['source'], exit: 'failed', retryable: false },
  'breaks-others': { steps: ['source'], exit: 'failed', retryable: false },
  'no-effect': { steps: ['source'], exit: 'failed', retryable: false },
  'breaks-screen': { steps: ['source'], exit: 'failed', retryable: false },
  'profile-broken': { steps: ['retry'], exit: 'failed', retryable: false },
  'source-changed': { steps: ['retry'], exit: 'failed', retryable: false },
  'other-source': { steps: [], exit: 'refused', retryable: false },
  'profile-changed': { steps: ['retry'], exit: 'failed', retryable: true },
  'program-missing': { steps: ['retry'], exit: 'missing', retryable: false },
  'profile-missing': { steps: ['retry'], exit: 'missing', retryable: false },
  'store-outdated': { steps: ['retry'], exit: 'failed', retryable: false },
  interrupted: { steps: ['retry'], exit: 'failed', retryable: true },
  'timed-out': { steps: ['retry'], exit: 'failed', retryable: true },
  cancelled: { steps: ['retry'], exit: 'cancelled', retryable: true },
  rejected: { steps: ['source'], exit: 'refused', retryable: false },
  failed: { steps: ['retry', 'source'], exit: 'failed', retryable: false },
}

/** Returns true if a job achieved its purpose. */
export const isSuccess = (kind: OutcomeKind): boolean => OUTCOMES[kind].steps === null

/** Returns true if a change takes effect only when the harness restarts. */
export const needsRestart = (activation: Activation): boolean =>
  activation === 'restart' || activation === 'restart-for-page'

/** Settings by which pnpm refuses a plugin, and whatever else its sentence tells that helps. */
export type Remedy =
  | 'strictPeerDependencies'
  | 'blockExoticSubdeps'
  | 'trustPolicy'
  | 'machine'
  | 'build'
  | 'reinstall'
  | 'profile'
const REMEDIES: readonly (readonly [Remedy, RegExp])[] = [
  ['strictPeerDependencies', /^missing peer /],
  ['blockExoticSubdeps', /\bblockExoticSubdeps\b/],
  ['trustPolicy', /\btrust downgrades?\b/],
  ['machine', /^(?:Unsupported |incompatible with )|requires at least Node/],
  ['build', /\b(?:(?:pre|post)?install|prepare): |^Failed to prepare /],
  ['reinstall', /lockfile|pnpm-lock|store location/],
]
/** Returns what helps when pnpm says the first of these subjects; null where that is not known. */
export const remedyFor = ([sentence = '', about]: readonly string[]): Remedy | null =>
  about === 'profile' ? about : (REMEDIES.find(([, pattern]) => pattern.test(sentence))?.[0] ?? null)

/** A newer release that an update did not bring. */
interface LeftRelease extends WaitingRelease {
  /** True if it is old enough, and pnpm has not asked the registry again yet: `until` is the latest time for that. */
  readonly isUnseen: boolean
}

/** Returns a release as subjects of an update with nothing to do, which follow the two versions. */
export const waitingSubjects = ({ version, until, pnpm, minutes, isUnseen }: LeftRelease): string[] => [
  version,
  until,
  String(pnpm),
  String(minutes),
  ...(isUnseen ? ['unseen'] : []),
]

/** Returns the release that such subjects name; null when there are none. */
export function parseWaiting([version, until = '', pnpm, minutes, unseen]: readonly string[]): LeftRelease | null {
  if (version === undefined || Number.isNaN(Date.parse(until))) return null
  return { version, until, pnpm: Number(pnpm), minutes: Number(minutes), isUnseen: unseen === 'unseen' }
}
