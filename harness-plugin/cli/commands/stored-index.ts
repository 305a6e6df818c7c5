import { existsSync } from 'node:fs'
import { toListingData } from '../../client/published.ts'
import { unreadError } from '../../client/store-client.ts'
import type { Problem } from '../../host/index.ts'
import type { DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import { readListings } from '../read-listings.ts'
import type { Session } from '../session.ts'

/** Problems that mean that the index was not read. */
const UNREAD: readonly Problem[] = ['index-unfetched', 'index-refused', 'index-locked']

/**
 * Returns the stored index.
 *
 * @param options.replace true to replace it by one of another site, or an older one
 * @throws Failure when there is no index, and when a new one could not be read or differs
 */
export async function index(session: Session, options: { readonly refresh: boolean; readonly replace: boolean }) {
  const refresh = options.refresh || options.replace
  const askedAt = Date.now()
  const { rows, status } = await readListings(session, { refresh, replace: options.replace })
  if (refresh && status.difference) {
    const { offered, stored } = status.difference
    throw new Failure('index-differs', ({ failures }) => failures.indexDiffers(offered, stored), {
      next: () => 'plugmark index --replace',
    })
  }
  const isUnread = UNREAD.some((problem) => session.problems.has(problem))
  if (refresh && (isUnread || (status.loadedAt ?? 0) < askedAt)) throw unreadError(status)
  return {
    count: rows.length,
    described: status.described,
    rejected: status.rejected,
    folder: existsSync(session.folder) ? session.folder : null,
    listings: rows.map(toListingData),
  } satisfies DataOf<'index'>
}
