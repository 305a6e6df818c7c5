import { defineConfig } from 'playwright/test'

const executablePath = process.env.CHROMIUM

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './global-setup.ts',
  outputDir: '../test-results/by-hand',
  fullyParallel: true,
  workers: 3,
  // A machine may be slow, and a test that passes waits for nothing but what it needs.
  expect: { timeout: 60_000 },
  timeout: 240_000,
  forbidOnly: true,
  retries: 0,
  reporter: 'line',
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    actionTimeout: 60_000,
    // Pictures and snapshots of every step cost a fifth of the run; a failure has a snapshot of its own.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    },
  },
})
