import type { InstalledPlugin, UnmanagedReason, WaitingRelease } from '../../protocol/index.ts'
import { formatMinutes, formatTime } from '../formats.ts'

/** Reasons why a plugin cannot be managed from here. */
const unmanagedReason: Readonly<Record<UnmanagedReason, string>> = {
  store: 'This is the store itself. It is removed in a terminal.',
  'not-in-directory': 'It is not in the directory, so it is not updated here.',
  'other-source': 'It comes from another source than the directory’s, so it is not updated here.',
  directory: 'Directory not reachable, so it cannot be updated here for now.',
}

export const installedView = {
  /** The two views of the screen. */
  views: 'Views',
  find: 'Find plugins',
  installed: 'Installed',
  /** Its name where the page around it lists installed plugins too. */
  updates: 'Updates and jobs',
  /** Pages of the view. */
  pages: { plugins: 'Plugins', history: 'History', maintenance: 'Maintenance' },
  title: (profile: string) => `Installed in profile ${profile}`,
  profile: 'Profile',
  check: 'Check for updates',
  checking: 'Checking for updates…',
  /** Number of plugins with a newer version. @param isWaiting true if another one will have one soon */
  checked: (count: string, number: number, isWaiting: boolean) => {
    if (number === 0) return isWaiting ? 'No update is available yet.' : 'Everything is up to date.'
    return `${count} update${number === 1 ? '' : 's'} available.`
  },
  reading: 'Loading installed plugins…',
  none: 'This profile has no plugins besides the harness’s own.',
  /** The harness program that jobs start. */
  program: (command: string, version: string | null) => `Harness${version ? ` ${version}` : ''}: ${command}`,
  /** The newest version, which pnpm does not install yet. */
  waiting: ({ version, until, pnpm, minutes }: WaitingRelease) =>
    `${version} is available from ${formatTime('en', Date.parse(until))}: pnpm ${pnpm} waits ${formatMinutes('en', minutes)} after a release.`,
  /** Read out in place of “1.0.0 → 1.1.0”. */
  newer: (installed: string, newest: string) => `${installed}, ${newest} available`,
  from: (spec: string) => `Installed as ${spec}`,
  /** The directory now installs it from another source. */
  listedAs: (source: string) => `The directory now installs it as ${source}`,
  updateProblem: {
    'not-found': 'Its registry no longer has it, so there are no updates.',
    'no-answer': 'Whether there is a newer version is not known: its source did not answer, or is gone.',
  } satisfies Readonly<Record<NonNullable<InstalledPlugin['updateProblem']>, string>>,
  details: 'Details',
  detailsOf: (name: string) => `Details of ${name}`,
  updateNamed: (name: string) => `Update ${name}`,
  releases: 'Release notes',
  moreFor: (name: string) => `More for ${name}`,
  /** Name of a switch. */
  enabledNamed: (name: string) => `Enable ${name}`,
  enabled: 'Enabled',
  disabled: 'Disabled',
  afterRestart: 'Takes effect when the harness restarts',
  unmanagedReason,
}
