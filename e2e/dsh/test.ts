import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packDsh } from '@plugmark/harness-plugin/build'
import { test as base } from 'playwright/test'
import { createHome, type Home } from '../harness/home.ts'
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

/** The store's package, and the row that its patch puts into a tree. */
export const STORE = 'dsh-plugin-plugmark'

/** A home whose profile has the store, installed as a person would, and configured by the profile's own patch. */
export async function storeHome(
  { registry, tarball }: WorkerFixtures,
  config: Readonly<Record<string, unknown>> = {},
): Promise<Home> {
  const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig })
  await dsh(home, 'plugin', '--profile', home.profile, 'add', tarball)
  // JSON is YAML.
  const patch = JSON.stringify([{ id: STORE, config }])
  await writeFile(join(home.home, 'profiles', home.profile, 'cordis.patch.yml'), patch)
  return home
}

/** `dsh <args>`, as a person would type it. */
export async function dsh({ home, command, env }: Home, ...args: string[]): Promise<string> {
  const [program = '', ...leading] = command
  return (await promisify(execFile)(program, [...leading, ...args], { cwd: home, env })).stdout
}
