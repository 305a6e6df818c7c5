import { INDEX_EXPIRED_MS } from '../contract/index.ts'
import { type DecodedIndex, rejectedRows } from './decode.ts'
import { copyState, type Known } from './state.ts'

/**
 * What a good document is to the copy: `replace` it, or `confirm` that it is the newest there is (servers behind a
 * cache may send an older document).
 */
export type Ruling = 'replace' | 'confirm'

/**
 * Decides on a document.
 *
 * @param known what is stored at the moment of writing
 * @throws {Error} when the document is not to be trusted over a copy, with why for a person
 */
export function rule(index: DecodedIndex, known: Known, now: number): Ruling {
  const { generated, site, announced, received } = index
  const rejected = rejectedRows(index)
  if (received === 0) throw new Error('The index is empty.')
  if (announced > received) throw new Error(`The index is incomplete: ${received} of ${announced} rows.`)
  if (rejected * 2 > received) throw new Error(`${rejected} of ${received} rows of the index cannot be read.`)
  // Once stored, a date far ahead would make every true document look older. NaN is no date.
  if (!(Date.parse(generated) <= now + INDEX_EXPIRED_MS))
    throw new Error(`The index is dated ${generated}, far in the future. Is the clock of this machine right?`)

  const { copy } = known
  if (copy === null) return 'replace'
  if (site !== copy.site && (copyState(known, now) !== 'expired' || generated < copy.generated))
    throw new Error(`The index is from ${site}, but the stored one is from ${copy.site}.`)
  return generated > copy.generated ? 'replace' : 'confirm'
}
