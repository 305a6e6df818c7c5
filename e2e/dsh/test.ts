import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packDsh } from '@plugmark/harness-plugin/build'
import { test as base } from 'playwright/test'
import { createHome, type Home } from '../harness/home.ts'
import { addStore } from '../harness/store.ts'
import { type Registry, startRegistry } from '../registry/registry.ts'

interface WorkerFixtures {
  readonly registry: Registry
  readonly tarball: string
}

/** The store as a person has it: packed, in the real harness. */
export const test = base.extend<object, WorkerFixtures>({
  registry: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const registry = await startRegistry()
      await use(registry)
      await registry.close()
    },
    { scope: 'worker' },
  ],
  tarball: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const outDir = await mkdtemp(join(tmpdir(), 'plugmark-dsh-'))
      await use((await packDsh({ outDir })).tarball)
      await rm(outDir, { recursive: true })
    },
    { scope: 'worker' },
  ],
})

export { expect } from 'playwright/test'

export { dsh, STORE } from '../harness/store.ts'

/** A home whose profile has the store. */
export async function storeHome(
  { registry, tarball }: WorkerFixtures,
  config: Readonly<Record<string, unknown>> = {},
): Promise<Home> {
  const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig })
  await addStore(home, tarball, config)
  return home
}
