import { type PluginRecord, type Verdict, verdictOf } from '@plugmark/shared/contract'
import { fold } from '../query/fold.ts'

/** One listing of the catalogue. */
export interface Listing {
  /** Its record but for the address, which depends on where it is served. */
  readonly record: Omit<PluginRecord, 'url'>
  readonly verdict: Verdict | null
  /** `/plugins/<slug>`, or null when the listing has no page. */
  readonly path: string | null
  /** The texts that `q` searches, folded as `q` is: full name, both summaries, description. */
  readonly searched: readonly string[]
  /** Risk flags that only the live service has. */
  readonly newRiskFlags: readonly string[]
}

/** What a record does not say of its listing. */
export interface Beside {
  readonly path: string | null
  /** Description of the repository. */
  readonly description?: string | null
  readonly newRiskFlags?: readonly string[]
}

export function toListing(record: Listing['record'], { path, description, newRiskFlags = [] }: Beside): Listing {
  const texts = [record.fullName, record.summary, record.summaryZh, description]
  return {
    record,
    verdict: verdictOf(record),
    path,
    searched: texts.filter((text) => text != null).map(fold),
    newRiskFlags,
  }
}
