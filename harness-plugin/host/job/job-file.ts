import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbandoned, keepAlive, type Owner, OwnerSchema } from '@plugmark/shared/file-lock'
import * as v from 'valibot'
import type { Job, Outcome, RollbackResult } from '../../protocol/index.ts'
import { JOB_ACTIONS } from '../../protocol/jobs.ts'
import { emptyOutcome } from './outcome.ts'

/** What is written of a job to disk, so that a later host can report it. */
export const JobInfoSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  action: v.picklist(JOB_ACTIONS),
  listing: v.string(),
  command: v.nullable(v.string()),
  queuedAt: v.number(),
  startedAt: v.number(),
})

const entries = {
  job: v.object({ ...JobInfoSchema.entries, startedAt: v.nullable(v.number()) }),
  /** The process that has it in its queue; null when that gave it up. */
  owner: v.nullable(OwnerSchema),
}
const JobFileSchema = v.object({
  version: v.literal(2),
  ...entries,
  /** How its changes were rolled back; null when it made none. */
  rollback: v.nullable(v.picklist(['complete', 'unreadable'] satisfies readonly RollbackResult[])),
})
type JobFile = v.InferOutput<typeof JobFileSchema>

/** An earlier version of the store wrote it, and was updated since. */
const JobFileV1Schema = v.pipe(
  v.object({ version: v.literal(1), ...entries, undo: v.nullable(v.picklist(['undone', 'unreadable'])) }),
  v.transform(({ undo, ...file }): JobFile => {
    return { ...file, version: 2, rollback: undo === 'undone' ? 'complete' : undo }
  }),
)

const PREFIX = '.plugmark.job.'
const pathOf = (profile: string, id: string): string => join(profile, `${PREFIX}${id}`)

/**
 * Writes a job that has no journal into its profile: before it begins, and when the host ends it because it ends itself.
 * A job whose file cannot be written goes on all the same.
 *
 * @param profile the profile's directory
 * @param owner the process that will run it; null when none will
 */
export async function writeJobFile(
  profile: string,
  { id, action, listing, command, queuedAt, startedAt }: Pick<Job, keyof JobFile['job']>,
  { owner, rollback = null }: { owner: Owner | null; rollback?: JobFile['rollback'] },
): Promise<void> {
  const job = { id, action, listing, command, queuedAt, startedAt }
  const content: JobFile = { version: 2, job, owner, rollback }
  await writeFile(pathOf(profile, id), JSON.stringify(content)).catch(() => {})
}

/**
 * Shows other hosts that the job's process is alive, as long as the job waits.
 *
 * @returns a function that stops it
 */
export const keepJobFileAlive = (profile: string, id: string): (() => void) => keepAlive(pathOf(profile, id))

export const deleteJobFile = (profile: string, id: string): Promise<void> => rm(pathOf(profile, id), { force: true })

/** A job whose host ended, and how it is reported. */
export interface OrphanedJob {
  readonly job: JobFile['job']
  readonly outcome: Outcome
}

/**
 * Reads and deletes the files of jobs that no process will run any more.
 *
 * @returns those jobs, oldest first, and whether there are files of jobs that another process may still run
 */
export async function takeOrphanedJobs(
  profile: string,
): Promise<{ readonly orphaned: OrphanedJob[]; readonly hasOthers: boolean }> {
  const paths = (await readdir(profile)).filter((name) => name.startsWith(PREFIX)).map((name) => join(profile, name))
  const orphaned: OrphanedJob[] = []
  let hasOthers = false
  for (const path of paths) {
    const file = await readJobFile(path)
    if (file?.owner !== null && !(await isAbandoned(path, file?.owner ?? null))) {
      hasOthers = true
      continue
    }
    await rm(path, { force: true })
    if (file !== null) orphaned.push({ job: file.job, outcome: outcomeOf(file) })
  }
  return { orphaned: orphaned.sort((a, b) => a.job.queuedAt - b.job.queuedAt), hasOthers }
}

const outcomeOf = ({ job, rollback }: JobFile): Outcome =>
  job.startedAt === null ? emptyOutcome('not-begun') : { ...emptyOutcome('interrupted'), rollback }

/** Null when it cannot be parsed: its host may be writing it. */
async function readJobFile(path: string): Promise<JobFile | null> {
  try {
    return v.parse(v.union([JobFileSchema, JobFileV1Schema]), JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}
