import { type IndexListing, listingKey, type Verdict } from '@plugmark/shared/contract'
import type { Check, Records } from './records.ts'

/** Install checks of the listings whose records were fetched before, in any tab. */
export interface Verdicts {
  /** Returns the verdict on the listing's own command; null when it is not known here. */
  of(listing: IndexListing): Verdict | null
  /** Reads the stored install checks of these listings. */
  load(listings: readonly IndexListing[]): Promise<void>
}

export function createVerdicts(records: Pick<Records, 'checks'>): Verdicts {
  const known = new Map<string, Check>()
  return {
    of({ fullName, install }) {
      const check = known.get(listingKey(fullName))
      return check?.install === install ? check.verdict : null
    },
    async load(listings) {
      const names = listings.map(({ fullName }) => listingKey(fullName))
      const checks = await records.checks(names)
      for (const name of names) {
        const check = checks.get(name)
        if (check) known.set(name, check)
        else known.delete(name)
      }
    },
  }
}
