import { chmod, link, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome, RollbackResult } from '../../protocol/index.ts'
import { findPackageName, PROFILE_FILES, type ProfileState, readProfileState } from '../profile/state.ts'
import { manifestWithoutJob, pnpmSettingsWithoutJob, SETTINGS_FILES } from './external-changes.ts'
import {
  commit,
  type Journal,
  quarantine,
  readJournal,
  snapshotDirectory,
  Unreadable,
  WORK_DIRECTORY,
  workDirectory,
} from './journal.ts'
import { copyFileIfThere, ignoreMissing } from './snapshot.ts'

type Snapshot = NonNullable<Journal['snapshot']>

/**
 * Restores a profile as it was before the job in its journal. It can be interrupted anywhere: every step can be repeated,
 * and the journal is deleted last.
 *
 * What somebody else changed in its files meanwhile stays. node_modules and the lockfile are restored whole, as nothing
 * in them says who changed them.
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
    if (journal.snapshot !== null) {
      const before = await readSnapshot(profile, journal.snapshot)
      const own = findPackageName(journal.spec, before, await readProfileState(profile))
      // First, as it frees space on a full disk.
      await restoreModules(profile, journal.snapshot)
      for (const file of PROFILE_FILES) {
        const name = await restoreFile(profile, file, own)
        if (name !== null) unreadable.push(name)
      }
    }
    await commit(profile)
    return { rollback: 'complete', quarantined: unreadable }
  } catch (error) {
    const name = error instanceof Unreadable && (await quarantine(profile, WORK_DIRECTORY).catch(() => false))
    if (typeof name === 'string') return { rollback: 'unreadable', quarantined: [...unreadable, name] }
    return { rollback: 'failed', quarantined: unreadable }
  }
}

/** @throws Unreadable when a profile cannot be restored from it */
async function readSnapshot(profile: string, { modules }: Snapshot): Promise<ProfileState> {
  const before = snapshotDirectory(profile)
  try {
    const state = await readProfileState(before)
    if (state === null) throw new Error('no package.json')
    for (const file of PROFILE_FILES) await read(join(before, file))
    if (modules !== null) await readdir(join(before, 'node_modules'))
    return state
  } catch (cause) {
    throw new Unreadable('the snapshot cannot be read', { cause })
  }
}

/**
 * Writes only where bytes or mode differ: a running harness watches these files.
 *
 * @param own the plugin's package; null when the profile never had it
 * @returns the new name of a file that cannot be read; else null
 */
async function restoreFile(profile: string, file: string, own: string | null): Promise<string | null> {
  const [before, target] = [join(snapshotDirectory(profile), file), join(profile, file)]
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
  else if (!is?.equals(wanted)) await replaceFile(profile, target, wanted === was ? before : wanted)
  else if (wanted === was) await restoreMode(before, target)
  return unreadable
}

/** @throws when it cannot be parsed */
function withoutJob(
  file: string,
  { was, is, own }: { readonly was: Buffer | null; readonly is: Buffer | null; readonly own: string | null },
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

/** @param content the bytes, or the path of the file that has them and its mode */
async function replaceFile(profile: string, target: string, content: string | Buffer): Promise<void> {
  const restored = join(workDirectory(profile), 'restored')
  await rm(restored, { force: true })
  if (typeof content === 'string') {
    // A hard link takes no space.
    await link(content, restored).catch(() => copyFileIfThere(content, restored))
  } else {
    await writeFile(restored, content)
    await chmod(restored, (await stat(target)).mode)
  }
  await rename(restored, target)
}

async function restoreMode(before: string, target: string): Promise<void> {
  const [was, is] = await Promise.all([stat(before), stat(target)])
  if (was.mode !== is.mode) await chmod(target, was.mode)
}

/** Replaces only what changed: a running harness reloads files that are replaced. */
async function restoreModules(profile: string, { modules, takenAtMs }: Snapshot): Promise<void> {
  const [before, target] = [join(snapshotDirectory(profile), 'node_modules'), join(profile, 'node_modules')]
  const replaced = join(workDirectory(profile), 'replaced')
  await rm(replaced, { recursive: true, force: true })
  await mkdir(replaced)
  if (modules === null) await rename(target, join(replaced, 'node_modules')).catch(ignoreMissing)
  else {
    await mkdir(target, { recursive: true })
    for (const name of new Set([...modules, ...(await readdir(target))])) {
      const [was, is] = [join(before, name), join(target, name)]
      if (modules.includes(name)) {
        // A rollback that was interrupted has restored it already.
        if (!(await lstat(was).catch(ignoreMissing))) continue
        if ((await isChangedSince(is, takenAtMs).catch(ignoreMissing)) === false) continue
      }
      await rename(is, join(replaced, name)).catch(ignoreMissing)
      if (modules.includes(name)) await rename(was, is)
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
