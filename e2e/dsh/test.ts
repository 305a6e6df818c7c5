import { packDsh } from '@plugmark/harness-plugin/build'
import { createHome, type Home, type Pnpm } from '../harness/home.ts'
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
  given: {
    readonly registry: Registry
    readonly tarball: string
    readonly harnessVersion: HarnessVersion
    readonly pnpm?: Pnpm | undefined
  },
  config: Readonly<Record<string, unknown>> = {},
): Promise<Home> {
  const { registry, tarball, harnessVersion: version, pnpm } = given
  const home = await createHome({
    registry: registry.url,
    gitConfig: registry.gitConfig,
    version,
    ...(pnpm === undefined ? {} : { pnpm }),
  })
  await addStore(home, tarball, config)
  return home
}
