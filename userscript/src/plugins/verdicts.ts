import type { IndexListing, Verdict } from '@plugmark/shared/contract'
import type { Check, Records } from './details.ts'

/** Install checks of the listings whose details were opened before, in any tab. */
export interface Verdicts {
  /** How the install check of the listing's very command went; null where that is not known here. */
  of(listing: IndexListing): Verdict | null
  /** Reads what is stored now. */
  reload(): Promise<void>
}

export function createVerdicts(records: Pick<Records, 'checks'>): Verdicts {
  let known: ReadonlyMap<string, Check> = new Map()
  return {
    of({ fullName, install }) {
      const check = known.get(fullName.toLowerCase())
      return check?.install === install ? check.verdict : null
    },
    async reload() {
      known = await records.checks()
    },
  }
}
