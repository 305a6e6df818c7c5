import { lstat, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstallSpec } from '@plugmark/shared/install'
import type { Job } from '../../protocol/index.ts'
import { copyTree, ignoreMissing } from '../profile/copy-tree.ts'
import { PROFILE_FILES } from '../profile/state.ts'
import { copyFileIfThere } from '../profile/write-file.ts'
import { type Journal, readJournal, snapshotDirectory, workDirectory, writeJournal } from './journal.ts'
import { clearWorkDirectory } from './last-change.ts'

/**
 * Begins the journal of a job. The profile is not changed before `takeSnapshot`.
 *
 * @param profile the profile's directory, which this process has locked
 * @throws when it cannot be written; then nothing of it is left
 */
export async function beginJournal(
  profile: string,
  { job, specs }: { readonly job: Pick<Job, keyof Journal['job']>; readonly specs: readonly InstallSpec[] },
): Promise<Journal> {
  if ((await readJournal(profile)) !== null) throw new Error('an earlier job could not be rolled back')
  const { id, action, listing, more, command, queuedAt, startedAt } = job
  const info = { id, action, listing, more, command, queuedAt, startedAt: startedAt ?? queuedAt }
  const journal: Journal = { version: 6, job: info, specs: [...specs], stage: 'preparing', snapshot: null }
  try {
    await clearWorkDirectory(profile)
    await writeJournal(profile, journal)
    return journal
  } catch (error) {
    await rm(workDirectory(profile), { recursive: true, force: true }).catch(() => {})
    throw error
  }
}

/**
 * Copies a profile's files and its node_modules. The files alone would not do: after a blocked build, or without a
 * lockfile, the package manager cannot repair node_modules from them, and keeps the plugin.
 *
 * @returns the journal, which says so
 * @throws when it cannot be copied; then the profile must not be changed
 */
export async function takeSnapshot(profile: string, journal: Journal): Promise<Journal> {
  const directory = snapshotDirectory(profile)
  await mkdir(directory, { recursive: true })
  for (const file of PROFILE_FILES) await copyFileIfThere(join(profile, file), join(directory, file))
  const hasModules = await isDirectory(join(profile, 'node_modules'))
  if (hasModules) await copyTree(join(profile, 'node_modules'), join(directory, 'node_modules'))
  const modules = hasModules ? await readdir(join(directory, 'node_modules')) : null
  const takenAtMs = await timeAfterChanges(join(workDirectory(profile), 'clock'))
  const taken: Journal = { ...journal, snapshot: { modules, takenAtMs } }
  await writeJournal(profile, taken)
  return taken
}

/**
 * Waits until the file system's clock, which moves on every few ms, is later than all changes so far.
 *
 * @param file that is written to read the clock
 * @returns that time, ms
 */
async function timeAfterChanges(file: string): Promise<number> {
  const touch = async () => {
    await writeFile(file, '')
    return (await stat(file)).ctimeMs
  }
  const before = await touch()
  for (;;) {
    const now = await touch()
    if (now !== before) return now
  }
}

/** @throws for anything else of that name: what a link leads to could not be restored by a rename */
async function isDirectory(path: string): Promise<boolean> {
  const found = await lstat(path).catch(ignoreMissing)
  if (found && !found.isDirectory()) throw new Error('node_modules is not a directory of its own')
  return found !== undefined
}
