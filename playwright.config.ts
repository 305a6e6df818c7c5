import { defineConfig } from 'playwright/test'
import { type HarnessVersion, missingHarness } from './e2e/harness/versions.ts'
import { testLaunchOptions } from './e2e/setup/chromium.mjs'
import { requireNode } from './e2e/setup/node.mjs'
import type { HarnessOption } from './e2e/test.ts'

requireNode()

/** The journeys of which only those with this tag run on a harness, or all that start one. */
function journeysOn(harnessVersion: HarnessVersion, which: 'all' | 'tagged') {
  const missing = missingHarness(harnessVersion) !== null
  // Not on 0.2.1 yet: of the store what needs no trial.
  const inHarness = [
    'axe',
    'boot',
    'finding',
    'forged',
    'journeys',
    'killed',
    'off',
    'plugins-page',
    'screen',
    'tools',
  ].map((name) => `dsh/${name}.spec.ts`)
  const inConsole = ['approve', 'gate', 'killed', 'trial', 'trial-screen'].map((name) => `store/${name}.spec.ts`)
  const startsHarness = [...inHarness, ...inConsole]
  return {
    name: harnessVersion,
    testMatch: missing ? 'harness/missing.spec.ts' : startsHarness,
    ...(which === 'tagged' && !missing ? { grep: new RegExp(`@${harnessVersion.replaceAll('.', '\\.')}(?!\\S)`) } : {}),
    use: { harnessVersion },
  }
}

export default defineConfig<object, HarnessOption>({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  projects: [
    {
      name: '0.1.0-rc.8',
      testMatch: '**/*.spec.ts',
      // It has no page for plugins.
      testIgnore: ['harness/missing.spec.ts', 'dsh/plugins-page.spec.ts'],
    },
    journeysOn('0.2.1-rc.2', 'all'),
    journeysOn('0.1.5-rc.1', 'tagged'),
    journeysOn('0.1.2-rc.1', 'tagged'),
  ],
  fullyParallel: true,
  workers: 3,
  // A machine may be slow, and a test that passes waits for nothing but what it needs.
  expect: { timeout: 60_000 },
  timeout: 240_000,
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    actionTimeout: 60_000,
    // Pictures and snapshots of every step cost a fifth of the run; a failure has a snapshot of its own.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: testLaunchOptions(),
  },
})
