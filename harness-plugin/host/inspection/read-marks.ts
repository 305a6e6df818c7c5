/** Keeps which differences of two versions of a package a user has read to their end, by a digest of both. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { readStrict, update } from '../json-file.ts'
import { readMarksFile } from '../profile/state-folder.ts'

/** Marks that are kept, the newest. */
const MAX_MARKS = 500

/** Times at which a user said so, in ms since 1970, by the digest of both versions. */
export const READ_MARKS = { schema: v.object({ read: v.record(v.string(), v.number()) }), version: 1 }

/** Returns the digest of two archives of files. */
export function digestOfBoth(before: Uint8Array, after: Uint8Array): string {
  const [one, other] = [before, after].map((bytes) => createHash('sha256').update(bytes).digest())
  return createHash('sha256').update(one!).update(other!).digest('hex')
}

/** Returns when a user has read a difference; null where nobody said so, and where that cannot be read. Never rejects. */
export const readAtOf = (profile: string, digest: string): Promise<string | null> =>
  readStrict(readMarksFile(profile), READ_MARKS)
    .then((marks) => (marks && Object.hasOwn(marks.read, digest) ? new Date(marks.read[digest]!).toISOString() : null))
    // A number need not be a time.
    .catch(() => null)

/** Keeps that a user has read a difference. @throws when the file cannot be read or written */
export async function markRead(profile: string, digest: string, at: number): Promise<void> {
  await update(readMarksFile(profile), READ_MARKS, (marks) => {
    const { [digest]: _, ...others } = marks?.read ?? {}
    return { read: Object.fromEntries([...Object.entries(others), [digest, at] as const].slice(-MAX_MARKS)) }
  })
}
