import type { OutcomeKind } from './jobs.ts'
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

/** In the order in which they are offered; null for an outcome that is a success. */
export const NEXT_STEPS: Readonly<Record<OutcomeKind, readonly NextStep[] | null>> = {
  registered: null,
  updated: null,
  'up-to-date': null,
  removed: null,
  enabled: null,
  disabled: null,
  reverted: null,
  redone: null,
  repaired: null,
  synced: null,
  'not-synced': ['retry'],
  'unsafe-lock': [],
  'nothing-to-do': null,
  'not-a-layer': ['source'],
  'build-blocked': ['approve', 'source'],
  incompatible: ['retry', 'source'],
  'not-found': ['source'],
  'file-missing': ['retry'],
  'too-new': ['retry'],
  'dependency-unusable': ['source'],
  'reinstall-needed': ['retry'],
  'setting-invalid': ['retry'],
  'build-failed': ['source'],
  'not-writable': ['retry'],
  'not-authorized': ['retry'],
  'ssh-refused': ['retry'],
  unsupported: ['retry', 'source'],
  'git-missing': ['retry'],
  'untrusted-certificate': ['retry'],
  'untrusted-release': ['retry', 'source'],
  'hangs-harness': ['source'],
  unreachable: ['retry'],
  damaged: ['retry'],
  'stops-harness': ['source'],
  'does-not-start': ['source'],
  'breaks-others': ['source'],
  'no-effect': ['source'],
  'breaks-screen': ['source'],
  'profile-broken': ['retry'],
  'cause-unknown': ['retry'],
  'trial-differs': ['retry'],
  'consent-changed': ['retry'],
  'other-source': [],
  'profile-changed': ['retry'],
  'disk-full': ['retry'],
  'pnpm-missing': ['retry'],
  'harness-missing': ['retry'],
  'harness-old': ['retry'],
  'profile-missing': ['retry'],
  'not-prepared': ['retry'],
  'store-outdated': ['retry'],
  'not-begun': ['retry'],
  interrupted: ['retry'],
  'timed-out': ['retry'],
  cancelled: ['retry'],
  rejected: ['source'],
  failed: ['retry', 'source'],
}

/** Returns true if a job achieved its purpose. */
export const isSuccess = (kind: OutcomeKind): boolean => NEXT_STEPS[kind] === null

/** Returns the setting by which pnpm refuses what a plugin needs, from its sentence; null for another reason. */
export const refusingSetting = ([sentence = '']: readonly string[]): string | null =>
  sentence.startsWith('missing peer')
    ? 'strictPeerDependencies'
    : (/\bblockExoticSubdeps\b/.exec(sentence)?.[0] ?? null)

/** A newer release that an update did not bring. */
interface LeftRelease extends WaitingRelease {
  /** True if it is old enough, and pnpm has not asked the registry again yet: `until` is the latest time for that. */
  readonly isUnseen: boolean
}

/** Returns a release as subjects of the outcome `up-to-date`, which follow the two versions. */
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
