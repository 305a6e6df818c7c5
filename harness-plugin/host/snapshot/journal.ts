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

export const SpecSchema: v.GenericSchema<unknown, InstallSpec> = v.variant('kind', [
  v.object({ kind: v.literal('npm'), name: v.string() }),
  v.object({ kind: v.literal('github'), owner: v.string(), repo: v.string() }),
])

export const SnapshotSchema = v.object({
  /** Names in node_modules; null when there was none. */
  modules: v.nullable(v.array(v.string())),
  /** The file system's time when it was taken: a file that changed since has a later ctime. */
  takenAtMs: v.number(),
})

const entries = {
  job: JobInfoSchema,
  stage: v.picklist(JOB_STAGES),
  /** Null as long as there is no snapshot: the profile was not changed. */
  snapshot: v.nullable(SnapshotSchema),
}
const JournalSchema = v.object({
  version: v.literal(6),
  ...entries,
  /** The plugins that the job changes. */
  specs: v.array(SpecSchema),
})

/** The journal of a job. It exists until the job has ended. */
export type Journal = v.InferOutput<typeof JournalSchema>

/** An earlier version of the store wrote it, and was updated since. */
const JournalV5Schema = v.pipe(
  v.object({ version: v.literal(5), ...entries, spec: SpecSchema }),
  v.transform(({ spec, ...journal }): Journal => ({ ...journal, version: 6, specs: [spec] })),
)

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
    return v.parse(v.union([JournalSchema, JournalV5Schema]), JSON.parse(await readFile(journalFile(profile), 'utf8')))
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

export const deleteJournal = (profile: string): Promise<void> => rm(journalFile(profile), { force: true })

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
