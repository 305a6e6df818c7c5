import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Job, Outcome, Undo } from '../../bridge/index.ts'
import { notStarted } from '../job/outcome.ts'
import { isAbandoned, keepAlive, type Owner, OwnerSchema } from '../process/owner.ts'
import { NotedJobSchema } from '../snapshot/journal.ts'

const NoteSchema = v.object({
  version: v.literal(1),
  job: v.object({ ...NotedJobSchema.entries, startedAt: v.nullable(v.number()) }),
  /** The process that has it in its queue; null when that let go of it. */
  owner: v.nullable(OwnerSchema),
  /** What became of what it changed; null when that is nothing. */
  undo: v.nullable(v.picklist(['undone', 'unreadable'] satisfies readonly Undo[])),
})
type Note = v.InferOutput<typeof NoteSchema>

const PREFIX = '.plugmark.job.'
const noteFile = (profile: string, id: string): string => join(profile, `${PREFIX}${id}`)

/**
 * Notes a job in its profile that no journal tells of: before it begins, and when the host ends it because it ends
 * itself. One that cannot be noted goes on all the same.
 *
 * @param profile the profile's directory
 * @param owner the process that will carry it out; null when none will
 */
export async function noteJob(
  profile: string,
  { id, action, listing, command, queuedAt, startedAt }: Pick<Job, keyof Note['job']>,
  { owner, undo = null }: { owner: Owner | null; undo?: Note['undo'] },
): Promise<void> {
  const job = { id, action, listing, command, queuedAt, startedAt }
  const note: Note = { version: 1, job, owner, undo }
  await writeFile(noteFile(profile, id), JSON.stringify(note)).catch(() => {})
}

/**
 * Shows that a noted job's process is still there, as long as it waits.
 *
 * @returns ends that
 */
export const keepNoteAlive = (profile: string, id: string): (() => void) => keepAlive(noteFile(profile, id))

export const forgetJob = (profile: string, id: string): Promise<void> => rm(noteFile(profile, id), { force: true })

/** A job that its host left, and how that is told. */
export interface LeftJob {
  readonly job: Note['job']
  readonly outcome: Outcome
}

/**
 * Takes the notes of jobs that nobody will carry out any more.
 *
 * @returns those jobs, oldest first, and whether there are notes of others, which somebody may carry out
 */
export async function takeLeftJobs(profile: string): Promise<{ readonly left: LeftJob[]; readonly others: boolean }> {
  const paths = (await readdir(profile)).filter((name) => name.startsWith(PREFIX)).map((name) => join(profile, name))
  const left: LeftJob[] = []
  let others = false
  for (const path of paths) {
    const note = await readNote(path)
    if (note?.owner !== null && !(await isAbandoned(path, note?.owner ?? null))) {
      others = true
      continue
    }
    await rm(path, { force: true })
    if (note !== null) left.push({ job: note.job, outcome: outcomeOf(note) })
  }
  return { left: left.sort((a, b) => a.job.queuedAt - b.job.queuedAt), others }
}

const outcomeOf = ({ job, undo }: Note): Outcome =>
  job.startedAt === null ? notStarted('not-begun') : { ...notStarted('interrupted'), undo }

/** Null when it cannot be read: its host may be writing it. */
async function readNote(path: string): Promise<Note | null> {
  try {
    return v.parse(NoteSchema, JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}
