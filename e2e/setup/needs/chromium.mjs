// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SetupError } from '../errors.mjs'
import { follow } from '../machine/child.mjs'
import { findNode } from '../machine/node.mjs'
import { hasDebianPackages } from './need.mjs'

/** @typedef {import('./need.mjs').Machine} Machine */

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const macApplication = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** @type {import('./need.mjs').Need} */
export const chromium = {
  async check(machine) {
    const { CHROMIUM } = machine.env
    if (CHROMIUM && !existsSync(CHROMIUM))
      throw new SetupError(`CHROMIUM names ${CHROMIUM}, and there is no such file.`)
    if (findChromium(machine)) return null
    if (hasDebianPackages(machine)) {
      return { what: 'Chromium', from: 'apt-get', fetch: 210, disk: 740, apt: ['chromium'] }
    }
    return {
      what: 'Chromium',
      from: "Playwright's own download",
      fetch: 180,
      disk: 400,
      provide: () => download(machine),
    }
  },
}

/**
 * An existing Chromium: the one CHROMIUM names, one on PATH that starts, Playwright's own.
 *
 * @param {Machine} machine
 * @returns {string | null} path of the program
 */
export function findChromium({ env, platform, root, which }) {
  if (env.CHROMIUM) return env.CHROMIUM
  const installed = names.map(which)
  if (platform === 'darwin') installed.push(macApplication)
  return installed.find((path) => path !== null && starts(path)) ?? playwrightChromium(root)
}

/** A distribution may leave a stub that only says how to get the browser. @param {string} path */
const starts = (path) => spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0

/** @param {string} root */
function playwrightChromium(root) {
  const manifest = join(root, 'node_modules/playwright-core/package.json')
  if (!existsSync(manifest)) return null
  const path = createRequire(manifest)('playwright-core').chromium.executablePath()
  return existsSync(path) ? path : null
}

/** @param {Machine} machine */
async function download(machine) {
  const { root, env, superuser, which } = machine
  const cli = join(root, 'node_modules/playwright-core/cli.js')
  const libraries = superuser && which('apt-get') ? ['--with-deps'] : []
  /** @type {string[]} */
  const said = []
  const args = [cli, 'install', '--no-shell', ...libraries, 'chromium']
  const code = await follow(findNode(machine), args, { cwd: root, env }, (line) => said.push(line))
  if (code === 0) return
  throw new SetupError(
    `${said.slice(-12).join('\n')}\n\nPlaywright could not fetch its Chromium. ` +
      "Install Chromium or Chrome with your system's package manager, or set CHROMIUM to the path of one.",
  )
}
