import { readFile, rm } from 'node:fs/promises'
import { writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'

/** Version of the format of all files in a profile's state folder. Formats below 7 were never released. */
export const STATE_FORMAT = 7

/** State of a profile exists and cannot be read. */
export class UnreadableState extends Error {}

/** A newer version of this program wrote state of a profile, so nothing may be changed until this one is updated. */
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

/** Errors of the file system that the next attempt meets too: something else is in the file's place, or it is not ours. */
const LASTING = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'EPERM']

/**
 * Returns true for an error in reading a file that trying again does not help against. A text that does not parse is one,
 * a disk that answers with EIO or a process with too many open files is not: giving up on those would lose the way back.
 */
export function isLasting(error: unknown): boolean {
  // Errors of the YAML parser have a code, too.
  const { code = '', errno } = error as NodeJS.ErrnoException
  return errno === undefined || LASTING.includes(code)
}

/** Writes a file of a profile's state folder, atomically, so that it outlasts a power cut. */
export async function writeStateFile(path: string, content: { readonly version: number }): Promise<void> {
  const temporary = `${path}${TEMPORARY}`
  await rm(temporary, { force: true })
  await writeFileAtomic(path, JSON.stringify(content), { temporary })
}

/** End of the name of a file that was being written. */
export const TEMPORARY = '.tmp'
