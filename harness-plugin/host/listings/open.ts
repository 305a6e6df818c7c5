import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import { openCatalogue } from './catalogue.ts'
import { connectTo } from './connect.ts'
import { createListings, type Listings, type ListingsOptions } from './listings.ts'
import { createReaderRefreshing } from './process/refreshing.ts'
import { UNREAD } from './reading.ts'
import { createRefreshing } from './refreshing.ts'

export interface OpenOptions extends Pick<ListingsOptions, 'cli' | 'now' | 'onStatus' | 'onProblem'> {
  /** Address of the directory. */
  readonly baseUrl: string
  /** Directory that copies are kept in; null for memory alone. */
  readonly stateDir: string | null
  /** In place of this system's own; then all is read in this process. */
  readonly fetch?: typeof fetch
}

/**
 * The listings of a directory, with their copy in a folder of its own: two directories never mix, and no two programs
 * that commands name.
 *
 * @throws DirectoryError when the address cannot be a directory's
 */
export function openListings(options: OpenOptions): Listings & { readonly baseUrl: string } {
  const { stateDir, cli, now, onProblem, fetch } = options
  const connect = connectTo({ baseUrl: options.baseUrl, ...(fetch ? { fetch } : {}) })
  const { baseUrl } = connect({})
  const folder = stateDir && join(stateDir, createHash('sha256').update(`${baseUrl} ${cli}`).digest('hex').slice(0, 16))
  const listings = createListings({
    ...options,
    connect,
    baseUrl,
    path: folder && join(folder, 'records'),
    refreshing(given) {
      // A harness that is packed into one executable is no Node to start a script with.
      if (folder !== null && !fetch && !isSea())
        return createReaderRefreshing({ ...given, baseUrl, cli, folder, onProblem })
      const catalogue = openCatalogue({ connect, folder, now, onProblem })
      return createRefreshing({ ...given, connect, catalogue, now, before: UNREAD, onProblem })
    },
  })
  return { ...listings, baseUrl }
}
