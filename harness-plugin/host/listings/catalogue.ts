import { join } from 'node:path'
import {
  type Catalogue,
  type CatalogueProblem,
  createCatalogue,
  inProcessLock,
  memoryStorage,
} from '@plugmark/shared/catalogue'
import { fileLock, fileStorage } from '@plugmark/shared/catalogue/file'
import type { Connect } from './connect.ts'

const PROBLEMS: Readonly<Record<CatalogueProblem['kind'], string>> = {
  read: 'The kept index cannot be read; the store goes on from memory.',
  write: 'The index cannot be kept; the store goes on from memory.',
  corrupt: 'The kept index cannot be understood and is not used.',
  fetch: 'The index could not be fetched.',
  refused: 'The index that was fetched is not used.',
  lock: 'Another process has been refreshing the index for long.',
}

/** The index of a directory, and its copy. */
export function openCatalogue(options: {
  readonly connect: Connect
  /** Directory that the copy is kept in; null for memory alone. */
  readonly folder: string | null
  readonly now: () => number
  readonly onProblem: (message: string, cause: unknown) => void
}): Catalogue {
  const { folder, now, onProblem } = options
  const path = folder && join(folder, 'index')
  const directory = options.connect({})
  return createCatalogue({
    storage: path ? fileStorage({ path }) : memoryStorage(),
    lock: path ? fileLock({ path }) : inProcessLock(),
    fetchIndex: ({ signal }) => directory.index({ signal, retries: 0 }),
    now,
    onProblem: ({ kind, cause }) => onProblem(PROBLEMS[kind], cause),
  })
}
