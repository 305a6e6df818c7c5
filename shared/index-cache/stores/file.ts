import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { chunked } from '../../async/index.ts'
import { writeFileAtomic } from '../../file-lock/index.ts'
import type { IndexStore, RepositoryListings } from '../types.ts'

/**
 * Creates a store in a folder, for host processes: `index.json` holds a checksum and the listings, on a line each, and
 * `state.json` the state. The listings are written first: after a crash between the two, the next refresh writes both again. Processes that share the folder
 * write under `processLock`.
 *
 * @param options.folder created when it is missing
 */
export function fileStore({ folder }: { folder: string }): IndexStore {
  const indexPath = join(folder, 'index.json')
  const statePath = join(folder, 'state.json')
  const readIndex = async () => ((await readFileAs(indexPath, parseIndex)) ?? []) as readonly RepositoryListings[]
  const saveState = async (state: object) => writeFileAtomic(statePath, JSON.stringify(state))

  return {
    isVerified: true,
    load: () => readFileAs(statePath, (bytes) => JSON.parse(bytes.toString())),
    async find(repositories) {
      const listings = new Map(await readIndex())
      return repositories.map((repository) => listings.get(repository))
    },
    async forEach(visit) {
      await chunked(await readIndex(), ([repository, listings]) => visit(repository, listings))
    },
    saveState,
    async replace(repositories, state) {
      const line = Buffer.from(JSON.stringify(repositories))
      await writeFileAtomic(indexPath, Buffer.concat([Buffer.from(`${checksumOf(line)}\n`), line]))
      await saveState(state)
    },
    async clear() {
      await rm(statePath, { force: true })
      await rm(indexPath, { force: true })
    },
  }
}

const checksumOf = (line: Buffer): string => createHash('sha256').update(line).digest('hex')

function parseIndex(bytes: Buffer): unknown {
  const end = bytes.indexOf('\n')
  const line = bytes.subarray(end + 1)
  if (bytes.toString('utf8', 0, Math.max(0, end)) !== checksumOf(line)) throw new Error('its checksum is another')
  return JSON.parse(line.toString())
}

/**
 * @returns undefined when there is no file
 * @throws {Error} when it is damaged; the message says what the store will do with it
 */
async function readFileAs(path: string, parse: (bytes: Buffer) => unknown): Promise<unknown> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
  try {
    return parse(bytes)
  } catch (cause) {
    throw new Error(`${path} is damaged. The next refresh replaces it.`, { cause })
  }
}
