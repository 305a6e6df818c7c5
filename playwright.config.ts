import { availableParallelism } from 'node:os'
import { defineConfig, type Project } from 'playwright/test'
import { type HarnessVersion, hasLowestNode, missingHarness } from './e2e/harness/versions.ts'
import { launchOptions, testLaunchOptions } from './e2e/setup/chromium.mjs'
import { requireNode } from './e2e/setup/node.mjs'
import type { HarnessOption } from './e2e/test.ts'

requireNode()

/** Files about older harnesses. */
const onlyOlder = ['harness/missing', 'registry/registry', 'store/fit']
/** Files without a harness, or about parts that the first lacks or that behave the same on it. */
const onlyNewest = [
  'cli/finding',
  'dsh/acp',
  'dsh/axe',
  'dsh/discover',
  'dsh/killed',
  'dsh/plugins-page',
  'registry/pick-version',
  'store/no-harness',
  'store/trial-screen',
]
const specs = (names: readonly string[]) => names.map((name) => `${name}.spec.ts`)

/**
 * Journeys on a harness. A test with the tag `@only-0.1` or `@only-0.2` shows something of these versions alone; one with
 * `@matrix` shows another case of what `npm test` proves.
 */
const journeysOn = (
  harnessVersion: HarnessVersion,
  which: Project<object, HarnessOption>,
  name: string = harnessVersion,
) =>
  missingHarness(harnessVersion) === null
    ? { name, ...which, use: { ...which.use, harnessVersion } }
    : { name, testMatch: 'harness/missing.spec.ts', use: { harnessVersion } }

/** The browser that people have, in place of the headless shell: it draws and lays out a little differently. */
const whole = { launchOptions: launchOptions() }

export default defineConfig<object, HarnessOption>({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/once.ts',
  outputDir: 'test-results',
  projects: [
    // The journeys of `npm test`, on the newest harness alone. The others are part of `npm run test:matrix`.
    journeysOn('0.2.1-rc.2', {
      testIgnore: specs([...onlyOlder, ...(hasLowestNode() ? [] : ['lowest-node'])]),
      grepInvert: /@only-0\.1|@matrix/,
    }),
    journeysOn('0.2.1-rc.2', { grep: /@matrix/, grepInvert: /@only-0\.1/ }, 'matrix of 0.2.1-rc.2'),
    journeysOn('0.1.5-rc.1', { grep: /@0\.1\.5/ }),
    journeysOn('0.1.2-rc.1', { grep: /@0\.1\.2/ }),
    journeysOn('0.1.0-rc.8', {
      use: whole,
      testMatch: /[\\/](cli|dsh|registry|store)[\\/][^\\/]+\.spec\.ts$|lowest-node\.spec\.ts$/,
      testIgnore: specs([...onlyNewest, ...(hasLowestNode() ? [] : ['lowest-node'])]),
      grepInvert: /@only-0\.2/,
    }),
    { name: 'whole browser', testMatch: 'userscript/*.spec.ts', use: whole },
  ],
  fullyParallel: true,
  // Twice two cores, as a test often waits for a program. At most eight, for the memory.
  workers: Math.min(Math.max(4, availableParallelism()), 8),
  // These end what hangs; nothing that works comes near them, also beside other programs.
  expect: { timeout: 180_000 },
  timeout: 900_000,
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    // The animations of a running job take a third of a journey's processor time where no graphics card draws them.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 180_000,
    // Costs 4 % of the run; with pictures of each step, which `--trace on` adds, it would be a fifth.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: testLaunchOptions(),
  },
})
