import { INDEX_EXPIRED_MS } from '../contract/index.ts'
import { type DecodedIndex, rejectedRows } from './decode.ts'
import { freshnessOf, type IndexState } from './state.ts'
import { CLOCK_SKEW_MS } from './timing.ts'

/**
 * Decides how to treat an index that was fetched:
 * - `replace` the stored index
 * - `confirm` that the stored index is the newest: servers behind a cache may send an older one
 * - `differs`: it is of another site, so only a person may let it replace the stored one
 *
 * @param state the stored state at the time of writing
 * @throws {Error} when the document must not be stored, with the reason for a person
 */
export function validateUpdate(
  update: DecodedIndex,
  state: IndexState,
  now: number,
): 'replace' | 'confirm' | 'differs' {
  const { generated, site, announced, received, missingFields } = update
  const rejected = rejectedRows(update)
  if (received === 0) throw new Error('The index is empty.')
  if (announced > received) throw new Error(`The index is incomplete: ${received} of ${announced} rows.`)
  if (rejected * 2 > received) throw new Error(`${rejected} of ${received} rows of the index cannot be read.`)
  // Negated, so that an invalid date (NaN) is refused too.
  if (!(Date.parse(generated) <= now + INDEX_EXPIRED_MS))
    throw new Error(`The index is dated ${generated}, far in the future. Is the clock of this machine right?`)

  const { index } = state
  if (index === null) return 'replace'
  if (missingFields.length > 0) throw new Error(`The index lacks the columns ${missingFields.join(', ')}.`)
  if (site !== index.site) {
    const isExpired = freshnessOf(state, now) === 'expired'
    return isExpired && generated >= index.generated ? 'replace' : 'differs'
  }
  // A stored date in the future would make every later index look older.
  const isStoredDateWrong = Date.parse(index.generated) > now + CLOCK_SKEW_MS
  return generated > index.generated || (isStoredDateWrong && generated < index.generated) ? 'replace' : 'confirm'
}
