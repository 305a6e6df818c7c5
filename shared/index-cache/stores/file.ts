import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { chunked } from '../../async/index.ts'
import { writeFileAtomic } from '../../file-lock/index.ts'
import type { IndexStore, RepositoryListings } from '../types.ts'

/**
 * Creates a store in a folder, for host processes: `index.json` holds the listings, `state.json` the state. The listings
 * are written first: after a crash between the two, the next refresh writes both again. Processes that share the folder
 * write under `processLock`.
 *
 * @param options.folder created when it is missing
 */
export function fileStore({ folder }: { folder: string }): IndexStore {
  const indexPath = join(folder, 'index.json')
  const statePath = join(folder, 'state.json')
  const readIndex = async () => ((await readJson(indexPath)) ?? []) as readonly RepositoryListings[]
  const saveState = async (state: object) => writeFileAtomic(statePath, JSON.stringify(state))

  return {
    load: () => readJson(statePath),
    async find(repositories) {
      const listings = new Map(await readIndex())
      return repositories.map((repository) => listings.get(repository))
    },
    async forEach(visit) {
      await chunked(await readIndex(), ([repository, listings]) => visit(repository, listings))
    },
    saveState,
    async replace(repositories, state) {
      await writeFileAtomic(indexPath, JSON.stringify(repositories))
      await saveState(state)
    },
    async clear() {
      await rm(statePath, { force: true })
      await rm(indexPath, { force: true })
    },
  }
}

/** @throws {Error} when the file is damaged; the message says what the store will do with it */
async function readJson(path: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${path} is damaged. The next refresh replaces it.`, { cause })
  }
}
