import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { profileDirectory } from '../profiles/home.ts'
import { PROFILE_FILES } from '../profiles/state.ts'

/** What the harness reads from its home when it starts, besides the profile (dsh 0.1.0-rc.8). */
const HOME_FILES = ['settings.yaml', 'cordis.patch.yml', '.env']

/**
 * Copies a profile into a home of its own, without node_modules: the package manager fills that from its store.
 *
 * @param to the new home; it must not be there yet
 * @returns the copied profile's directory
 */
export async function copyProfile(home: string, profile: string, to: string): Promise<string> {
  const [from, copy] = [profileDirectory(home, profile), profileDirectory(to, profile)]
  await mkdir(copy, { recursive: true })
  await Promise.all([
    ...HOME_FILES.map((file) => copyIfThere(join(home, file), join(to, file))),
    ...PROFILE_FILES.map((file) => copyIfThere(join(from, file), join(copy, file))),
  ])
  const manifest = join(copy, 'package.json')
  const text = await readFile(manifest, 'utf8')
  const anchored = anchorPaths(text, from)
  if (anchored !== text) await writeFile(manifest, anchored)
  return copy
}

/** A relative path in a package.json is seen from where the file lies, and would lead elsewhere from the copy. */
const anchorPaths = (manifest: string, from: string): string =>
  manifest.replace(/"(link|file):(\.{1,2}[^"\\]*)"/g, (_, kind, path) =>
    JSON.stringify(`${kind}:${resolve(from, path)}`),
  )

const copyIfThere = (from: string, to: string): Promise<void> =>
  copyFile(from, to).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
