import { constants, copyFile, mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { treeSize } from '../profile/copy-tree.ts'
import { scratchFolder, stateFolder, undoFolder } from '../profile/state-folder.ts'
import { dropUndo } from './journal.ts'

/** Free space above which node_modules is not measured, in bytes: measuring 10,000 files takes a tenth of a second. */
const AMPLE_BYTES = 4_000_000_000
/** Space for the plugin itself and its dependencies, in bytes. */
const MARGIN_BYTES = 50_000_000

/**
 * Checks that there is space for another copy of node_modules, which trial and snapshot need. Deletes the snapshot of
 * the last change if that frees enough space.
 *
 * @param keepsUndo true if the job needs that snapshot
 * @throws an error with the code ENOSPC
 */
export async function ensureFreeSpace(
  profile: string,
  { keepsUndo, signal }: { readonly keepsUndo: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if ((await freeBytes(profile)) >= AMPLE_BYTES) return
  const needed = (await treeSize(join(profile, 'node_modules'), { signal })) + MARGIN_BYTES
  if ((await freeBytes(profile)) >= needed || (await canClone(profile))) return
  if (!keepsUndo) {
    const room = await treeSize(undoFolder(profile), { signal })
    if ((await freeBytes(profile)) + room >= needed) return dropUndo(profile)
  }
  throw Object.assign(new Error('There is no room for a copy of node_modules.'), { code: 'ENOSPC' })
}

async function freeBytes(profile: string): Promise<number> {
  const { bavail, bsize } = await statfs(stateFolder(profile))
  return bavail * bsize
}

/** Returns true if the file system clones files, so that a copy takes no space. */
async function canClone(profile: string): Promise<boolean> {
  const clone = join(scratchFolder(profile), 'clone')
  try {
    await mkdir(scratchFolder(profile), { recursive: true })
    await copyFile(join(profile, 'package.json'), clone, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    return false
  } finally {
    await rm(clone, { force: true }).catch(() => {})
  }
}
