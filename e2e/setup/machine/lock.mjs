// @ts-check
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Does `work` while no other process on this machine holds the lock. A lock whose owner is no longer running is taken
 * over.
 *
 * @template T
 * @param {string} directory the lock: a directory that holds one file, named by the process id of its owner
 * @param {(owner: number) => void} onWait called once if somebody else has it
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(directory, onWait, work) {
  const mine = `${directory}.${process.pid}`
  await mkdir(dirname(directory), { recursive: true })
  await rm(mine, { recursive: true, force: true })
  await mkdir(mine)
  await writeFile(join(mine, String(process.pid)), '')

  let told = false
  while (!(await moved(mine, directory))) {
    const owner = await ownerOf(directory)
    if (owner !== null && !isRunning(owner)) {
      await takeAway(directory, owner, `${mine}.dead`)
    } else {
      if (owner !== null && !told) onWait(owner)
      told ||= owner !== null
      await sleep(200)
    }
  }
  try {
    return await work()
  } finally {
    // While it is emptied in its place, another process could put its own there already.
    await rename(directory, mine)
    await rm(mine, { recursive: true, force: true })
  }
}

/**
 * A rename is what makes this a lock: it cannot replace a directory that has something in it, and the owner's file
 * arrives with it.
 *
 * @param {string} from
 * @param {string} to
 */
async function moved(from, to) {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) return false
    throw error
  }
}

/**
 * @param {string} directory
 * @returns {Promise<number | null>} null when the lock has just been released
 */
async function ownerOf(directory) {
  const [name] = await readdir(directory).catch(() => [])
  return name === undefined ? null : Number(name)
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, and belongs to somebody else.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/**
 * Moves a dead owner's lock aside. Another process may have done so first and hold the lock by now: then it gets it back.
 *
 * @param {string} directory
 * @param {number} dead
 * @param {string} aside
 */
async function takeAway(directory, dead, aside) {
  if (!(await moved(directory, aside).catch(() => false))) return
  if ((await ownerOf(aside)) !== dead) await moved(aside, directory)
  await rm(aside, { recursive: true, force: true })
}
