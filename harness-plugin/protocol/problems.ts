/** Failures in the background that do not end anything, as sentences for a log. */
export const PROBLEMS = {
  'directory-unread': 'The directory could not be read.',
  'index-unfetched': 'The index could not be fetched.',
  'index-refused': 'The index that was fetched is not used.',
  'index-unreadable': 'The stored index cannot be read; the store continues from memory.',
  'index-damaged': 'The stored index is damaged and is not used.',
  'index-unsaved': 'The index cannot be stored; the store continues from memory.',
  'index-locked': 'Another process has been refreshing the index for a long time.',
  'listings-unreadable': 'The stored listings cannot be read and are not used.',
  'listings-unsaved': 'The listings cannot be stored; the store continues from memory.',
  'builds-unsaved': 'The list of blocked build scripts cannot be stored.',
  'declarations-unreadable':
    'What plugins declare about the harness cannot be read from the disk; it is requested again.',
  'declarations-unsaved': 'What plugins declare about the harness cannot be stored.',
  'recovery-failed': 'A profile cannot be restored from the state before an interrupted job.',
  background: 'The store failed at something in the background.',
} satisfies Readonly<Record<string, string>>
export type Problem = keyof typeof PROBLEMS

/** Called with a problem and its cause. */
export type OnProblem = (problem: Problem, cause: unknown) => void
