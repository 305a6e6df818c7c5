/** The history of a profile: the jobs that ran on it, with their logs and the packages that each changed. */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { HistoryEntry, Outcome, PackageChange } from '../../protocol/index.ts'
import { HistoryEntrySchema } from '../../protocol/jobs.ts'
import { shortCommit } from '../../protocol/package-id.ts'
import { cleanLine, type Redactions } from '../harness/output.ts'
import { readCache, TimeSchema } from '../json-file.ts'
import { ignoreExisting, ignoreMissing, readNames } from '../profile/files.ts'
import type { ProfileState } from '../profile/state.ts'
import { historyFolder } from '../profile/state-folder.ts'
import { type JobInfo, STATE_FORMAT, writeStateFile } from './journal.ts'

/** Most jobs that a profile keeps. */
const MAX_JOBS = 50
/** Longest log that is kept of one job, in characters; the end of a longer one is kept. */
const MAX_LOG = 100_000

export const HISTORY = {
  schema: v.object({
    ...HistoryEntrySchema.entries,
    queuedAt: TimeSchema,
    startedAt: TimeSchema,
    endedAt: TimeSchema,
  }),
  version: STATE_FORMAT,
  isCache: true,
}

/** Name of the files of a job, without extension. Names sort by the time when the jobs began. */
const nameOf = ({ id, startedAt }: Pick<JobInfo, 'id' | 'startedAt'>): string =>
  `${new Date(startedAt).toISOString().slice(0, -1).replaceAll(/[:.]/g, '-')}-${id}`

/**
 * Adds a job to the history of its profile, or replaces its entry, without secrets. Optional: if it cannot be written,
 * the job continues.
 *
 * @param profile the profile's directory
 * @param given.output redacted output of the job; null when its process ended
 */
export async function addToHistory(
  profile: string,
  job: HistoryEntry,
  { output, redactions }: { readonly output: readonly string[] | null; readonly redactions: Redactions },
): Promise<void> {
  const entry: HistoryEntry = JSON.parse(JSON.stringify(job), (_, value) =>
    typeof value === 'string' ? cleanLine(value, redactions) : value,
  )
  const log = output && [...(entry.command === null ? [] : [`$ ${entry.command}`]), ...output]
  try {
    const folder = historyFolder(profile)
    // Readable for this user only, as output of programs may hold private paths. Not recursive, to avoid creating a
    // deleted profile again.
    await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting)
    const path = join(folder, nameOf(entry))
    if (log !== null) await writeFile(`${path}.log`, `${log.join('\n').slice(-MAX_LOG)}\n`)
    await writeStateFile(`${path}.json`, { version: STATE_FORMAT, ...entry })
    await deleteOldest(folder)
  } catch {
    // A full disk, for example.
  }
}

async function deleteOldest(folder: string): Promise<void> {
  const files = (await readdir(folder)).map((file) => ({ file, job: file.split('.')[0] ?? '' }))
  const jobs = [...new Set(files.map(({ job }) => job))].toSorted()
  const old = new Set(jobs.slice(0, -MAX_JOBS))
  for (const { file, job } of files) if (old.has(job)) await rm(join(folder, file), { force: true })
}

/** Replaces the outcome of a job in the history, once it is known what a running harness made of it. */
export async function updateHistory(
  profile: string,
  job: Pick<JobInfo, 'id' | 'startedAt'>,
  outcome: Outcome,
  redactions: Redactions,
): Promise<void> {
  const entry = await readHistoryEntry(profile, job)
  if (entry !== null) await addToHistory(profile, { ...entry, outcome }, { output: null, redactions })
}

/** Reads the jobs that ran on a profile, newest first. Skips entries that cannot be read. */
export async function readHistory(profile: string): Promise<HistoryEntry[]> {
  const folder = historyFolder(profile)
  const files = (await readNames(folder)).filter((file) => file.endsWith('.json'))
  const read = (file: string) => readCache(join(folder, file), HISTORY)
  const entries = await Promise.all(files.toSorted().toReversed().map(read))
  return entries.filter((entry) => entry !== null)
}

/** Reads the entry of one job; null if there is none that can be read. */
export const readHistoryEntry = (
  profile: string,
  job: Pick<JobInfo, 'id' | 'startedAt'>,
): Promise<HistoryEntry | null> => readCache(join(historyFolder(profile), `${nameOf(job)}.json`), HISTORY)

/** Returns the path of a job's log; null when none is kept, or the folder cannot be read: nothing depends on it. */
export async function logFile(profile: string, id: string): Promise<string | null> {
  const folder = historyFolder(profile)
  const files = await readNames(folder).catch((): string[] => [])
  const file = files.find((name) => name.endsWith(`-${id}.log`))
  return file === undefined ? null : join(folder, file)
}

/** Reads the lines of a job's log; empty when none is kept. */
export async function readLog(profile: string, id: string): Promise<string[]> {
  const path = await logFile(profile, id)
  const text = path === null ? '' : await readFile(path, 'utf8').catch(ignoreMissing)
  return (text ?? '').split('\n').slice(0, -1)
}

/** Returns the dependencies that differ between two states of a profile. */
export function packageChanges(before: ProfileState, after: ProfileState): PackageChange[] {
  const names = new Set([before, after].flatMap(({ manifest }) => Object.keys(manifest.dependencies)))
  return [...names]
    .map((name) => ({ name, before: versionIn(before, name), after: versionIn(after, name) }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after))
}

/** Returns a dependency of a profile as it is; null if the profile does not have it. */
export function versionIn({ manifest, versions, commits }: ProfileState, name: string): PackageChange['before'] {
  if (!Object.hasOwn(manifest.dependencies, name)) return null
  const commit = commits.get(name)
  return {
    version: versions.get(name) ?? null,
    commit: commit === undefined ? null : shortCommit(commit),
    enabled: manifest.layers.includes(name),
  }
}
