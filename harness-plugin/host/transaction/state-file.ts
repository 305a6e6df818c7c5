import { readFile, rm } from 'node:fs/promises'
import { writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'

/** Version of the format of all files in a profile's state folder. Formats below 7 were never released. */
export const STATE_FORMAT = 7

/** Thrown when state of a profile exists but cannot be read. */
export class UnreadableState extends Error {}

/** Thrown when a newer version of this program wrote state of a profile: nothing may change before an update. */
export class NewerStateFormat extends Error {}

/**
 * Reads a file of a profile's state folder.
 *
 * @returns null if there is none
 * @throws UnreadableState if it can never be read, or the file system's error if trying again may help
 * @throws NewerStateFormat if a newer version of the store wrote it
 */
export async function readStateFile<T>(path: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> {
  try {
    const json: unknown = JSON.parse(await readFile(path, 'utf8'))
    const { success, output } = v.safeParse(v.object({ version: v.number() }), json)
    if (success && output.version > STATE_FORMAT)
      throw new NewerStateFormat(`version ${output.version} of the store's files is newer than this program`)
    return v.parse(schema, json)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    if (cause instanceof NewerStateFormat || !isLasting(cause)) throw cause
    throw new UnreadableState(`${path} cannot be read`, { cause })
  }
}

/** Errors of the file system that a retry cannot solve: another kind of file is in its place, or it is not ours. */
const LASTING = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'EPERM']

/**
 * Returns true for a read error that a retry cannot solve, such as a text that does not parse. Returns false for EIO of
 * a disk and for too many open files: giving up on those would make a rollback impossible.
 */
export function isLasting(error: unknown): boolean {
  // Errors of the YAML parser have a code too.
  const { code = '', errno } = error as NodeJS.ErrnoException
  return errno === undefined || LASTING.includes(code)
}

/** Writes a file of a profile's state folder atomically, so that it survives a power cut. */
export async function writeStateFile(path: string, content: { readonly version: number }): Promise<void> {
  const temporary = `${path}${TEMPORARY}`
  await rm(temporary, { force: true })
  await writeFileAtomic(path, JSON.stringify(content), { temporary })
}

/** Suffix of the name of a file that is being written. */
export const TEMPORARY = '.tmp'
