import { type IndexListing, repositoryKey, type Verdict } from '@plugmark/shared/contract'
import type { Records } from '../card/records.ts'
import type { Check } from '../card/storage.ts'

/** The install checks of the records at hand. */
export interface Checks {
  /** Of the very command the listing has; null where no record at hand says. */
  verdictOf(listing: IndexListing): Verdict | null
  /**
   * Whether there is a record of any listing of this repository.
   *
   * @param repository folded `owner/repo`
   */
  hasAny(repository: string): boolean
  /** Reads what is at hand now. */
  reload(): Promise<void>
}

export function createChecks(records: Pick<Records, 'checks'>): Checks {
  let known: ReadonlyMap<string, Check> = new Map()
  let repositories: ReadonlySet<string> = new Set()
  return {
    verdictOf({ fullName, install }) {
      const check = known.get(fullName.toLowerCase())
      return check?.install === install ? check.verdict : null
    },
    hasAny: (repository) => repositories.has(repository),
    async reload() {
      known = await records.checks()
      repositories = new Set(Array.from(known.keys(), repositoryKey))
    },
  }
}
