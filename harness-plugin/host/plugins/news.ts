/**
 * Tells whether a profile may have news for which a harness opens the store: an upgrade that turned plugins off, or updates.
 * A harness loads this file at every start, so it parses by hand: no library.
 */
import { readFile } from 'node:fs/promises'
import { lastSeenFile, updatesFile } from '../profile/state-folder.ts'

/**
 * Returns true if a profile ran under another program than this one, or has plugins that no longer run since an upgrade.
 *
 * @param profile directory of the profile
 * @param program identity of the started program, from `RunningHarness`
 */
export async function mayHaveUpgraded(home: string, profile: string, program: string): Promise<boolean> {
  try {
    const { profiles } = JSON.parse(await readFile(lastSeenFile(home), 'utf8'))
    const seen = profiles?.[profile]
    return seen !== undefined && (seen.program !== program || seen.before !== null)
  } catch {
    // Nobody has looked yet, or the store itself reports the file when it is opened.
    return false
  }
}

/** Time between two automatic checks for updates, in ms. */
const CHECK_EVERY_MS = 6 * 60 * 60_000
/** Time before the first retry of a failed check, in ms. It doubles with each failure, up to the time between checks. */
const RETRY_MS = 15 * 60_000

/** Part of the stored checks for updates that decides when the next one is due. */
interface CheckTimes {
  readonly automatic: boolean
  /** Time of the last attempt, ms since 1970; 0 before the first. */
  readonly attemptedAt: number
  /** Number of attempts without an answer since the last success. */
  readonly failures: number
}

/** Returns true if an automatic check for updates is due. A clock that was set back does not delay it. */
export function isCheckDue({ automatic, attemptedAt, failures }: CheckTimes, now: number): boolean {
  const wait = failures === 0 ? CHECK_EVERY_MS : Math.min(CHECK_EVERY_MS, RETRY_MS * 2 ** (failures - 1))
  return automatic === true && (now < attemptedAt || now - attemptedAt >= wait)
}

/**
 * Returns true if the last check for updates of a profile found a newer version, or the next one is due. False for a
 * profile that was never checked.
 *
 * @param profile directory of the profile
 * @param now ms since 1970
 */
export async function mayHaveUpdates(profile: string, now: number): Promise<boolean> {
  try {
    const { check, ...times } = JSON.parse(await readFile(updatesFile(profile), 'utf8'))
    if (check === null) return false
    const { installed, ...newest } = check
    const isNewer = (kind: 'versions' | 'commits') => {
      const current = new Map(installed[kind])
      return newest[kind].some(([name, version]: [string, string]) => current.get(name) !== version)
    }
    return isCheckDue(times, now) || isNewer('versions') || isNewer('commits')
  } catch {
    return false
  }
}
