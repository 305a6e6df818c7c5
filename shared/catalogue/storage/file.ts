import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CatalogueStorage } from '../types.ts'

export { fileLock } from './file-lock.ts'

/** Where the JSON of a value lies in the file, in bytes. */
interface Place {
  readonly at: number
  readonly length: number
}
type Places = ReadonlyMap<string, Place>

/** More than the first line of a stored index has. */
const FIRST_READ = 16 * 1024
/** Bytes. */
const WRITTEN_AT_ONCE = 512 * 1024

/**
 * A storage in one file, for host processes: a line that says how long the JSON of each value is, then these, one
 * after another. So nothing is read or decoded but what is asked for. A write goes to a temporary file beside it, which
 * is renamed over it: a crash at any moment leaves the old file or the new one. A damaged file is reported by the next
 * read and replaced by the next write.
 *
 * Processes that share the file write under `fileLock({ path })`.
 *
 * @param options.path the file; its directory is made when it is missing
 */
export function fileStorage({ path }: { path: string }): CatalogueStorage {
  let lastWrite: Promise<void> = Promise.resolve()

  /** Runs `use` with the file as it is now, whatever replaces it meanwhile; with null when there is none. */
  async function reading<T>(use: (file: FileHandle | null, places: Places) => Promise<T>): Promise<T> {
    let file: FileHandle
    try {
      file = await open(path, 'r')
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return use(null, new Map())
      throw cause
    }
    try {
      return await use(file, await readHead(file, path))
    } finally {
      await file.close()
    }
  }

  async function write(entries: readonly (readonly [string, unknown])[]): Promise<void> {
    const fresh = new Map(entries.map(([key, value]) => [key, value === undefined ? null : jsonOf(value)]))
    const replace = (file: FileHandle | null, places: Places) =>
      replaceFile(path, (to) => writeValues(to, { from: file, places, fresh }))
    await reading(replace).catch((cause) => {
      if (cause instanceof DamagedFileError) return replace(null, new Map())
      throw cause
    })
  }

  return {
    getMany: (keys) =>
      reading(async (file, places) => {
        const found = keys.flatMap((key) => places.get(key) ?? [])
        const bytes = file ? await readPlaces(file, found) : new Map<Place, Buffer>()
        return keys.map((key) => {
          const place = places.get(key)
          return place && parse(String(bytes.get(place)), path)
        })
      }),
    setMany(entries) {
      // One after another: each write starts from what the one before left.
      const written = lastWrite.then(() => write(entries))
      lastWrite = written.catch(() => {})
      return written
    },
  }
}

const jsonOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

/** @throws DamagedFileError */
async function readHead(file: FileHandle, path: string): Promise<Places> {
  const { size } = await file.stat()
  let head: Buffer = Buffer.alloc(0)
  let end = -1
  for (let length = FIRST_READ; end < 0 && head.length < size; length *= 4) {
    head = await readAt(file, { at: 0, length: Math.min(length, size) })
    end = head.indexOf(10)
  }
  const places = new Map<string, Place>()
  let at = end + 1
  const lengths = parse(head.toString('utf8', 0, Math.max(0, end)), path)
  for (const [key, length] of Array.isArray(lengths) && lengths.every(Array.isArray) ? lengths : []) {
    places.set(key, { at, length })
    at += length
  }
  if (at !== size) throw new DamagedFileError(path)
  return places
}

/** Writes what was there and is not replaced, as it stands, and what is new; a null of `fresh` leaves its key out. */
async function writeValues(
  to: FileHandle,
  { from, places, fresh }: { from: FileHandle | null; places: Places; fresh: ReadonlyMap<string, Buffer | null> },
): Promise<void> {
  const keys = [...new Set([...places.keys(), ...fresh.keys()])].filter((key) => fresh.get(key) !== null)
  const lengths = keys.map((key) => [key, fresh.get(key)?.length ?? places.get(key)?.length])
  let waiting: Buffer[] = [Buffer.from(`${JSON.stringify(lengths)}\n`)]
  let size = 0
  for (const key of keys) {
    const place = places.get(key)
    const bytes = fresh.get(key) ?? (from && place ? await readAt(from, place) : Buffer.alloc(0))
    waiting.push(bytes)
    size += bytes.length
    if (size < WRITTEN_AT_ONCE) continue
    await to.appendFile(Buffer.concat(waiting))
    waiting = []
    size = 0
  }
  await to.appendFile(Buffer.concat(waiting))
}

/** The bytes of these places; those that follow one another are read together. */
async function readPlaces(file: FileHandle, places: readonly Place[]): Promise<Map<Place, Buffer>> {
  const found = new Map<Place, Buffer>()
  for (let first = 0, next = 0; first < places.length; first = next) {
    const { at } = places[first]!
    let end = at
    for (next = first; places[next]?.at === end; next++) end += places[next]!.length
    const run = await readAt(file, { at, length: end - at })
    for (const place of places.slice(first, next))
      found.set(place, run.subarray(place.at - at, place.at - at + place.length))
  }
  return found
}

async function readAt(file: FileHandle, { at, length }: Place): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}

class DamagedFileError extends Error {
  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is damaged; it is replaced at the next refresh.`, options)
    this.name = 'DamagedFileError'
  }
}

/** @throws DamagedFileError */
function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new DamagedFileError(path, { cause })
  }
}

/**
 * Writes a file and its folder. A crash at any moment leaves the old file or the new one, and after a power cut what was
 * written is there.
 *
 * @param options.temporary where the new file is written before it is renamed, on the same file system
 * @param options.mode permissions of the new file @default by the umask
 * @throws when it cannot be written; then the old one stays
 */
export async function replaceFile(
  path: string,
  write: (file: FileHandle) => Promise<void>,
  { temporary = `${path}.${randomUUID()}.tmp`, mode }: { readonly temporary?: string; readonly mode?: number } = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  try {
    const file = await open(temporary, 'wx')
    try {
      await write(file)
      if (mode !== undefined) await file.chmod(mode)
      // Else a power cut after the rename can leave an empty file under the final name.
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
  await syncFolder(dirname(path))
}

/** Makes the names in a folder outlast a power cut. Windows cannot open a folder, and needs no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r').catch(() => null)
  // Some network file systems refuse it.
  await handle?.sync().catch(() => {})
  await handle?.close().catch(() => {})
}
