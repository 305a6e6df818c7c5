import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome, RollbackResult } from '../../protocol/index.ts'
import { copyTree, ignoreMissing } from '../profile/copy-tree.ts'
import { manifestWithoutJob } from '../profile/manifest.ts'
import { pnpmSettingsWithoutJob } from '../profile/pnpm-settings.ts'
import {
  findPackageNames,
  PROFILE_FILES,
  type ProfileState,
  readProfileState,
  SETTINGS_FILES,
} from '../profile/state.ts'
import { restoreProfileFile, writeProfileFile } from '../profile/write-file.ts'
import {
  type Journal,
  quarantine,
  readJournal,
  snapshotDirectory,
  Unreadable,
  WORK_DIRECTORY,
  workDirectory,
} from './journal.ts'
import { endUnchanged } from './last-change.ts'

/** A snapshot to restore a profile from. */
interface Source extends Pick<Journal, 'specs'> {
  readonly directory: string
  readonly snapshot: NonNullable<Journal['snapshot']>
  /** Whether it must stay as it is; else what is restored from it may be moved. */
  readonly isKept: boolean
}

/**
 * Restores a profile as it was before the job in its journal. It can be interrupted anywhere: every step can be repeated,
 * and the journal is deleted last.
 *
 * @returns `failed` when it could not be restored, which the next `rollback` tries again, or `unreadable` when it never
 *   can be; and the new names of what was quarantined
 */
export async function rollback(
  profile: string,
): Promise<{ readonly rollback: RollbackResult } & Pick<Outcome, 'quarantined'>> {
  const unreadable: string[] = []
  try {
    const journal = await readJournal(profile)
    if (journal === null) throw new Unreadable('the journal is gone')
    const { specs, snapshot } = journal
    const source = { specs, directory: snapshotDirectory(profile), isKept: false }
    if (snapshot !== null) await restore(profile, { ...source, snapshot }, (name) => unreadable.push(name))
    await endUnchanged(profile)
    return { rollback: 'complete', quarantined: unreadable }
  } catch (error) {
    const name = error instanceof Unreadable && (await quarantine(profile, WORK_DIRECTORY).catch(() => false))
    if (typeof name === 'string') return { rollback: 'unreadable', quarantined: [...unreadable, name] }
    return { rollback: 'failed', quarantined: unreadable }
  }
}

/**
 * Restores what a job changed in a profile from its snapshot. What somebody else changed in the files meanwhile stays.
 * node_modules and the lockfile are restored whole, as nothing in them says who changed them.
 *
 * @param onUnreadable called with the new name of a file that could not be read
 * @throws Unreadable before anything was changed, when the snapshot cannot be read
 */
export async function restore(profile: string, source: Source, onUnreadable: (name: string) => void): Promise<void> {
  const before = await readSnapshot(source)
  const own = findPackageNames(source.specs, before, await readProfileState(profile))
  // First, as it frees space on a full disk.
  await restoreModules(profile, source)
  for (const file of PROFILE_FILES) {
    const name = await restoreFile(profile, file, own, source)
    if (name !== null) onUnreadable(name)
  }
}

/** @throws Unreadable when a profile cannot be restored from it */
async function readSnapshot({ directory, snapshot: { modules } }: Source): Promise<ProfileState> {
  try {
    const state = await readProfileState(directory)
    if (state === null) throw new Error('no package.json')
    for (const file of PROFILE_FILES) await read(join(directory, file))
    if (modules !== null) await readdir(join(directory, 'node_modules'))
    return state
  } catch (cause) {
    throw new Unreadable('the snapshot cannot be read', { cause })
  }
}

/**
 * Writes only where bytes or mode differ: a running harness watches these files.
 *
 * @param own the plugins' packages, of those that the profile had or has
 * @returns the new name of a file that cannot be read; else null
 */
async function restoreFile(
  profile: string,
  file: string,
  own: readonly string[],
  { directory, isKept }: Source,
): Promise<string | null> {
  const [before, target] = [join(directory, file), join(profile, file)]
  const was = await read(before)
  let is: Buffer | null
  let wanted: Buffer | null
  let unreadable: string | null = null
  try {
    is = await read(target)
    wanted = withoutJob(file, { was, is, own })
  } catch {
    unreadable = await quarantine(profile, file)
    is = null
    wanted = was
  }
  if (wanted === null) await rm(target, { force: true })
  else if (!is?.equals(wanted))
    await (wanted === was
      ? restoreProfileFile(profile, file, before, { spends: !isKept })
      : writeProfileFile(profile, file, wanted))
  else if (wanted === was) await restoreMode(before, target)
  return unreadable
}

/** @throws when it cannot be parsed */
function withoutJob(
  file: string,
  { was, is, own }: { readonly was: Buffer | null; readonly is: Buffer | null; readonly own: readonly string[] },
): Buffer | null {
  if (was && is?.equals(was)) return was
  if (SETTINGS_FILES.includes(file)) return is
  if (file === 'package.json' && was && is) {
    const text = manifestWithoutJob(`${was}`, `${is}`, own)
    return text === `${was}` ? was : Buffer.from(text)
  }
  if (file === 'pnpm-workspace.yaml') {
    if (is === null) return null
    const text = pnpmSettingsWithoutJob(`${was ?? ''}`, `${is}`)
    if (text === `${was ?? ''}`) return was
    return text === '' ? null : Buffer.from(text)
  }
  return was
}

async function restoreMode(before: string, target: string): Promise<void> {
  const [was, is] = await Promise.all([stat(before), stat(target)])
  if (was.mode !== is.mode) await chmod(target, was.mode)
}

/** Replaces only what changed: a running harness reloads files that are replaced. */
async function restoreModules(
  profile: string,
  { directory, snapshot: { modules, takenAtMs }, isKept }: Source,
): Promise<void> {
  const [before, target] = [join(directory, 'node_modules'), join(profile, 'node_modules')]
  const replaced = join(workDirectory(profile), 'replaced')
  await rm(replaced, { recursive: true, force: true })
  await mkdir(replaced)
  if (modules === null) await rename(target, join(replaced, 'node_modules')).catch(ignoreMissing)
  else {
    await mkdir(target, { recursive: true })
    for (const name of new Set([...modules, ...(await readdir(target))])) {
      const [was, is] = [join(before, name), join(target, name)]
      const entry = modules.includes(name) ? await lstat(was).catch(ignoreMissing) : undefined
      if (modules.includes(name)) {
        // A rollback that was interrupted has restored it already.
        if (entry === undefined) continue
        if ((await isChangedSince(is, takenAtMs).catch(ignoreMissing)) === false) continue
      }
      await rename(is, join(replaced, name)).catch(ignoreMissing)
      if (entry && isKept) await copyTree(was, is)
      else if (entry) await rename(was, is)
    }
  }
  await rm(replaced, { recursive: true, force: true }).catch(() => {})
}

/** Null when there is none. */
const read = (path: string): Promise<Buffer | null> =>
  readFile(path).catch((error) => {
    ignoreMissing(error)
    return null
  })

/**
 * Whether content, mode or name of a file, or of anything in a directory, changed at or after a time. By ctime, which no
 * program can set.
 */
async function isChangedSince(path: string, timeMs: number): Promise<boolean> {
  const found = await lstat(path)
  if (found.ctimeMs >= timeMs) return true
  if (!found.isDirectory()) return false
  for (const name of await readdir(path)) if (await isChangedSince(join(path, name), timeMs)) return true
  return false
}
