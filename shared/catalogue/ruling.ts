import { INDEX_EXPIRED_MS } from '../contract/index.ts'
import { type DecodedIndex, rejectedRows } from './decode.ts'
import { copyState, type Known } from './state.ts'

/** What a document that arrived is to the copy. */
export type Ruling =
  /** Newer, and good: becomes the copy. */
  | { readonly action: 'replace' }
  /** The copy is the newest there is; servers behind a cache may send an older document. */
  | { readonly action: 'confirm' }
  /** Not to be trusted over the copy; a failure. */
  | { readonly action: 'refuse'; readonly reason: string }

const refuse = (reason: string): Ruling => ({ action: 'refuse', reason })

/** Decides on a document. `known` is what is stored at the moment of writing. */
export function rule(index: DecodedIndex, known: Known, now: number): Ruling {
  const { copy } = known
  if (index.received === 0) return refuse('The index is empty.')
  if (index.announced > index.received)
    return refuse(`The index is cut off: ${index.received} of ${index.announced} rows.`)
  if (rejectedRows(index) * 2 > index.received)
    return refuse(`${rejectedRows(index)} of ${index.received} rows of the index cannot be read.`)
  // Once stored, a date far ahead would make every true document look older.
  if (Date.parse(index.generated) > now + INDEX_EXPIRED_MS)
    return refuse(`The index is dated ${index.generated}, in the future; is the clock of this machine right?`)
  if (copy === null) return { action: 'replace' }

  const older = index.generated < copy.generated
  if (index.site !== copy.site && (older || copyState(known, now) !== 'expired'))
    return refuse(`The index is of ${index.site}, the copy of ${copy.site}.`)
  return { action: older || index.generated === copy.generated ? 'confirm' : 'replace' }
}
