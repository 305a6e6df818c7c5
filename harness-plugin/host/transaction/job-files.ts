import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbandoned, keepAlive, type Owner, OwnerSchema } from '@plugmark/shared/file-lock'
import * as v from 'valibot'
import type { Job, Outcome, RollbackResult } from '../../protocol/index.ts'
import { emptyOutcome } from '../job/read-outcome.ts'
import { jobsFolder, stateFolder } from '../profile/state-folder.ts'
import { JobInfoSchema } from './journal.ts'
import { NewerStateFormat, readStateFile, STATE_FORMAT } from './state-file.ts'

const JobFileSchema = v.object({
  version: v.literal(STATE_FORMAT),
  job: v.object({ ...JobInfoSchema.entries, startedAt: v.nullable(v.number()) }),
  /** Process that has the job in its queue; null when that process gave it up. */
  owner: v.nullable(OwnerSchema),
  /** Result of its rollback; null when it made no changes. */
  rollback: v.nullable(v.picklist(['complete', 'unreadable'] satisfies readonly RollbackResult[])),
})
type JobFile = v.InferOutput<typeof JobFileSchema>

const pathOf = (profile: string, id: string): string => join(jobsFolder(profile), `${id}.json`)

/**
 * Stores a job without a journal in its profile: before the job begins, and when a closing host gives it up. Optional:
 * if the file cannot be written, the job continues.
 *
 * @param profile the profile's directory
 * @param owner the process that will run it; null for none
 */
export async function writeJobFile(
  profile: string,
  { id, action, listing, more, command, queuedAt, startedAt }: Pick<Job, keyof JobFile['job']>,
  { owner, rollback = null }: { owner: Owner | null; rollback?: JobFile['rollback'] },
): Promise<void> {
  const job = { id, action, listing, more, command, queuedAt, startedAt }
  const text = JSON.stringify({ version: STATE_FORMAT, job, owner, rollback } satisfies JobFile)
  // Another process may remove an empty folder in between.
  for (let attempt = 0; attempt < 3; attempt++) {
    // Not recursive, to avoid creating a deleted profile again.
    for (const folder of [stateFolder(profile), jobsFolder(profile)]) await mkdir(folder).catch(() => {})
    if (
      await writeFile(pathOf(profile, id), text).then(
        () => true,
        () => false,
      )
    )
      return
  }
}

/**
 * Shows other hosts that the job's process is alive while the job waits.
 *
 * @returns a function that stops this
 */
export const keepJobFileAlive = (profile: string, id: string): (() => void) => keepAlive(pathOf(profile, id))

/** Returns the ids of the jobs of a profile that have a file. */
export async function queuedJobIds(profile: string): Promise<string[]> {
  const names = await readdir(jobsFolder(profile)).catch((): string[] => [])
  return names.map((name) => name.replace(/\.json$/, ''))
}

export const deleteJobFile = (profile: string, id: string): Promise<void> => rm(pathOf(profile, id), { force: true })

/** A job whose host ended, and the outcome to report. */
export interface OrphanedJob {
  readonly job: JobFile['job']
  readonly outcome: Outcome
}

/**
 * Reads and deletes the files of jobs that no process will run any more.
 *
 * @returns those jobs, oldest first, and true if there are files of jobs that another process may still run
 */
export async function takeOrphanedJobs(
  profile: string,
): Promise<{ readonly orphaned: OrphanedJob[]; readonly hasOthers: boolean }> {
  const names = await readdir(jobsFolder(profile)).catch((): string[] => [])
  const orphaned: OrphanedJob[] = []
  let hasOthers = false
  for (const path of names.map((name) => join(jobsFolder(profile), name))) {
    const file = await readJobFile(path)
    if (file === 'newer') continue
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

/** Returns null for a file that cannot be parsed: its host may be writing it. */
async function readJobFile(path: string): Promise<JobFile | 'newer' | null> {
  try {
    return await readStateFile(path, JobFileSchema)
  } catch (error) {
    return error instanceof NewerStateFormat ? 'newer' : null
  }
}
