import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Name of the file that is written into a shared folder when it is complete. */
const DONE = '.done'

/** Set-up of a run of Playwright: makes a folder that its workers share, and find by the environment. */
export default async function makeSharedFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-run-'))
  process.env.PLUGMARK_RUN = folder
  return () => rm(folder, { recursive: true, force: true })
}

/**
 * Makes a folder once for a whole run of Playwright, whose workers come and go. Its content is shared: write nothing into
 * it later.
 *
 * @returns the folder
 */
export async function madeOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(process.env.PLUGMARK_RUN ?? '', name)
  const lock = `${folder}.lock`
  while (await mkdir(lock).catch(isTaken)) await sleep(200)
  try {
    await mkdir(folder, { recursive: true })
    if (!existsSync(join(folder, DONE))) {
      await make(folder)
      await writeFile(join(folder, DONE), '')
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
  const folder = await madeOnce(name, (outDir) => pack({ outDir }))
  const [tarball] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  return join(folder, tarball!)
}

function isTaken(error: NodeJS.ErrnoException): true {
  if (error.code === 'EEXIST') return true
  throw error
}
