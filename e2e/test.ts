import { mkdir, readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test as base } from 'playwright/test'
import type { HarnessVersion } from './harness/versions.ts'
import { type Registry, startRegistry } from './registry/registry.ts'

export interface HarnessOption {
  /** The harness that the tests of a project run. */
  readonly harnessVersion: HarnessVersion
}

/** What tests of the store in any shell have. */
export const test = base.extend<object, HarnessOption & { readonly registry: Registry }>({
  harnessVersion: ['0.1.0-rc.8', { option: true, scope: 'worker' }],
  registry: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const registry = await startRegistry()
      await use(registry)
      await registry.close()
    },
    { scope: 'worker' },
  ],
})

export { expect } from 'playwright/test'

/**
 * Packs a shell for the whole run: its workers come and go, and each would build it anew.
 *
 * @param name of the folder that it is kept in
 * @returns the tarball; it is shared, and nothing may be written beside it
 */
export async function packedOnce(
  name: string,
  pack: (options: { outDir: string }) => Promise<{ tarball: string }>,
): Promise<string> {
  const outDir = join(process.env.PLUGMARK_RUN ?? '', name)
  const lock = `${outDir}.lock`
  while (await mkdir(lock).catch(isTaken)) await sleep(200)
  try {
    const [tarball] = await readdir(outDir).catch(() => [])
    return tarball === undefined ? (await pack({ outDir })).tarball : join(outDir, tarball)
  } finally {
    await rmdir(lock)
  }
}

function isTaken(error: NodeJS.ErrnoException): true {
  if (error.code === 'EEXIST') return true
  throw error
}
