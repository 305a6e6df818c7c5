import { copyFile, mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { acquireFileLock, retryWhileOpen, writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'

/** Time limit of the wait for another process that updates the same file, in ms. An update takes milliseconds. */
const LOCK_WAIT_MS = 10_000
/** A lock untouched for this long belongs to a process that hangs, in ms. */
const MAX_SILENCE_MS = 60_000

/** A stored time, ms since 1970. Another number is not a date, and the code that shows it would throw. */
export const TimeSchema = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15))

/** Content of a stored file. */
export type Stored<T> =
  | { readonly state: 'read'; readonly value: T }
  | { readonly state: 'missing' }
  /** It can never be read: it does not parse, has another form or no format number, or is not a file. */
  | { readonly state: 'broken'; readonly cause: unknown }
  /** A newer version of this program wrote it. */
  | { readonly state: 'newer'; readonly version: number }

/** Format of a stored file. */
export interface FileFormat<T> {
  readonly schema: v.GenericSchema<unknown, T>
  /** Number of the format, which the file has as its own field `version`. */
  readonly version: number
  /**
   * True for a cache, which is written again when it is broken: the broken file is moved aside first.
   * @default false: the file is left as it is, because a decision depends on it; see `setAside`
   */
  readonly isCache?: boolean
  /** Returns what can be kept of a broken text; null for nothing. */
  readonly rescue?: (text: string) => T | null
}

/** Thrown when a newer version of this program wrote a file, which is left as it is. */
export class NewerFile extends Error {
  constructor(path: string, version: number) {
    super(`${path} has version ${version}, which is newer than this program. Update it.`)
  }
}

/** Thrown when stored state exists but can never be read. It is left as it is. */
export class UnreadableState extends Error {}

/**
 * Reads a stored file.
 *
 * @throws the error of the file system when a retry may help, such as EIO or too many open files
 */
export async function read<T>(
  path: string,
  { schema, version }: Pick<FileFormat<T>, 'schema' | 'version'>,
): Promise<Stored<T>> {
  try {
    // Node decodes a file piece by piece when it is told an encoding, which takes longer.
    const json: unknown = JSON.parse((await retryWhileOpen(() => readFile(path))).toString())
    const found = v.parse(VersionSchema, json).version
    if (found > version) return { state: 'newer', version: found }
    if (found < version) throw new Error(`${path}: its format ${found} is no longer read`)
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

const VersionSchema = v.object({ version: v.number('This file does not say its format.') })

/**
 * Reads a stored file on which a decision depends.
 *
 * @returns null if there is none
 * @throws UnreadableState if it can never be read, NewerFile if only a newer version of this program reads it, or the file
 *   system's error if trying again may help
 */
export async function readStrict<T>(
  path: string,
  format: Pick<FileFormat<T>, 'schema' | 'version'>,
): Promise<T | null> {
  return contentOf(path, await read(path, format))
}

function contentOf<T>(path: string, stored: Stored<T>): T | null {
  if (stored.state === 'newer') throw new NewerFile(path, stored.version)
  if (stored.state === 'broken') throw new UnreadableState(`${path} cannot be read`, { cause: stored.cause })
  return stored.state === 'read' ? stored.value : null
}

/** Reads a cache, which is done without when it cannot be read. @returns null then. Never rejects. */
export async function readCache<T>(
  path: string,
  format: FileFormat<T>,
  onProblem?: (cause: unknown) => void,
): Promise<T | null> {
  try {
    return await readStrict(path, format)
  } catch (cause) {
    onProblem?.(cause instanceof UnreadableState ? cause.cause : cause)
    return null
  }
}

interface FolderOptions {
  /** Creates missing folders above the file's own. @default false: a deleted profile or home stays deleted */
  readonly createsFolders?: boolean
}

/**
 * Replaces the content of a file under a lock between processes, so that no update is lost. A crash leaves the old or
 * the new content. Writes the number of the format into it.
 *
 * @param change returns the new content; null deletes the file, and the same value leaves it. It gets null when the file
 *   is missing, or is a broken cache.
 * @returns the new content
 * @throws NewerFile, UnreadableState, an error of `change`, or the file system's error; the file is then as it was
 */
export async function update<T extends object>(
  path: string,
  format: FileFormat<T>,
  change: (value: T | null) => T | null,
  options: FolderOptions = {},
): Promise<T | null> {
  return underLock(
    path,
    async () => {
      const stored = await read(path, format)
      const isReplaced = stored.state === 'broken' && format.isCache === true
      const value = isReplaced ? null : contentOf(path, stored)
      const next = change(value)
      if (next === value && !isReplaced) return next
      if (isReplaced) await moveAside(path)
      if (next === null) await rm(path, { force: true })
      else await write(path, { version: format.version, ...next })
      return next
    },
    options,
  )
}

/**
 * Moves a file that can never be read aside, so that the next update creates it again. Leaves any other as it is.
 *
 * @returns the new path of the broken file; null when the file can be read, is missing, or is newer
 */
export async function setAside<T extends object>(path: string, format: FileFormat<T>): Promise<string | null> {
  const { rescue, version } = format
  if ((await read(path, format)).state !== 'broken') return null
  return underLock(path, async () => {
    if ((await read(path, format)).state !== 'broken') return null
    // A folder in its place has no text.
    const text = rescue ? await readFile(path, 'utf8').catch(() => '') : ''
    const kept = rescue?.(text) ?? null
    if (kept === null) return moveAside(path)
    // Replaces it in one step: after a crash nothing that can be rescued is gone.
    const aside = asideOf(path)
    await copyFile(path, aside)
    await write(path, { version, ...kept })
    return aside
  })
}

/** Runs work on a file under its lock between processes. Then removes the file's folder if it is empty. */
export async function underLock<T>(
  path: string,
  work: () => Promise<T>,
  { createsFolders = false }: FolderOptions = {},
): Promise<T> {
  return inTurn(path, async () => {
    const lock = await acquireLock(path, createsFolders)
    try {
      return await work()
    } finally {
      // While this process lives, nobody takes over a lock that is left.
      await lock.release().catch(() => lock.release())
      // Only an empty folder is removed: another process may create it again at any time.
      await rmdir(dirname(path)).catch(() => {})
    }
  })
}

/** Writes a stored file that only one process writes, or under its lock. A crash leaves the old content or the new. */
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

const asideOf = (path: string): string => `${path}.${Date.now()}.broken`

async function moveAside(path: string): Promise<string> {
  const aside = asideOf(path)
  await rename(path, aside)
  return aside
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
