import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acquireFileLock } from '@plugmark/shared/file-lock'

/** Begins a run of Playwright: makes a folder that its workers share and find by the environment. */
export default async function beginRun(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-'))
  process.env.PLUGMARK_RUN = folder
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

/**
 * Makes a folder once for a whole run of Playwright, when a test first needs it: most runs need few of them, and which
 * homes there are, only the tests know. Its content is shared: write nothing into it later.
 *
 * @returns the folder
 */
export async function madeOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(process.env.PLUGMARK_RUN ?? '', name)
  const lock = await acquireFileLock(`${folder}.lock`)
  try {
    const marker = `${folder}.done`
    if (!existsSync(marker)) {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder)
      await make(folder)
      await writeFile(marker, '')
    }
    return folder
  } finally {
    await lock?.release()
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
