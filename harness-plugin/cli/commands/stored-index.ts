import { existsSync } from 'node:fs'
import { toListingData } from '../../client/plain-data.ts'
import { unreadError } from '../../client/store-client.ts'
import type { Problem } from '../../host/index.ts'
import type { DataOf } from '../documents.ts'
import { readListings } from '../listings.ts'
import type { Session } from '../session.ts'

/** The index was not read, whatever became of the rest. */
const UNREAD: readonly Problem[] = ['index-unfetched', 'index-refused', 'index-locked']

/**
 * The copy of the directory.
 *
 * @throws Failure when there is none, and when it was to be read anew and could not be
 */
export async function index(session: Session, { refresh }: { readonly refresh: boolean }) {
  const askedAt = Date.now()
  const { rows, status } = await readListings(session, { refresh })
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
