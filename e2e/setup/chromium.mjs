// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const macApplication = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** @returns {string | null} path of a Chromium: the one that CHROMIUM names, one on PATH, Playwright's own */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...paths, macApplication].find(starts) ?? playwrightChromium()
}

/** A distribution may leave a stub that only says how to get the browser. @param {string} path */
const starts = (path) => existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0

function playwrightChromium() {
  try {
    const path = createRequire(import.meta.url)('playwright-core').chromium.executablePath()
    return existsSync(path) ? path : null
  } catch {
    // Its package is not installed yet.
    return null
  }
}

/** For Playwright's `launch`. Where there is no Chromium, Playwright says how to get one. */
export function launchOptions() {
  const executablePath = findChromium()
  // The workers of a test run inherit it, and need not search again.
  if (executablePath) process.env.CHROMIUM = executablePath
  return {
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  }
}
