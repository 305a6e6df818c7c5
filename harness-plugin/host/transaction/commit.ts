import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { PROFILE_FILES, type ProfileState, SETTINGS_FILES } from '../profile/state.ts'
import { snapshotFolder, undoFolder } from '../profile/state-folder.ts'
import {
  changeFile,
  clearLeftovers,
  deleteJournal,
  JobInfoSchema,
  type Journal,
  SnapshotSchema,
  SpecSchema,
} from './journal.ts'
import { readStateFile, STATE_FORMAT, UnreadableState, writeStateFile } from './state-file.ts'
import { syncToDisk } from './sync-disk.ts'

const LastChangeSchema = v.object({
  version: v.literal(STATE_FORMAT),
  job: JobInfoSchema,
  specs: v.array(SpecSchema),
  snapshot: SnapshotSchema,
  endedAt: v.number(),
  /** Hashes of the profile's files after the job; null for a missing file. */
  files: v.object(v.entriesFromList(PROFILE_FILES, v.nullable(v.string()))),
})
/** Last job that changed a profile. Its snapshot is in the undo folder, with all of node_modules. */
export type LastChange = v.InferOutput<typeof LastChangeSchema>

/**
 * Ends a job so that the profile stays as it is now. Keeps its snapshot for an undo, in place of the previous one.
 *
 * @param after the profile as it is now
 * @throws when the job cannot be ended; then the journal still exists
 */
export async function commit(profile: string, { job, specs, snapshot }: Journal, after: ProfileState): Promise<void> {
  if (snapshot !== null) {
    const change = {
      version: STATE_FORMAT,
      job,
      specs,
      snapshot,
      endedAt: Date.now(),
      files: Object.fromEntries(after.files),
    }
    // On a full disk the change cannot be undone; then the snapshot is deleted below.
    await writeStateFile(changeFile(snapshotFolder(profile)), change).catch(() => {})
  }
  // Neither the harness nor the package manager syncs the files that it writes.
  await syncToDisk(profile, join(profile, 'node_modules'))
  await deleteJournal(profile)
  // Optional: the next job clears the rest.
  await clearLeftovers(profile).catch(() => {})
}

/** Ends a job whose profile is unchanged, or has no change that an undo could revert. */
export async function endUnchanged(profile: string): Promise<void> {
  await rm(changeFile(snapshotFolder(profile)), { force: true })
  await deleteJournal(profile)
  await clearLeftovers(profile).catch(() => {})
}

/**
 * Reads the change that an undo would revert.
 *
 * @returns null if none is kept, or the file cannot be read
 * @throws NewerStateFormat
 */
export async function readLastChange(profile: string): Promise<LastChange | null> {
  try {
    return await readStateFile(changeFile(undoFolder(profile)), LastChangeSchema)
  } catch (error) {
    if (error instanceof UnreadableState) return null
    throw error
  }
}

/** Returns the names of files that jobs write and another program has changed since. */
export const changedSince = ({ files }: LastChange, now: ProfileState): string[] =>
  PROFILE_FILES.filter((file) => !SETTINGS_FILES.includes(file) && files[file] !== now.files.get(file))
