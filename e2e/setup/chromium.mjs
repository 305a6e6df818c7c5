// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const macApplication = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** @returns {string | null} path of a Chromium: the one that CHROMIUM names, one on PATH, Playwright's own */
export const findChromium = () =>
  process.env.CHROMIUM || (onPath(names) ?? [macApplication].find(starts) ?? playwrightChromium())

/** @returns {string | undefined} path of Debian's headless shell: the engine of Chromium without the browser around it */
export const findHeadlessShell = () => onPath(['chromium-headless-shell'])

/** @param {readonly string[]} programs */
function onPath(programs) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(starts)
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

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']

/** For Playwright's `launch`: the browser that people have. Where there is none, Playwright says how to get it. */
export function launchOptions() {
  const executablePath = findChromium()
  return { ...(executablePath ? { executablePath } : {}), args }
}

/**
 * The same for tests: the headless shell, as it takes less than half of the CPU time, unless CHROMIUM names a browser. The
 * shell keeps no page for Back.
 */
export function testLaunchOptions() {
  const executablePath = process.env.CHROMIUM ? undefined : findHeadlessShell()
  return executablePath ? { executablePath, args } : launchOptions()
}
