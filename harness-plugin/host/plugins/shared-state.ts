import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Folder in the harness home that every store of this home shares: in the harness, in a console, on the command line. */
const SHARED_FOLDER = 'plugmark'

/** Returns the path of a file that all stores of a home share. */
export const sharedFile = (home: string, name: string): string => join(home, SHARED_FOLDER, name)

/** File in which plugins that ran under a version of the harness are kept; see `evidence.ts`. */
export const lastSeenFile = (home: string): string => sharedFile(home, 'last-seen.json')

/**
 * Returns true if a profile ran under another program than this one, or has plugins that no longer run since an upgrade.
 * Parses by hand, because a harness calls this whenever it starts, before the parser library is loaded.
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
