import { access, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { JobInfoSchema } from '../job/job-file.ts'
import { PROFILE_FILES, type ProfileState, SETTINGS_FILES } from '../profile/state.ts'
import { deleteJournal, type Journal, SnapshotSchema, SpecSchema, workDirectory } from './journal.ts'

/**
 * Directory in a profile with the snapshot of the job that changed it last, until the next one begins to. It has all of
 * node_modules, as no package manager can be relied on to restore that from the files alone; see `takeSnapshot`.
 */
export const LAST_CHANGE_DIRECTORY = '.plugmark-undo'
export const lastSnapshot = (profile: string): string => join(profile, LAST_CHANGE_DIRECTORY, 'snapshot')
/** It is written in the work directory, which is then renamed. */
const FILE = 'last-change.json'

const LastChangeSchema = v.object({
  version: v.literal(1),
  job: JobInfoSchema,
  specs: v.array(SpecSchema),
  snapshot: SnapshotSchema,
  endedAt: v.number(),
  /** Hashes of the profile's files as the job left them; null where there was none. */
  files: v.object(v.entriesFromList(PROFILE_FILES, v.nullable(v.string()))),
})
/** The job that changed a profile last, and its snapshot. */
export type LastChange = v.InferOutput<typeof LastChangeSchema>

/**
 * Ends the transaction, so that the profile stays as it is now. Its snapshot is kept in place of the one before.
 *
 * @param after the profile as it is now
 */
export async function commit(profile: string, { job, specs, snapshot }: Journal, after: ProfileState): Promise<void> {
  const change = { version: 1, job, specs, snapshot, endedAt: Date.now(), files: Object.fromEntries(after.files) }
  // Without it, as on a full disk, the change cannot be undone.
  await writeFile(join(workDirectory(profile), FILE), JSON.stringify(change)).catch(() => {})
  await deleteJournal(profile)
  // The next job does what cannot be done now.
  await clearWorkDirectory(profile).catch(() => {})
}

/** Ends the transaction of a profile that is as it was. The snapshot is deleted after the journal. */
export async function endUnchanged(profile: string): Promise<void> {
  await rm(join(workDirectory(profile), FILE), { force: true })
  await deleteJournal(profile)
  await clearWorkDirectory(profile).catch(() => {})
}

/** Clears what a job without a journal left: it had not begun, or it had ended, and then its snapshot may be to be kept. */
export async function clearWorkDirectory(profile: string): Promise<void> {
  const isCommitted = await access(join(workDirectory(profile), FILE)).then(
    () => true,
    () => false,
  )
  if (!isCommitted) return rm(workDirectory(profile), { recursive: true, force: true })
  await dropLastChange(profile)
  await rename(workDirectory(profile), join(profile, LAST_CHANGE_DIRECTORY))
}

/** Null when none is kept, or it cannot be read. */
export async function readLastChange(profile: string): Promise<LastChange | null> {
  try {
    const text = await readFile(join(profile, LAST_CHANGE_DIRECTORY, FILE), 'utf8')
    return v.parse(LastChangeSchema, JSON.parse(text))
  } catch {
    return null
  }
}

/** Names of the profile's files that somebody else changed since, of those that jobs write. */
export const changedSince = ({ files }: LastChange, now: ProfileState): string[] =>
  PROFILE_FILES.filter((file) => !SETTINGS_FILES.includes(file) && files[file] !== now.files.get(file))

/** To be called before a job changes the profile, as a third copy of node_modules could fill the disk. */
export const dropLastChange = (profile: string): Promise<void> =>
  rm(join(profile, LAST_CHANGE_DIRECTORY), { recursive: true, force: true })
