import vue from '@vitejs/plugin-vue'
import { playwright } from '@vitest/browser-playwright'
import { msw } from 'msw/vite'
import { defineConfig } from 'vitest/config'
import { limitMs } from './e2e/limit.ts'
import { testLaunchOptions } from './e2e/setup/chromium.mjs'
import { requireNode } from './e2e/setup/node.mjs'

requireNode()

/** Ends what hangs; nothing that works on a busy machine comes near it. */
const patient = {
  testTimeout: limitMs(180_000),
  hookTimeout: limitMs(180_000),
  expect: { poll: { timeout: limitMs(30_000) } },
}
const notOurs = ['**/node_modules/**', '**/dist/**']
/** Tests of what is packed and published. They build it all. */
const ofPackages = ['e2e/release/**/*.test.ts', '{harness-plugin,mock-api,userscript}/build*.test.ts']

/** Four projects, one a stage: `*.test.ts`, e2e/contract and the packages in Node, `*.browser.test.ts` in Chromium. */
export default defineConfig({
  test: {
    // One less by default, which is half of two cores.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...patient,
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...notOurs, ...ofPackages, '**/*.browser.test.ts', 'e2e/contract/**'],
        },
      },
      { test: { ...patient, name: 'packages', include: ofPackages, exclude: notOurs } },
      { test: { ...patient, name: 'contract', include: ['e2e/contract/**/*.test.ts'], exclude: notOurs } },
      {
        plugins: [
          // Serves MSW's worker script from its package.
          msw({ mode: 'worker-only' }),
          vue({ features: { customElement: /[\\/]view[\\/].*\.vue$/ } }),
        ],
        // Found only while the tests run, it would load them anew.
        optimizeDeps: { include: ['react'] },
        test: {
          ...patient,
          name: 'browser',
          include: ['**/*.browser.test.ts'],
          exclude: notOurs,
          browser: {
            enabled: true,
            connectTimeout: limitMs(240_000),
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
