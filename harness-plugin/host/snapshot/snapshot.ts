import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome, Undo } from '../../bridge/index.ts'
import { packageOf } from '../profile/package-of.ts'
import { PROFILE_FILES, type ProfileState, readProfileState } from '../profile/state.ts'
import { manifestWithoutJob, pnpmSettingsWithoutJob, SETTINGS_FILES } from './external-changes.ts'
import {
  beforeDirectory,
  endJournal,
  type Journal,
  readJournal,
  setAside,
  Unreadable,
  WORK_DIRECTORY,
  workDirectory,
  writeJournal,
} from './journal.ts'
import { copyTree, isChangedSince } from './tree.ts'

/**
 * Begins a transaction. The profile is not touched before `putAside`.
 *
 * @param profile the profile's directory, which nobody else may be working on
 * @throws when it could not be noted; then nothing of it is left
 */
export async function begin(profile: string, given: Pick<Journal, 'job' | 'spec'>): Promise<Journal> {
  if ((await readJournal(profile)) !== null) throw new Error('an earlier job could not be undone')
  const journal: Journal = { version: 4, ...given, stage: 'preparing', aside: null }
  try {
    // Left by a host that ended before its journal was there: nothing had begun.
    await rm(workDirectory(profile), { recursive: true, force: true })
    await writeJournal(profile, journal)
    return journal
  } catch (error) {
    await rm(workDirectory(profile), { recursive: true, force: true }).catch(() => {})
    throw error
  }
}

/**
 * Puts a profile aside: its files, and node_modules. To restore the files and let the package manager repair the rest
 * is no way back: after a blocked build, and without a lockfile, it fails and keeps the plugin.
 *
 * @throws when it could not be put aside; then the profile is not to be touched
 */
export async function putAside(profile: string, journal: Journal): Promise<Journal> {
  const before = beforeDirectory(profile)
  await mkdir(before, { recursive: true })
  for (const file of PROFILE_FILES) await copyFileIfThere(join(profile, file), join(before, file))
  const hasModules = await isDirectory(join(profile, 'node_modules'))
  if (hasModules) await copyTree(join(profile, 'node_modules'), join(before, 'node_modules'))
  const modules = hasModules ? await readdir(join(before, 'node_modules')) : null
  const put: Journal = { ...journal, aside: { modules, at: await timeAfter(join(workDirectory(profile), 'aside')) } }
  await writeJournal(profile, put)
  return put
}

/**
 * The file system's time, as it stamps its changes, once it is later than that of all changes so far: it moves on every
 * few ms.
 *
 * @param file to find it out with
 */
async function timeAfter(file: string): Promise<number> {
  const stamp = async () => {
    await writeFile(file, '')
    return (await stat(file)).ctimeMs
  }
  const before = await stamp()
  for (;;) {
    const now = await stamp()
    if (now !== before) return now
  }
}

/** The profile stays as it is now. */
export const commit = endJournal

/**
 * Puts a profile back as it was before the job that its journal tells of. Ending in the middle of it is no harm:
 * the journal goes last, and every step can be done again.
 *
 * What somebody else changed of its files meanwhile stays. node_modules and the lock follow the files, and cannot be told
 * apart by who changed them: both are as they were.
 *
 * @returns `failed` when it could not be put back, which the next `undo` tries again, or `unreadable` when it never can
 *   be; beside it names in the profile of what was set aside because it cannot be read
 */
export async function undo(profile: string): Promise<{ readonly undo: Undo } & Pick<Outcome, 'setAside'>> {
  const unreadable: string[] = []
  try {
    const journal = await readJournal(profile)
    if (journal === null) throw new Unreadable('the journal is gone')
    if (journal.aside !== null) {
      const before = await readSnapshot(profile, journal.aside)
      const own = packageOf(journal.spec, before, await readProfileState(profile))
      // First, as it makes room on a full disk.
      await restoreModules(profile, journal.aside)
      for (const file of PROFILE_FILES) {
        const name = await restoreFile(profile, file, own)
        if (name !== null) unreadable.push(name)
      }
    }
    await endJournal(profile)
    return { undo: 'undone', setAside: unreadable }
  } catch (error) {
    const name = error instanceof Unreadable && (await setAside(profile, WORK_DIRECTORY).catch(() => false))
    if (typeof name === 'string') return { undo: 'unreadable', setAside: [...unreadable, name] }
    return { undo: 'failed', setAside: unreadable }
  }
}

/** @throws Unreadable when a profile cannot be put back from it */
async function readSnapshot(profile: string, { modules }: NonNullable<Journal['aside']>): Promise<ProfileState> {
  const before = beforeDirectory(profile)
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
 * @returns the new name of what is there and cannot be read; else null
 */
async function restoreFile(profile: string, file: string, own: string | null): Promise<string | null> {
  const [before, target] = [join(beforeDirectory(profile), file), join(profile, file)]
  const was = await read(before)
  let is: Buffer | null
  let wanted: Buffer | null
  let unreadable: string | null = null
  try {
    is = await read(target)
    wanted = withoutJob(file, { was, is, own })
  } catch {
    unreadable = await setAside(profile, file)
    is = null
    wanted = was
  }
  if (wanted === null) await rm(target, { force: true })
  else if (!is?.equals(wanted)) await replaceFile(profile, target, wanted === was ? before : wanted)
  else if (wanted === was) await restoreMode(before, target)
  return unreadable
}

/** @throws when it cannot be read as what it is */
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
    // A second name takes no room.
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

/** Replaces what changed and nothing else: a running harness loads anew what it runs from files that are replaced. */
async function restoreModules(profile: string, { modules, at }: NonNullable<Journal['aside']>): Promise<void> {
  const [before, target] = [join(beforeDirectory(profile), 'node_modules'), join(profile, 'node_modules')]
  const replaced = join(workDirectory(profile), 'replaced')
  await rm(replaced, { recursive: true, force: true })
  await mkdir(replaced)
  if (modules === null) await rename(target, join(replaced, 'node_modules')).catch(unlessMissing)
  else {
    await mkdir(target, { recursive: true })
    for (const name of new Set([...modules, ...(await readdir(target))])) {
      const [was, is] = [join(before, name), join(target, name)]
      if (modules.includes(name)) {
        // Without it there it is back already, from an undo that did not come to its end.
        if (!(await lstat(was).catch(unlessMissing))) continue
        if ((await isChangedSince(is, at).catch(unlessMissing)) === false) continue
      }
      await rename(is, join(replaced, name)).catch(unlessMissing)
      if (modules.includes(name)) await rename(was, is)
    }
  }
  await rm(replaced, { recursive: true, force: true }).catch(() => {})
}

async function copyFileIfThere(from: string, to: string): Promise<void> {
  const times = await stat(from).catch(unlessMissing)
  if (!times) return
  await copyFile(from, to)
  await utimes(to, times.atime, times.mtime)
}

/** @throws for what is there and no directory: what a link leads to could not be put back by a rename */
async function isDirectory(path: string): Promise<boolean> {
  const found = await lstat(path).catch(unlessMissing)
  if (found && !found.isDirectory()) throw new Error('node_modules is not a directory of its own')
  return found !== undefined
}

/** Null when there is none. */
const read = (path: string): Promise<Buffer | null> =>
  readFile(path).catch((error) => {
    unlessMissing(error)
    return null
  })

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
