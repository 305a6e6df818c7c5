import type { WaitingRelease } from './profiles.ts'

/** Returns a release as subjects of the outcome `up-to-date`, which follow the two versions. */
export const waitingSubjects = ({ version, until, pnpm, minutes }: WaitingRelease): string[] => [
  version,
  until,
  String(pnpm),
  String(minutes),
]

/** Returns the release that such subjects name; null when there are none. */
export function parseWaiting([version, until = '', pnpm, minutes]: readonly string[]): WaitingRelease | null {
  if (version === undefined || Number.isNaN(Date.parse(until))) return null
  return { version, until, pnpm: Number(pnpm), minutes: Number(minutes) }
}
