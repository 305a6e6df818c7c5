import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstallSpec } from '@plugmark/shared/install'
import * as v from 'valibot'
import { JOB_STAGES } from '../../protocol/jobs.ts'
import { JobInfoSchema } from '../job/job-file.ts'

/**
 * Directory in a profile that exists while a job changes it: the journal, and under `snapshot` the profile as it was. It
 * lies in the profile because only there a rename is sure to stay on one file system.
 */
export const WORK_DIRECTORY = '.plugmark'
export const workDirectory = (profile: string): string => join(profile, WORK_DIRECTORY)
export const snapshotDirectory = (profile: string): string => join(workDirectory(profile), 'snapshot')
const journalFile = (profile: string): string => join(workDirectory(profile), 'journal.json')

const SpecSchema: v.GenericSchema<unknown, InstallSpec> = v.variant('kind', [
  v.object({ kind: v.literal('npm'), name: v.string() }),
  v.object({ kind: v.literal('github'), owner: v.string(), repo: v.string() }),
])

const JournalSchema = v.object({
  version: v.literal(5),
  job: JobInfoSchema,
  spec: SpecSchema,
  stage: v.picklist(JOB_STAGES),
  /** Null as long as there is no snapshot: the profile was not changed. */
  snapshot: v.nullable(
    v.object({
      /** Names in node_modules; null when there was none. */
      modules: v.nullable(v.array(v.string())),
      /** The file system's time when it was taken: a file that changed since has a later ctime. */
      takenAtMs: v.number(),
    }),
  ),
})

/** The journal of a job. It exists until the job has ended. */
export type Journal = v.InferOutput<typeof JournalSchema>

/** A journal or a snapshot exists and cannot be read. */
export class Unreadable extends Error {}

/**
 * Reads the journal of a profile, which is replaced atomically.
 *
 * @returns null when there is none: no job began, or it ended
 * @throws Unreadable when it cannot be read, such as one of another version
 */
export async function readJournal(profile: string): Promise<Journal | null> {
  try {
    return v.parse(JournalSchema, JSON.parse(await readFile(journalFile(profile), 'utf8')))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Unreadable('the journal cannot be read', { cause })
  }
}

export async function writeJournal(profile: string, journal: Journal): Promise<void> {
  const temporary = `${journalFile(profile)}.tmp`
  await mkdir(workDirectory(profile), { recursive: true })
  const file = await open(temporary, 'w')
  try {
    await file.writeFile(JSON.stringify(journal))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, journalFile(profile))
}

/** Ends the transaction, so that the profile stays as it is now. The snapshot is deleted after the journal. */
export async function commit(profile: string): Promise<void> {
  await rm(journalFile(profile), { force: true })
  // The next job removes what cannot be removed now.
  await rm(workDirectory(profile), { recursive: true, force: true }).catch(() => {})
}

/**
 * Renames something in a profile that cannot be read.
 *
 * @returns its new name, which a starting harness does not take for an unfinished job
 */
export async function quarantine(profile: string, name: string): Promise<string> {
  const renamed = `${name.replace(/^\./, '')}.unreadable-${new Date().toISOString().replaceAll(':', '-')}`
  await rename(join(profile, name), join(profile, renamed))
  return renamed
}
