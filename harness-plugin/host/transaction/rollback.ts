import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncToDisk } from '@plugmark/shared/file-lock'
import type { Outcome, RollbackResult } from '../../protocol/index.ts'
import { isLasting, UnreadableState } from '../json-file.ts'
import { ignoreMissing, readIfThere, restoreProfileFile, writeProfileFile } from '../profile/files.ts'
import { changeHolds } from '../profile/holds.ts'
import { type Manifest, manifestOf, manifestWithoutJob, pnpmSettingsWithoutJob } from '../profile/manifest.ts'
import { FILES_OF_OTHERS, findPackageNames, isInstalled, PROFILE_FILES } from '../profile/state.ts'
import { journalFile, snapshotFolder } from '../profile/state-folder.ts'
import { clearLeftovers, endUnchanged, type Journal, readJournal } from './journal.ts'
import { restoreModules } from './restore-modules.ts'

interface RolledBack extends Pick<Outcome, 'quarantined'> {
  readonly rollback: RollbackResult
}

/**
 * Restores a profile to its state before the job in its journal. Can be interrupted at any point: every step can be
 * repeated, and the journal is deleted last.
 *
 * @returns the result, and the new names of quarantined files
 */
export async function rollback(profile: string): Promise<RolledBack> {
  const unreadable: string[] = []
  try {
    const journal = await readJournal(profile)
    if (journal === null) throw new UnreadableState('the journal is gone')
    const { specs, snapshot } = journal
    let isWhole = true
    if (snapshot !== null) {
      const source = { specs, snapshot, folder: snapshotFolder(profile), isKept: false }
      isWhole = await restore(profile, source, (name) => unreadable.push(name))
      // Holds that cannot be read any more are named by the doctor.
      await changeHolds(profile, snapshot.holds).catch(() => {
        isWhole = false
      })
      await syncToDisk(profile, join(profile, 'node_modules'))
    }
    await endUnchanged(profile)
    return { rollback: isWhole ? 'complete' : 'partial', quarantined: unreadable }
  } catch (error) {
    // Other errors may be temporary: the next attempt repeats the rollback.
    if (!(error instanceof UnreadableState)) return { rollback: 'failed', quarantined: unreadable }
    try {
      return { rollback: 'unreadable', quarantined: [...unreadable, await quarantineJob(profile)] }
    } catch {
      // The next attempt moves it.
      return { rollback: 'failed', quarantined: unreadable }
    }
  }
}

/**
 * Moves an unreadable journal and its snapshot out of the state folder. Moves the journal last, because a snapshot
 * without a journal is deleted.
 *
 * @returns the new name
 */
export async function quarantineJob(profile: string): Promise<string> {
  const name = await quarantine(profile, snapshotFolder(profile), journalFile(profile))
  // Optional: the next job clears the rest.
  await clearLeftovers(profile).catch(() => {})
  return name
}

/** A snapshot to restore a profile from. */
interface Source extends Pick<Journal, 'specs'> {
  readonly folder: string
  readonly snapshot: NonNullable<Journal['snapshot']>
  /** True if the snapshot must stay as it is; otherwise its files may be moved. */
  readonly isKept: boolean
}

/**
 * Reverts the changes of a job in a profile from its snapshot. Keeps what other programs changed meanwhile: values in the
 * profile's files, and packages in node_modules that package.json then has because of them. Restores the lockfile
 * completely; the package manager adds those packages to it again.
 *
 * @param onUnreadable called with the new name of a file that could not be read
 * @returns false if a package of another program is no longer installed
 * @throws UnreadableState before anything was changed, when the snapshot cannot be read
 */
export async function restore(profile: string, source: Source, onUnreadable: (name: string) => void): Promise<boolean> {
  const before = await readSnapshot(source)
  const text = await readNow(profile)
  const own = findPackageNames(
    source.specs,
    { manifest: before },
    text === null ? null : { manifest: manifestOf(text) },
  )
  const foreign = await findForeign(profile, before, text, { ...source, own })
  const added = own.filter((name) => !Object.hasOwn(before.dependencies, name))
  // Restore modules first: that frees space on a full disk.
  const { folder, snapshot, isKept } = source
  await restoreModules(profile, { folder, modules: snapshot.modules, isKept }, { added, foreign })
  const isShared = (file: string) => !source.snapshot.files.includes(file)
  for (const file of PROFILE_FILES.filter(isShared)) {
    const name = await restoreFile(profile, file, own, source)
    if (name !== null) onUnreadable(name)
  }
  for (const [index, file] of source.snapshot.files.entries())
    await restoreOwn(profile, file, ownFile(source.folder, index))
  for (const name of foreign) if (!(await isInstalled(profile, name))) return false
  return true
}

/** Returns the place in a snapshot of a file that only its job writes. */
export const ownFile = (folder: string, index: number): string => join(folder, `own-${index}`)

async function restoreOwn(profile: string, file: string, before: string): Promise<void> {
  const [was, is] = [await readIfThere(before), await readIfThere(join(profile, file))]
  if (was !== null) {
    if (!is?.equals(was)) await writeProfileFile(profile, file, was)
    return
  }
  await rm(join(profile, file), { force: true })
  // The folders that are empty now are of the job.
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    await rmdir(join(profile, folder)).catch(() => {})
}

/** Reads a snapshot. @throws UnreadableState when a profile cannot be restored from it */
async function readSnapshot({ folder, snapshot: { modules } }: Source): Promise<Manifest> {
  try {
    for (const file of PROFILE_FILES) await readIfThere(join(folder, file))
    if (modules !== null) await readdir(join(folder, 'node_modules'))
    return manifestOf(await readFile(join(folder, 'package.json'), 'utf8'))
  } catch (cause) {
    if (!isLasting(cause)) throw cause
    throw new UnreadableState('the snapshot cannot be read', { cause })
  }
}

/** Returns the package.json after the job; null if it cannot be read. */
async function readNow(profile: string): Promise<string | null> {
  try {
    const text = await readFile(join(profile, 'package.json'), 'utf8')
    manifestOf(text)
    return text
  } catch (error) {
    if (!isLasting(error)) throw error
    return null
  }
}

/** Returns the packages that another program installed or changed, and that stay in package.json. */
async function findForeign(
  profile: string,
  before: Manifest,
  now: string | null,
  { folder, own }: Pick<Source, 'folder'> & { readonly own: readonly string[] },
): Promise<string[]> {
  if (now === null) return []
  const was = await readFile(join(folder, 'package.json'), 'utf8')
  const { dependencies } = manifestOf(manifestWithoutJob(was, now, own))
  const kept = Object.keys(dependencies).filter((name) => dependencies[name] !== before.dependencies[name])
  const installed = await Promise.all(kept.map((name) => isInstalled(profile, name)))
  return kept.filter((_, index) => installed[index])
}

// The files of a profile

/**
 * Restores a file. Writes only if bytes or mode differ, because a running harness watches these files.
 *
 * @param own packages of the plugins that the profile had or has
 * @returns the new name of an unreadable file; otherwise null
 */
async function restoreFile(
  profile: string,
  file: string,
  own: readonly string[],
  { folder, isKept }: Source,
): Promise<string | null> {
  const [before, target] = [join(folder, file), join(profile, file)]
  const was = await readIfThere(before)
  let is: Buffer | null
  let wanted: Buffer | null
  let unreadable: string | null = null
  try {
    is = await readIfThere(target)
    wanted = withoutJob(file, { was, is, own })
  } catch (error) {
    if (!isLasting(error)) throw error
    unreadable = await quarantineFile(profile, file)
    is = null
    wanted = was
  }
  if (wanted === null) await rm(target, { force: true })
  else if (!is?.equals(wanted))
    await (wanted === was
      ? restoreProfileFile(profile, file, before, { canMove: !isKept })
      : writeProfileFile(profile, file, wanted))
  else if (wanted === was) await restoreMode(before, target)
  return unreadable
}

/**
 * Returns the bytes of a file of the profile without the job's changes; null for no file.
 *
 * @throws when it cannot be parsed
 */
function withoutJob(
  file: string,
  { was, is, own }: { readonly was: Buffer | null; readonly is: Buffer | null; readonly own: readonly string[] },
): Buffer | null {
  if (was && is?.equals(was)) return was
  if (FILES_OF_OTHERS.includes(file)) return is
  if (file === 'package.json' && was && is) {
    const text = manifestWithoutJob(`${was}`, `${is}`, own)
    return text === `${was}` ? was : Buffer.from(text)
  }
  if (file === 'pnpm-workspace.yaml') {
    const text = pnpmSettingsWithoutJob(`${was ?? ''}`, `${is ?? ''}`)
    if (text === `${was ?? ''}`) return was
    return text === '' ? null : Buffer.from(text)
  }
  return was
}

async function restoreMode(before: string, target: string): Promise<void> {
  const [was, is] = await Promise.all([stat(before), stat(target)])
  if (was.mode !== is.mode) await chmod(target, was.mode)
}

// Files that cannot be read are moved, never deleted.

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
    await rename(path, target).catch(ignoreMissing)
  }
  return name
}

/** Renames an unreadable file of a profile, and returns its new name. */
async function quarantineFile(profile: string, name: string): Promise<string> {
  const renamed = quarantineName(name.replace(/^\./, ''))
  await rename(join(profile, name), join(profile, renamed))
  return renamed
}

const quarantineName = (name: string): string => `${name}.unreadable-${new Date().toISOString().replaceAll(':', '-')}`
