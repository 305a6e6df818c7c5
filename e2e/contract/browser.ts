import { chromium } from 'playwright'

/** The browser of the contract tests; CHROMIUM names another than Playwright's own. */
export const launchBrowser = () =>
  chromium.launch({
    ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  })
