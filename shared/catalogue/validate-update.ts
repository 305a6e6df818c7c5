import { INDEX_EXPIRED_MS } from '../contract/index.ts'
import { type DecodedIndex, rejectedRows } from './decode.ts'
import { type CacheState, freshnessOf } from './state.ts'

/**
 * Decides on an index that was fetched.
 *
 * @param state what is stored at the moment of writing
 * @returns `replace` the stored index, or `confirm` that it is the newest there is: servers behind a cache may send an
 * older one
 * @throws {Error} when it must not replace a stored index, with why for a person
 */
export function validateUpdate(update: DecodedIndex, state: CacheState, now: number): 'replace' | 'confirm' {
  const { generated, site, announced, received } = update
  const rejected = rejectedRows(update)
  if (received === 0) throw new Error('The index is empty.')
  if (announced > received) throw new Error(`The index is incomplete: ${received} of ${announced} rows.`)
  if (rejected * 2 > received) throw new Error(`${rejected} of ${received} rows of the index cannot be read.`)
  // Once stored, a date far ahead would make every true index look older. NaN is no date.
  if (!(Date.parse(generated) <= now + INDEX_EXPIRED_MS))
    throw new Error(`The index is dated ${generated}, far in the future. Is the clock of this machine right?`)

  const { index } = state
  if (index === null) return 'replace'
  if (site !== index.site && (freshnessOf(state, now) !== 'expired' || generated < index.generated))
    throw new Error(`The index is from ${site}, but the stored one is from ${index.site}.`)
  return generated > index.generated ? 'replace' : 'confirm'
}
