import type { OutcomeKind } from '../../protocol/index.ts'

/**
 * What can be done about the end of a job from here.
 * - `approve`: look at the scripts that were blocked, and allow them
 * - `again`: look at the same job once more
 * - `source`: read on where the plugin comes from, or tell its author
 */
export type Way = 'approve' | 'again' | 'source'

const WAYS: Readonly<Record<OutcomeKind, readonly Way[]>> = {
  registered: [],
  updated: [],
  'up-to-date': [],
  removed: [],
  enabled: [],
  disabled: [],
  reverted: [],
  repaired: [],
  'nothing-to-do': [],
  'not-a-layer': ['source'],
  'build-blocked': ['approve', 'source'],
  'git-prepare-blocked': ['approve', 'source'],
  incompatible: ['again', 'source'],
  'not-found': ['source'],
  'file-missing': ['again'],
  unreachable: ['again'],
  damaged: ['again'],
  'stops-harness': ['source'],
  'does-not-start': ['source'],
  'breaks-others': ['source'],
  'no-effect': ['source'],
  'breaks-screen': ['source'],
  'profile-broken': ['again'],
  'trial-differs': ['again'],
  'other-source': [],
  'profile-changed': ['again'],
  'disk-full': ['again'],
  'pnpm-missing': ['again'],
  'harness-missing': ['again'],
  'not-harness': ['again'],
  'harness-old': ['again'],
  'profile-missing': ['again'],
  'not-prepared': ['again'],
  'not-begun': ['again'],
  interrupted: ['again'],
  'timed-out': ['again'],
  cancelled: ['again'],
  rejected: ['source'],
  failed: ['again', 'source'],
}
export const waysOn = (kind: OutcomeKind): readonly Way[] => WAYS[kind]

const DONE: readonly OutcomeKind[] = [
  ...(['registered', 'updated', 'up-to-date', 'removed', 'enabled', 'disabled'] as const),
  ...(['reverted', 'repaired', 'nothing-to-do'] as const),
]
/** Whether a job did what it was for. */
export const isDone = (kind: OutcomeKind): boolean => DONE.includes(kind)
