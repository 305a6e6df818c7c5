// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const macApplication = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/**
 * Finds a Chromium that starts: the one that CHROMIUM names, one on PATH, or Playwright's own.
 *
 * @returns {string | null} path of the program
 */
export const findChromium = () =>
  process.env.CHROMIUM || (onPath(names) ?? [macApplication, ...playwrightBrowsers()].find(starts) ?? null)

/**
 * Finds the engine of Chromium without the browser around it: Debian's or Playwright's.
 *
 * @returns {string | undefined} path of the program
 */
export const findHeadlessShell = () =>
  onPath(['chromium-headless-shell']) ??
  playwrightBrowsers()
    .filter((path) => /headless.shell/.test(path))
    .find(starts)

/** @param {readonly string[]} programs */
function onPath(programs) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(starts)
}

/** A distribution may leave a stub that only says how to get the browser. @param {string} path */
const starts = (path) => existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0

/** Lists where Playwright keeps its whole Chromium and its headless shell, in the user's folder. */
function playwrightBrowsers() {
  try {
    /** For example ~/.cache/ms-playwright/chromium-1255/chrome-linux64/chrome. @type {string} */
    const whole = createRequire(import.meta.url)('playwright-core').chromium.executablePath()
    const folder = dirname(dirname(whole))
    const shell = join(dirname(folder), basename(folder).replace('chromium', 'chromium_headless_shell'))
    const files = existsSync(shell) ? /** @type {string[]} */ (readdirSync(shell, { recursive: true })) : []
    const program = files.find((file) => /^(chrome-headless-shell|headless_shell)(\.exe)?$/.test(basename(file)))
    return program ? [whole, join(shell, program)] : [whole]
  } catch {
    // Its package is not installed yet.
    return []
  }
}

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']

/** For Playwright's `launch`: the user's browser. Where there is none, Playwright says how to get it. */
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
