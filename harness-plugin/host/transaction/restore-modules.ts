import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isOpenElsewhere, syncToDisk } from '@plugmark/shared/file-lock'
import {
  byChangeTime,
  copyTree,
  ignoreMissing,
  markOfEntry,
  markTree,
  readIfThere,
  readNames,
} from '../profile/files.ts'
import { scratchFolder } from '../profile/state-folder.ts'

interface Owners {
  /** Packages that the job added. */
  readonly added: readonly string[]
  /** Packages of another program, which stay as they are. */
  readonly foreign: readonly string[]
}

/**
 * Restores node_modules from a snapshot. Replaces only changed entries, because a running harness reloads files that are
 * replaced.
 *
 * @param source.modules names in node_modules at the snapshot; null if there was none
 * @param source.isKept true if the snapshot must stay as it is
 */
export async function restoreModules(
  profile: string,
  source: { readonly folder: string; readonly modules: readonly string[] | null; readonly isKept: boolean },
  owners: Owners,
): Promise<void> {
  const { folder, isKept } = source
  const [before, target] = [join(folder, 'node_modules'), join(profile, 'node_modules')]
  const scratch = scratchFolder(profile)
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch)
  if (source.modules === null && owners.foreign.length === 0) await removeModules(target, scratch)
  else {
    const modules = source.modules ?? []
    const marks = modules.length === 0 ? null : await readMarks(folder)
    await mkdir(target, { recursive: true })
    const folders: Folders = { before, target, aside: scratch, marks, isKept }
    // A merge moves single packages out of the folders of the snapshot, so only a merge can go on with it.
    const merging = join(folder, 'merging')
    const isMerging = owners.foreign.length > 0 || (await readIfThere(merging)) !== null
    if (isMerging && !isKept) await writeFile(merging, '')
    if (isMerging) await mergeFolder(folders, owners)
    else
      for (const name of new Set([...modules, ...(await readdir(target))])) await restoreEntry(folders, name, modules)
  }
  // The next job removes the rest.
  await rm(scratch, { recursive: true, force: true }).catch(() => {})
}

/** A folder in a snapshot, and the one to restore from it. */
interface Folders {
  readonly before: string
  readonly target: string
  /** Folder for what is replaced. */
  readonly aside: string
  /** Marks of the folder's entries at the snapshot; null if unknown. */
  readonly marks: unknown
  readonly isKept: boolean
}

/**
 * Restores an entry of a folder.
 *
 * @param known names of the entries at the snapshot; others are removed
 */
async function restoreEntry(
  { before, target, aside, marks, isKept }: Folders,
  name: string,
  known: readonly string[],
): Promise<void> {
  const [was, is, old] = [join(before, name), join(target, name), join(aside, name)]
  const entry = known.includes(name) ? await lstat(was).catch(ignoreMissing) : undefined
  // An interrupted rollback has already restored it.
  if (known.includes(name) && entry === undefined) return
  if (entry && (await isUnchanged(is, markOfEntry(marks, name)))) return
  await moveAside(is, old)
  if (entry && isKept) await copyTree(was, is)
  else if (entry) await moveBack(was, is, old)
}

const isUnchanged = async (path: string, mark: unknown): Promise<boolean> =>
  mark !== undefined && isDeepStrictEqual(await markTree(path, byChangeTime), mark)

/**
 * Restores a folder in which another program has installed packages: restores what the snapshot has, removes the
 * packages that the job added, and keeps everything else that is new, as those packages may need it.
 */
async function mergeFolder(folders: Folders, { added, foreign }: Owners, scope = ''): Promise<void> {
  const { before, target, aside, marks } = folders
  const known = await readNames(before)
  for (const name of new Set([...known, ...(await readdir(target))])) {
    const id = scope + name
    if (foreign.includes(id)) continue
    if (
      isShared(name) &&
      (await isFolderIn(target, name)) &&
      (!known.includes(name) || (await isFolderIn(before, name)))
    ) {
      const inner = join(aside, name)
      await mkdir(inner, { recursive: true })
      const inside = { before: join(before, name), target: join(target, name), aside: inner }
      const owners = name === '.pnpm' ? { added: [], foreign: [] } : { added, foreign }
      await mergeFolder(
        { ...folders, ...inside, marks: markOfEntry(marks, name) },
        owners,
        name.startsWith('@') ? `${name}/` : '',
      )
    } else if (known.includes(name) || added.includes(id)) await restoreEntry(folders, name, known)
  }
}

/** Returns true for folders that hold packages, links or programs of several packages. */
const isShared = (name: string): boolean => name.startsWith('@') || ['.pnpm', '.bin', 'node_modules'].includes(name)

const isFolderIn = async (folder: string, name: string): Promise<boolean> =>
  (await lstat(join(folder, name)).catch(ignoreMissing))?.isDirectory() === true

/**
 * Returns true for errors of a rename between two file systems, of a mount point, or of a folder in which another program
 * has a file open on Windows: then its entries are copied or removed one by one.
 */
const cannotRename = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EXDEV' || error.code === 'EBUSY' || isOpenElsewhere(error)

/** Removes a node_modules that did not exist before; if it is a mount point by now, removes its contents. */
async function removeModules(target: string, scratch: string): Promise<void> {
  await rename(target, join(scratch, 'node_modules')).catch(async (error: NodeJS.ErrnoException) => {
    if (!cannotRename(error)) return ignoreMissing(error)
    for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true })
  })
}

/** Moves an entry out of node_modules by a rename, or deletes it if node_modules is a file system of its own. */
async function moveAside(path: string, aside: string): Promise<void> {
  await rename(path, aside).catch(async (error: NodeJS.ErrnoException) => {
    if (!cannotRename(error)) return ignoreMissing(error)
    await rm(path, { recursive: true, force: true })
  })
}

/** Moves an entry from the snapshot into node_modules. Renames the original away only after a copy is complete. */
async function moveBack(was: string, target: string, aside: string): Promise<void> {
  await rename(was, target).catch(async (error: NodeJS.ErrnoException) => {
    if (!cannotRename(error)) throw error
    await copyTree(was, target)
    await syncToDisk(target)
    await rename(was, aside)
  })
}

/** Returns the file in a snapshot with the ctimes in node_modules when it was taken. */
export const marksFile = (snapshot: string): string => join(snapshot, 'marks.json')

/** Reads those ctimes; null if unknown, so that everything may have changed. */
async function readMarks(snapshot: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(marksFile(snapshot), 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    return ignoreMissing(error as NodeJS.ErrnoException) ?? null
  }
}
