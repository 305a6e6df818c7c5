import { availableParallelism } from 'node:os'
import { defineConfig } from 'playwright/test'
import { type HarnessVersion, missingHarness } from './e2e/harness/versions.ts'
import { hasLowestNode } from './e2e/lowest-node.ts'
import { testLaunchOptions } from './e2e/setup/chromium.mjs'
import { requireNode } from './e2e/setup/node.mjs'
import type { HarnessOption } from './e2e/test.ts'

requireNode()

/**
 * Files that also run on a newer harness. The others run on the first only, which starts fastest, as the store does the
 * same on each. A test of these files that shows nothing new on one harness has the tag `@only-0.1` or `@only-0.2`.
 */
const onBoth = [
  'cli/journey',
  'dsh/boot',
  'dsh/forged',
  'dsh/journeys',
  'dsh/off',
  'dsh/screen',
  'dsh/tools',
  'store/approve',
  'store/gate',
  'store/in-process',
  'store/trial',
]
/** Files that do not run on the first harness, as it lacks the part or behaves the same. */
const onToday = [
  'dsh/acp',
  'dsh/axe',
  'dsh/discover',
  'dsh/killed',
  'dsh/plugins-page',
  'store/fit',
  'store/trial-screen',
]
const specs = (names: readonly string[]) => names.map((name) => `${name}.spec.ts`)

const journeysOn = (harnessVersion: HarnessVersion, which: { grep: RegExp } | { grepInvert: RegExp }) =>
  missingHarness(harnessVersion) === null
    ? { name: harnessVersion, testMatch: specs([...onBoth, ...onToday]), ...which, use: { harnessVersion } }
    : { name: harnessVersion, testMatch: 'harness/missing.spec.ts', use: { harnessVersion } }

export default defineConfig<object, HarnessOption>({
  testDir: 'e2e',
  globalSetup: './e2e/once.ts',
  outputDir: 'test-results',
  projects: [
    journeysOn('0.2.1-rc.2', { grepInvert: /@only-0\.1/ }),
    journeysOn('0.1.5-rc.1', { grep: /@0\.1\.5/ }),
    journeysOn('0.1.2-rc.1', { grep: /@0\.1\.2/ }),
    // Last, as it ends with the shortest tests, so that no worker waits long for another.
    {
      name: '0.1.0-rc.8',
      testMatch: '**/*.spec.ts',
      testIgnore: specs(['harness/missing', ...onToday, ...(hasLowestNode() ? [] : ['lowest-node'])]),
      grepInvert: /@only-0\.2/,
    },
  ],
  fullyParallel: true,
  // One more than two cores, as a test often waits. At most eight, for the memory.
  workers: Math.min(Math.max(3, availableParallelism()), 8),
  // Generous, as a machine may be slow; a test that passes does not wait.
  expect: { timeout: 60_000 },
  timeout: 240_000,
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    actionTimeout: 60_000,
    // A trace costs 4 % of the run, with pictures a fifth. A failure leaves a snapshot and a picture; `--trace on` has more.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: testLaunchOptions(),
  },
})
