import vue from '@vitejs/plugin-vue'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { testLaunchOptions } from './e2e/setup/chromium.mjs'
import { requireNode } from './e2e/setup/node.mjs'

requireNode()

/** Ends what hangs; nothing that works on a busy machine comes near it. */
const patient = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
}
const notOurs = ['**/node_modules/**', '**/dist/**']
/** Tests of what is packed and published. They build it all. */
const ofPackages = ['e2e/{tools/release,corpus}/**/*.test.ts', '{harness-plugin,mock-api,userscript}/build*.test.ts']

/** Four projects, one after another: `*.test.ts`, `*.browser.test.ts` in Chromium, e2e/contract, and the packages. */
export default defineConfig({
  test: {
    // One less by default, which is half of two cores.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...patient,
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['**/*.test.ts'],
          exclude: [...notOurs, ...ofPackages, '**/*.browser.test.ts', 'e2e/contract/**'],
        },
      },
      { test: { ...patient, name: 'packages', sequence: { groupOrder: 3 }, include: ofPackages, exclude: notOurs } },
      {
        test: {
          ...patient,
          name: 'contract',
          sequence: { groupOrder: 2 },
          include: ['e2e/contract/**/*.test.ts'],
          exclude: notOurs,
        },
      },
      {
        plugins: [vue({ features: { customElement: /[\\/]view[\\/].*\.vue$/ } })],
        // Found only while the tests run, it would load them again.
        optimizeDeps: { include: ['react'] },
        test: {
          ...patient,
          // What an assertion in the page waits for when it fails. A whole file takes a third of it on a busy machine.
          testTimeout: 120_000,
          name: 'browser',
          sequence: { groupOrder: 1 },
          include: ['**/*.browser.test.ts'],
          exclude: notOurs,
          browser: {
            enabled: true,
            connectTimeout: 480_000,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: testLaunchOptions(), contextOptions: { reducedMotion: 'reduce' } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
