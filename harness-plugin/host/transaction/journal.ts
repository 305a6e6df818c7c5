import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '@plugmark/shared/file-lock'
import type { InstallSpec } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { Job } from '../../protocol/index.ts'
import { JOB_ACTIONS, PROFILE_ACTIONS } from '../../protocol/jobs.ts'
import { journalFile, scratchFolder, snapshotFolder, stateFolder, undoFolder } from '../profile/state-folder.ts'
import { readStateFile, STATE_FORMAT, TEMPORARY, writeStateFile } from './state-file.ts'

/** Facts of a job that a later host reports. */
export const JobInfoSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  action: v.picklist([...JOB_ACTIONS, ...PROFILE_ACTIONS]),
  listing: v.nullable(v.string()),
  more: v.pipe(v.array(v.string()), v.readonly()),
  command: v.nullable(v.string()),
  queuedAt: v.number(),
  startedAt: v.number(),
})
export type JobInfo = v.InferOutput<typeof JobInfoSchema>

export const SpecSchema: v.GenericSchema<unknown, InstallSpec> = v.variant('kind', [
  v.object({ kind: v.literal('npm'), name: v.string() }),
  v.object({ kind: v.literal('github'), owner: v.string(), repo: v.string() }),
])

export const SnapshotSchema = v.object({
  /** Names in node_modules; null when there was none. */
  modules: v.nullable(v.array(v.string())),
  /** Time of the file system at the snapshot, ms: a file that changed since has a later ctime. 0 if unknown. */
  takenAtMs: v.number(),
})

const JournalSchema = v.object({
  version: v.literal(STATE_FORMAT),
  job: JobInfoSchema,
  /** Shell that runs it; empty when it is unknown. */
  client: v.optional(v.string(), ''),
  /** Plugins that the job changes. */
  specs: v.array(SpecSchema),
  /** Null until there is a snapshot; until then the profile is unchanged. */
  snapshot: v.nullable(SnapshotSchema),
})

/** The journal of a job. It exists until the job has ended, and says how to restore the profile. */
export type Journal = v.InferOutput<typeof JournalSchema>

/**
 * Reads the journal of a profile.
 *
 * @returns null if there is none: no job has begun, or it has ended
 * @throws UnreadableState, NewerStateFormat
 */
export const readJournal = (profile: string): Promise<Journal | null> =>
  readStateFile(journalFile(profile), JournalSchema)

export const writeJournal = (profile: string, journal: Journal): Promise<void> =>
  writeStateFile(journalFile(profile), journal)

/**
 * Creates the journal of a job. The profile may be changed only once the journal has a snapshot.
 *
 * @param profile the profile's directory, which this process has locked
 * @throws when it cannot be written; then no part of it is left
 */
export async function beginJournal(
  profile: string,
  job: Pick<Job, keyof JobInfo>,
  specs: readonly InstallSpec[],
  client = '',
): Promise<Journal> {
  if ((await readJournal(profile)) !== null) throw new Error('an earlier job could not be rolled back')
  await clearLeftovers(profile)
  const { id, action, listing, more, command, queuedAt, startedAt } = job
  const info = { id, action, listing, more, command, queuedAt, startedAt: startedAt ?? queuedAt }
  const journal: Journal = { version: STATE_FORMAT, job: info, client, specs: [...specs], snapshot: null }
  try {
    await writeJournal(profile, journal)
    return journal
  } catch (error) {
    await rm(journalFile(profile), { force: true }).catch(() => {})
    throw error
  }
}

/** Deletes the journal, which ends the job. */
export async function deleteJournal(profile: string): Promise<void> {
  await rm(journalFile(profile), { force: true })
  await syncFolder(stateFolder(profile))
}

/** Returns the file in a snapshot that describes the change. Only the snapshot of a committed job has it. */
export const changeFile = (snapshot: string): string => join(snapshot, 'change.json')

/**
 * Clears the leftovers of a job without a journal. Keeps the snapshot of a committed job for an undo, and deletes any
 * other.
 */
export async function clearLeftovers(profile: string): Promise<void> {
  const names = await readdir(stateFolder(profile)).catch((): string[] => [])
  const snapshot = snapshotFolder(profile)
  if (names.includes('snapshot')) {
    if ((await readdir(snapshot)).includes('change.json')) {
      await dropUndo(profile)
      await rename(snapshot, undoFolder(profile))
    } else await rm(snapshot, { recursive: true, force: true })
  }
  await rm(scratchFolder(profile), { recursive: true, force: true })
  for (const name of names) if (name.endsWith(TEMPORARY)) await rm(join(stateFolder(profile), name), { force: true })
}

/** Deletes the snapshot of the last change. */
export async function dropUndo(profile: string): Promise<void> {
  // Delete this first, so that a partly deleted snapshot is never restored.
  await rm(changeFile(undoFolder(profile)), { force: true })
  await rm(undoFolder(profile), { recursive: true, force: true })
}

/**
 * Moves unreadable files from the state folder into a new folder of the profile.
 *
 * @returns the folder's name
 */
export async function quarantine(profile: string, ...paths: readonly string[]): Promise<string> {
  const name = quarantineName('plugmark')
  await mkdir(join(profile, name))
  for (const path of paths) {
    const target = join(profile, name, path.slice(dirname(path).length + 1))
    await rename(path, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  return name
}

/** Renames an unreadable file of a profile, and returns its new name. */
export async function quarantineFile(profile: string, name: string): Promise<string> {
  const renamed = quarantineName(name.replace(/^\./, ''))
  await rename(join(profile, name), join(profile, renamed))
  return renamed
}

const quarantineName = (name: string): string => `${name}.unreadable-${new Date().toISOString().replaceAll(':', '-')}`
