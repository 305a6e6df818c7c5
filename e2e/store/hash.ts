import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from '../harness/home.ts'

/** One hash over names, kinds, modes and contents of all that is in the profile, node_modules and all. */
export async function profileHash(home: Home): Promise<string> {
  const directory = join(home.home, 'profiles', home.profile)
  const hash = createHash('sha256')
  for (const name of (await readdir(directory, { recursive: true })).toSorted()) {
    const path = join(directory, name)
    const stat = await lstat(path)
    const content = stat.isSymbolicLink() ? await readlink(path) : stat.isFile() ? await readFile(path) : ''
    hash.update(`${name}\0${stat.mode}\0`).update(content).update('\0')
  }
  return hash.digest('hex')
}
