import type { IndexListing, Verdict } from '@plugmark/shared/contract'
import type { Records } from './details.ts'
import type { Check } from './details-storage.ts'

/** The install checks of the records at hand. */
export interface Checks {
  /** Of the very command the listing has; null where no record at hand says. */
  verdictOf(listing: IndexListing): Verdict | null
  /** Reads what is at hand now. */
  reload(): Promise<void>
}

export function createChecks(records: Pick<Records, 'checks'>): Checks {
  let known: ReadonlyMap<string, Check> = new Map()
  return {
    verdictOf({ fullName, install }) {
      const check = known.get(fullName.toLowerCase())
      return check?.install === install ? check.verdict : null
    },
    async reload() {
      known = await records.checks()
    },
  }
}
