import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CatalogueStorage } from '../types.ts'

export { fileLock } from './file-lock.ts'

/**
 * A storage in one JSON file, for host processes. A write goes to a temporary file beside it, which is renamed over
 * it: a crash at any moment leaves the old file or the new one. A damaged file is reported by the next read and
 * replaced by the next write.
 *
 * Processes that share the file write under `fileLock({ path })`.
 *
 * @param options.path the file; its directory is made when it is missing
 */
export function fileStorage({ path }: { path: string }): CatalogueStorage {
  let lastWrite: Promise<void> = Promise.resolve()

  async function read(): Promise<Map<string, unknown>> {
    let text: string
    try {
      text = await readFile(path, 'utf8')
    } catch (cause) {
      if (isMissing(cause)) return new Map()
      throw cause
    }
    try {
      return new Map(JSON.parse(text))
    } catch (cause) {
      throw new DamagedFileError(path, { cause })
    }
  }

  async function write(entries: readonly (readonly [string, unknown])[]): Promise<void> {
    const values = await read().catch((cause) => {
      if (cause instanceof DamagedFileError) return new Map<string, unknown>()
      throw cause
    })
    for (const [key, value] of entries) {
      if (value === undefined) values.delete(key)
      else values.set(key, value)
    }
    await replaceFile(path, JSON.stringify([...values]))
  }

  return {
    async getMany(keys) {
      const values = await read()
      return keys.map((key) => values.get(key))
    },
    setMany(entries) {
      // One after another: each write starts from what the one before left.
      const written = lastWrite.then(() => write(entries))
      lastWrite = written.catch(() => {})
      return written
    },
  }
}

class DamagedFileError extends Error {
  constructor(path: string, options: ErrorOptions) {
    super(`${path} is damaged; it is replaced at the next refresh.`, options)
    this.name = 'DamagedFileError'
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(text)
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
}

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === 'ENOENT'
