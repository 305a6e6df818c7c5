import { mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { acquireFileLock, retryWhileOpen, writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'

/** Time limit of the wait for another process that updates the same file, in ms. An update takes milliseconds. */
const LOCK_WAIT_MS = 10_000
/** A lock untouched for this long belongs to a process that hangs, in ms. */
const MAX_SILENCE_MS = 60_000

/** Content of a file of small state. */
export type Stored<T> =
  | { readonly state: 'read'; readonly value: T }
  | { readonly state: 'missing' }
  /** It can never be read: it does not parse, has another form, or is not a file. */
  | { readonly state: 'broken'; readonly cause: unknown }
  /** A newer version of this program wrote it. */
  | { readonly state: 'newer'; readonly version: number }

interface JsonFileOptions {
  /** Newest version of the format that this program reads, the file's own field `version`. @default 1 */
  readonly version?: number
  /** Creates missing folders above the file's own. @default false: a deleted profile or home stays deleted */
  readonly createsFolders?: boolean
  /** Called when a broken file was moved aside, with an error that names its new place. */
  readonly onBroken?: (error: Error) => void
}

/** Thrown when a newer version of this program wrote a file, which is left as it is. */
export class NewerFile extends Error {
  constructor(path: string, version: number) {
    super(`${path} has version ${version}, which is newer than this program. Update it.`)
  }
}

/**
 * Reads a file of small state.
 *
 * @throws the error of the file system when a retry may help, such as EIO or too many open files
 */
export async function read<T>(
  path: string,
  schema: v.GenericSchema<unknown, T>,
  { version = 1 }: Pick<JsonFileOptions, 'version'> = {},
): Promise<Stored<T>> {
  try {
    const json: unknown = JSON.parse(await retryWhileOpen(() => readFile(path, 'utf8')))
    const found = v.safeParse(v.object({ version: v.number() }), json)
    if (found.success && found.output.version > version) return { state: 'newer', version: found.output.version }
    const parsed = v.safeParse(schema, json, { abortEarly: true })
    if (parsed.success) return { state: 'read', value: parsed.output }
    // Valibot's own error has the whole input, which would fill a log.
    const [issue] = parsed.issues
    throw new Error(`${path}: ${v.getDotPath(issue) ?? 'content'}: ${issue.message}`)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { state: 'missing' }
    if (!isLasting(cause)) throw cause
    return { state: 'broken', cause }
  }
}

/** Reads a file of small state that is done without when it cannot be read. @returns null then. Never rejects. */
export async function readOptional<T>(
  path: string,
  schema: v.GenericSchema<unknown, T>,
  options: Pick<JsonFileOptions, 'version'> & { readonly onProblem?: (cause: unknown) => void } = {},
): Promise<T | null> {
  try {
    const stored = await read(path, schema, options)
    if (stored.state === 'read') return stored.value
    if (stored.state === 'broken') options.onProblem?.(stored.cause)
    if (stored.state === 'newer') options.onProblem?.(new NewerFile(path, stored.version))
  } catch (cause) {
    options.onProblem?.(cause)
  }
  return null
}

/**
 * Replaces the content of a file under a lock between processes, so that no update is lost. A crash leaves the old or
 * the new content. Moves a broken file aside before it writes.
 *
 * @param change returns the new content; null deletes the file, and the same value leaves it. It gets null when the file
 *   is missing or broken.
 * @returns the new content
 * @throws NewerFile, an error of `change`, or the file system's error; the file is then as it was
 */
export async function update<T>(
  path: string,
  schema: v.GenericSchema<unknown, T>,
  change: (value: T | null) => T | null,
  options: JsonFileOptions = {},
): Promise<T | null> {
  return underLock(
    path,
    async () => {
      const stored = await read(path, schema, options)
      if (stored.state === 'newer') throw new NewerFile(path, stored.version)
      const value = stored.state === 'read' ? stored.value : null
      const next = change(value)
      if (next === value && stored.state !== 'broken') return next
      if (stored.state === 'broken') await moveAside(path, stored.cause, options)
      if (next === null) await rm(path, { force: true })
      else await write(path, next)
      return next
    },
    options,
  )
}

/** Runs work on a file under its lock between processes. Then removes the file's folder if it is empty. */
export async function underLock<T>(
  path: string,
  work: () => Promise<T>,
  { createsFolders = false }: Pick<JsonFileOptions, 'createsFolders'> = {},
): Promise<T> {
  return inTurn(path, async () => {
    const lock = await acquireLock(path, createsFolders)
    try {
      return await work()
    } finally {
      await lock.release()
      // Only an empty folder is removed: another process may create it again at any time.
      await rmdir(dirname(path)).catch(() => {})
    }
  })
}

/** Writes a file of small state that only one process writes, or under its lock. A crash leaves the old content or the new. */
export const write = (path: string, value: unknown): Promise<void> => writeFileAtomic(path, JSON.stringify(value))

/** Errors of the file system that a retry cannot solve: another kind of file is in its place, or it is not ours. */
const LASTING = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'EPERM']

/**
 * Returns true for an error of reading that a retry cannot solve, such as a text that does not parse. Returns false for
 * EIO of a disk and for too many open files: giving up on those would make a rollback impossible.
 */
export function isLasting(error: unknown): boolean {
  // Errors of the YAML parser have a code too.
  const { code = '', errno } = error as NodeJS.ErrnoException
  return errno === undefined || LASTING.includes(code)
}

async function moveAside(path: string, cause: unknown, { onBroken }: JsonFileOptions): Promise<void> {
  const aside = `${path}.${Date.now()}.broken`
  await rename(path, aside)
  onBroken?.(new Error(`${path} could not be read and is now ${aside}`, { cause }))
}

/** Acquires the lock of a file. Retries when another process removes the empty folder in between. */
async function acquireLock(path: string, createsFolders: boolean) {
  const signal = AbortSignal.timeout(LOCK_WAIT_MS)
  for (;;) {
    await mkdir(dirname(path), { recursive: createsFolders }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    try {
      const lock = await acquireFileLock(`${path}.lock`, { signal, maxSilenceMs: MAX_SILENCE_MS })
      if (lock) return lock
      throw new Error(`Another process has held ${path}.lock for ${LOCK_WAIT_MS / 1000} s.`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || signal.aborted) throw error
    }
  }
}

/** Updates of this process that have not ended, by path: waiting here is faster than for the lock file. */
const updates = new Map<string, Promise<unknown>>()

async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  const turn = (updates.get(path) ?? Promise.resolve()).then(work, work)
  updates.set(path, turn)
  try {
    return await turn
  } finally {
    if (updates.get(path) === turn) updates.delete(path)
  }
}
