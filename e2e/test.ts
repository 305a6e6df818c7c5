import { test as base } from 'playwright/test'
import type { HarnessVersion } from './harness/versions.ts'
import { type Registry, startRegistry } from './registry/registry.ts'

export interface HarnessOption {
  /** Version of the harness that a project runs. */
  readonly harnessVersion: HarnessVersion
}

/** Fixtures of all tests of the store, in any shell. */
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
