/** Finds what a harness runs otherwise than its profile has it by now, until it restarts. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HistoryEntry, PackageChange } from '../../protocol/index.ts'
import { needsRestart } from '../../protocol/next-steps.ts'
import { versionText } from '../../protocol/package-id.ts'
import type { ProfileState } from '../profile/state.ts'
import { readHistory, versionIn } from './history.ts'

/**
 * Returns the time when a harness last started from a profile, in ms since 1970. It writes this file at each start, and for
 * `--dump-config`, from 0.1.0-rc.8 to 0.2.1-rc.2. Where none has started, the first start takes everything as it is.
 */
const lastStart = (directory: string): Promise<number> =>
  stat(join(directory, 'cordis.yml')).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  )

/**
 * Returns the installed plugins that the harness uses as they are only once it restarts, each with its version, or null
 * for one that it then no longer loads. Leaves out what a program other than the store changed since.
 *
 * @param started time when the harness started, in ms since 1970; null if that is not known without its files
 */
export async function findRestarts(
  directory: string,
  state: ProfileState,
  started: number | null,
): Promise<ReadonlyMap<string, string | null>> {
  const startedAt = started ?? (await lastStart(directory))
  const now = Date.now()
  const entries = await readHistory(directory)
  /** What the harness runs, and what the profile has, of each plugin that changed since the start. */
  const changed = new Map<string, { readonly runs: string | null; readonly has: string | null }>()
  // A job of the future ran while the clock was wrong: no start would be after it.
  for (const entry of entries.filter(({ endedAt }) => endedAt > startedAt && endedAt <= now).toReversed())
    for (const change of entry.changes) {
      const [before, has] = [codeOf(change.before), codeOf(change.after)]
      const { runs } = changed.get(change.name) ?? { runs: before }
      changed.set(change.name, { runs: isApplied(entry, change) ? has : runs, has })
    }
  return new Map(
    [...changed].flatMap(([name, { runs, has }]) => {
      const is = versionIn(state, name)
      return is === null || runs === has || codeOf(is) !== has ? [] : [[name, has]]
    }),
  )
}

/** Returns the version that a harness loads of a plugin; null if it loads none. */
const codeOf = (one: PackageChange['before']): string | null => (one?.enabled ? versionText(one) : null)

const isReplaced = ({ before, after }: PackageChange): boolean => codeOf(before) !== null && codeOf(after) !== null

/** Returns true if the running harness has applied a change: the effect of a job is that of what it applied least. */
const isApplied = ({ outcome: { activation }, changes }: HistoryEntry, change: PackageChange): boolean =>
  !needsRestart(activation) || (!isReplaced(change) && changes.some(isReplaced))
