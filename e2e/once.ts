import { existsSync, mkdirSync, watch } from 'node:fs'
import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Makes a folder once for a whole run of Playwright, whose workers come and go. Its content is shared: write nothing into
 * it later.
 *
 * @returns the folder
 */
export async function madeOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(process.env.PLUGMARK_RUN ?? '', name)
  const lock = `${folder}.lock`
  await take(lock)
  try {
    const done = `${folder}.done`
    if (!existsSync(done)) {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder)
      await make(folder)
      await writeFile(done, '')
    }
    return folder
  } finally {
    await rmdir(lock)
  }
}

/** Packs a shell once for a whole run. @returns the tarball */
export async function packedOnce(
  name: string,
  pack: (options: { outDir: string }) => Promise<{ tarball: string }>,
): Promise<string> {
  const folder = await madeOnce(`packed-${name}`, (outDir) => pack({ outDir }))
  const [tarball] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  return join(folder, tarball!)
}

/** Takes a lock, which is a folder, as soon as no other worker has it. */
function take(lock: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const watcher = watch(dirname(lock), tryIt)
    function tryIt(): void {
      try {
        mkdirSync(lock)
        watcher.close()
        resolve()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
        watcher.close()
        reject(error)
      }
    }
    tryIt()
  })
}
