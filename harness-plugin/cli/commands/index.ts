import type { DataOf } from '../documents.ts'
import { readListings, toListing } from '../listings.ts'
import type { Session } from '../session.ts'

/** The copy of the directory. */
export async function index(session: Session, { refresh }: { readonly refresh: boolean }) {
  const { rows, status } = await readListings(session, { refresh })
  return {
    count: rows.length,
    described: status.described,
    rejected: status.rejected,
    folder: session.folder,
    listings: rows.map(toListing),
  } satisfies DataOf<'index'>
}
