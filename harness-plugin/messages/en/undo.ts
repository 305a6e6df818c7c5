import type { JobState } from '../../protocol/index.ts'

/** Words about the last change of a profile and its undo. */
export const undo = {
  /** The change in the past tense. */
  made: {
    install: (names) => `Installed ${names}`,
    approve: (names) => `Installed ${names}`,
    update: (names) => `Updated ${names}`,
    remove: (names) => `Removed ${names}`,
    enable: (names) => `Enabled ${names}`,
    disable: (names) => `Disabled ${names}`,
    undo: (names) => (names === '' ? 'Undid a change' : `Undid a change of ${names}`),
    repair: () => 'Repaired the profile',
  } satisfies Readonly<Record<JobState['action'], (names: string) => string>>,
  last: (change: string) => `Last change: ${change}.`,
  open: 'Undo…',
  title: 'Undo the last change',
  brings: 'What changes',
  isRemoved: (version: string) => `${version} is removed`.trim(),
  isInstalled: (version: string) => `${version} is installed again`.trim(),
  isEnabled: 'is enabled again',
  isDisabled: 'is disabled again',
  unchanged: 'stays',
  changed: (files: readonly string[]) =>
    `Another program has changed ${files.join(', ')} since, so this change cannot be undone.`,
  means: 'The profile’s files and packages are restored as they were before. You can undo that, too.',
  confirm: 'Undo',
}
