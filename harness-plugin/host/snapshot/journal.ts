import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstallSpec } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { JobAction, JobStage } from '../../bridge/index.ts'

/** Every stage that a journal can tell of, in their order. */
export const JOB_STAGES = [
  'preparing',
  'trying',
  'starting',
  'installing',
  'checking',
] as const satisfies readonly JobStage[]
export const JOB_ACTIONS = [
  'install',
  'approve',
  'update',
  'remove',
  'enable',
  'disable',
] as const satisfies readonly JobAction[]

/**
 * What lies in a profile while a job goes on: the journal, and under `before` the profile as it was. It is in the
 * profile because only there a rename is sure to stay on one file system; it is gone when the job has ended.
 */
export const WORK_DIRECTORY = '.plugmark'
export const workDirectory = (profile: string): string => join(profile, WORK_DIRECTORY)
export const beforeDirectory = (profile: string): string => join(workDirectory(profile), 'before')
const journalFile = (profile: string): string => join(workDirectory(profile), 'journal.json')

const SpecSchema: v.GenericSchema<unknown, InstallSpec> = v.variant('kind', [
  v.object({ kind: v.literal('npm'), name: v.string() }),
  v.object({ kind: v.literal('github'), owner: v.string(), repo: v.string() }),
])

/** What is noted of a job, so that another host can tell of it. */
export const NotedJobSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  action: v.picklist(JOB_ACTIONS),
  listing: v.string(),
  command: v.nullable(v.string()),
  queuedAt: v.number(),
  startedAt: v.number(),
})

const JournalSchema = v.object({
  version: v.literal(4),
  /** The job that was going on. */
  job: NotedJobSchema,
  spec: SpecSchema,
  stage: v.picklist(JOB_STAGES),
  /** What was put aside, and so must be put back; null while the profile is not touched yet. */
  aside: v.nullable(
    v.object({
      /** What lay in node_modules; null when there was none. */
      modules: v.nullable(v.array(v.string())),
      /** The file system's time then, ms: what changed in node_modules changed after it. */
      at: v.number(),
    }),
  ),
})

/** As long as there is one, the job has not ended. */
export type Journal = v.InferOutput<typeof JournalSchema>

/** A journal or a snapshot that is there and cannot be read. */
export class Unreadable extends Error {}

/**
 * Null when there is none: nothing was begun, or it ended. A journal is written whole or not at all.
 *
 * @throws Unreadable for any other reason, another version's among them
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

/** Ends the transaction: from here on the profile stays as it is. What was put aside goes after the journal. */
export async function endJournal(profile: string): Promise<void> {
  await rm(journalFile(profile), { force: true })
  // What cannot be removed now is by the next job.
  await rm(workDirectory(profile), { recursive: true, force: true }).catch(() => {})
}

/**
 * Moves something in a profile that cannot be read out of the way.
 *
 * @returns its new name there, with which a harness that starts does not take it for a job that is not over
 */
export async function setAside(profile: string, name: string): Promise<string> {
  const aside = `${name.replace(/^\./, '')}.unreadable-${new Date().toISOString().replaceAll(':', '-')}`
  await rename(join(profile, name), join(profile, aside))
  return aside
}
