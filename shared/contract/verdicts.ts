import { DOUBTFUL_VERDICTS, isVerdict, type Verdict } from './vocabulary.ts'

/** Returns the verdict of a record; null when it has none, or one that this client does not know. */
export function verdictOf(record: { readonly installCheck?: string | null | undefined }): Verdict | null {
  return isVerdict(record.installCheck) ? record.installCheck : null
}

/**
 * Returns true for a verdict that counts as installable: `passed` and `needs-approval`. The record's `installable` is
 * something else: it says that there is a command.
 */
export function countsAsInstallable(verdict: Verdict | null): boolean {
  return verdict === 'passed' || verdict === 'needs-approval'
}

/** Returns true if the install check ran the command and it did not work, so that an install needs a confirmation. */
export const isDoubtful = (verdict: Verdict | null): boolean =>
  (DOUBTFUL_VERDICTS as readonly (Verdict | null)[]).includes(verdict)

/** Age up to which a passed install check counts as recent, in days. */
const RECENT_CHECK_DAYS = 90
const DAY_MS = 24 * 60 * 60_000

/**
 * Returns the age of an install check, in ms; null when its time is unknown. A time that lies more than a day ahead of
 * this machine's clock counts as unknown.
 *
 * @param checkedAt ISO 8601; null when it is unknown
 */
export function checkAgeMs(checkedAt: string | null, now: number): number | null {
  const age = now - Date.parse(checkedAt ?? '')
  return age >= -DAY_MS ? Math.max(0, age) : null
}

/**
 * Colour of a verdict.
 * - `good`: it passed within the last 90 days
 * - `neutral`: it passed at an unknown time, or nothing is known
 * - `caution`: it waits for an approval, or passed so long ago that much may have changed since
 * - `bad`: an install is doubtful
 */
export type VerdictTone = 'good' | 'neutral' | 'caution' | 'bad'

/**
 * Returns the colour of a verdict.
 *
 * @param checkedAt time of the install check, ISO 8601; null when it is unknown
 * @param now ms since 1970
 */
export function verdictTone(verdict: Verdict | null, checkedAt: string | null, now = Date.now()): VerdictTone {
  if (isDoubtful(verdict)) return 'bad'
  if (verdict === 'needs-approval') return 'caution'
  const age = checkAgeMs(checkedAt, now)
  if (verdict !== 'passed' || age === null) return 'neutral'
  return age <= RECENT_CHECK_DAYS * DAY_MS ? 'good' : 'caution'
}
