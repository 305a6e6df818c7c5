import { packDsh } from '@plugmark/harness-plugin/build'
import { createHome, type Home } from '../harness/home.ts'
import { addStore } from '../harness/store.ts'
import type { HarnessVersion } from '../harness/versions.ts'
import { packedOnce } from '../once.ts'
import type { Registry } from '../registry/registry.ts'
import { test as base } from '../test.ts'

/** Tests of the packed store in the real harness. */
export const test = base.extend<object, { readonly tarball: string }>({
  tarball: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => use(await packedOnce('dsh', packDsh)),
    { scope: 'worker' },
  ],
})

export { dsh, STORE } from '../harness/store.ts'
export { expect } from '../test.ts'

/** Creates a home whose profile has the store. */
export async function storeHome(
  given: { readonly registry: Registry; readonly tarball: string; readonly harnessVersion: HarnessVersion },
  config: Readonly<Record<string, unknown>> = {},
): Promise<Home> {
  const { registry, tarball, harnessVersion: version } = given
  // It hard-links a profile's files from its store, and those of a trial too. With pnpm 12 the harness itself (0.2.1-rc.2)
  // now and then resets a connection to its page soon after its start.
  const pnpm = version.startsWith('0.2.') ? 11 : 10
  const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, version, pnpm })
  await addStore(home, tarball, config)
  return home
}
