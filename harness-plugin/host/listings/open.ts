import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type CatalogueProblem, createCatalogue, inProcessLock, memoryStorage } from '@plugmark/shared/catalogue'
import { fileLock, fileStorage } from '@plugmark/shared/catalogue/file'
import { createDirectoryClient } from '@plugmark/shared/client'
import type { Connect } from './connect.ts'
import { createListings, type Listings, type ListingsOptions } from './listings.ts'

const PROBLEMS: Readonly<Record<CatalogueProblem['kind'], string>> = {
  read: 'The kept index cannot be read; the store goes on from memory.',
  write: 'The index cannot be kept; the store goes on from memory.',
  corrupt: 'The kept index cannot be understood and is not used.',
  fetch: 'The index could not be fetched.',
  refused: 'The index that was fetched is not used.',
  lock: 'Another process has been refreshing the index for long.',
}

export interface OpenOptions extends Pick<ListingsOptions, 'baseUrl' | 'cli' | 'now' | 'onStatus' | 'onProblem'> {
  /** Directory that copies are kept in; null for memory alone. */
  readonly stateDir: string | null
  readonly fetch?: typeof fetch
}

/**
 * The listings of a directory, with their copy in a folder of its own: two directories never mix, and no two programs
 * that commands name.
 *
 * @throws DirectoryError when the address cannot be a directory's
 */
export function openListings(options: OpenOptions): Listings & { readonly baseUrl: string } {
  const { stateDir, now, onProblem } = options
  const connect: Connect = (listen) =>
    createDirectoryClient({ baseUrl: options.baseUrl, ...(options.fetch ? { fetch: options.fetch } : {}), ...listen })
  const directory = connect({})
  const { baseUrl } = directory
  const folder =
    stateDir && join(stateDir, createHash('sha256').update(`${baseUrl} ${options.cli}`).digest('hex').slice(0, 16))
  const path = folder && join(folder, 'index')
  const catalogue = createCatalogue({
    storage: path ? fileStorage({ path }) : memoryStorage(),
    lock: path ? fileLock({ path }) : inProcessLock(),
    fetchIndex: ({ signal }) => directory.index({ signal, retries: 0 }),
    now,
    onProblem: ({ kind, cause }) => onProblem(PROBLEMS[kind], cause),
  })
  const records = folder && join(folder, 'records')
  return { ...createListings({ ...options, connect, catalogue, baseUrl, path: records }), baseUrl }
}
