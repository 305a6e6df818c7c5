/** Exit codes of a run, by its result. */
export const EXITS = {
  done: 0,
  failed: 1,
  usage: 2,
  'not-listed': 3,
  consent: 4,
  refused: 5,
  unreachable: 6,
  missing: 7,
  cancelled: 130,
} as const
export type Exit = keyof typeof EXITS

/** Meanings of the exit codes, which agents read in `capabilities`. */
export const EXIT_MEANINGS: Readonly<Record<Exit, string>> = {
  done: 'Done.',
  failed: 'Failed; the profile is unchanged, unless the outcome says otherwise.',
  usage: 'The command line is wrong; nothing was done.',
  'not-listed': 'Not listed, not installed, or ambiguous; nothing was done.',
  consent: 'A person must agree first; nothing was changed. The document holds the review and the digest to accept.',
  refused: 'Refused by its verdict, its compatibility or a policy; nothing was changed.',
  unreachable: 'The directory cannot be reached and there is no stored copy, or the copy is not enough for this.',
  missing: 'The harness, its package manager or the profile is missing.',
  cancelled: 'Cancelled; the profile is unchanged, except for what --each had done before: see data.jobs.',
}
