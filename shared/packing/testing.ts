import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import type { PackOptions } from './index.ts'

/** Packs a package once for its tests, and unpacks it into a folder where nothing else is installed. */
export function unpackedForTests(pack: (options: PackOptions) => Promise<{ tarball: string }>) {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plugmark-build-'))
    const { tarball } = await pack({ outDir: directory })
    await promisify(execFile)('tar', ['xzf', tarball, '-C', directory])
  }, 60_000)
  afterAll(() => rm(directory, { recursive: true }))

  const path = (...parts: string[]) => join(directory, 'package', ...parts)
  return {
    path,
    read: (file: string) => readFile(path(file), 'utf8'),
    /** Returns the names of all its files, without their folders. */
    async files(): Promise<string[]> {
      const entries = await readdir(path(), { recursive: true, withFileTypes: true })
      return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).toSorted()
    },
  }
}
