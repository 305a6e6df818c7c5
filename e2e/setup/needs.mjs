// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium, findHeadlessShell } from './chromium.mjs'

/**
 * @typedef {object} Need
 * @property {string} what in a person's words
 * @property {number} fetch megabytes to fetch, at most
 * @property {number} disk megabytes it takes, at most
 * @property {() => boolean} isThere
 * @property {boolean} [isOptional] whether all but some tests work without it
 * @property {readonly string[]} [apt] the packages of Debian that bring it
 * @property {() => boolean} [isPossible] whether `bring` can work on this machine
 * @property {() => void} [bring] brings it, where apt does not; fails by leaving it missing
 * @property {string} [advice] what to do when it could not be brought
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const { platform, arch, env } = process

/** @param {string} program @param {readonly string[]} args */
const succeeds = (program, ...args) => spawnSync(program, args).status === 0

/**
 * An `npm ci` in one folder.
 *
 * @param {string} what
 * @param {string} folder relative to the checkout
 * @param {number} fetch
 * @param {number} disk
 * @returns {Need}
 */
const packages = (what, folder, fetch, disk) => ({
  what,
  fetch,
  disk,
  isThere: () => isInstalled(join(root, folder)),
  isPossible: () => true,
  bring() {
    // The Node that started npm: ours may be among what `npm ci` removes first.
    const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = env
    const [program, ...leading] = npm?.endsWith('npm-cli.js') ? [node, npm] : ['npm']
    spawnSync(program, [...leading, 'ci', '--loglevel=error', '--prefix', join(root, folder)], {
      cwd: root,
      stdio: 'inherit',
    })
  },
  advice: 'See whether `npm ping` reaches your package registry and the disk has room, then run the command again.',
})

const hasPip = () => succeeds('python3', '-m', 'pip', '--version')

/**
 * One package of PyPI without its dependencies; the file `complete` in its folder says that it is whole.
 *
 * @param {string} what
 * @param {string} requirement with its version and hash
 * @param {string} folder relative to the checkout
 * @param {number} fetch
 * @param {number} disk
 * @returns {Need}
 */
const pythonPackage = (what, requirement, folder, fetch, disk) => ({
  what,
  fetch,
  disk,
  isOptional: true,
  isThere: () => existsSync(join(root, folder, 'complete')),
  isPossible: () => hasPip() || canUseApt(),
  bring() {
    const target = join(root, folder)
    const list = join(target, 'requirements.txt')
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target, { recursive: true })
    writeFileSync(list, requirement)
    const options = ['--no-cache-dir', '--no-deps', '--no-compile', '--only-binary=:all:', '--require-hashes']
    const args = ['-m', 'pip', 'install', ...options, '--target', target, '--requirement', list]
    const quiet = { ...env, PIP_ROOT_USER_ACTION: 'ignore' }
    if (spawnSync('python3', args, { stdio: 'inherit', env: quiet }).status === 0)
      writeFileSync(join(target, 'complete'), '')
  },
  advice: 'pip for Python 3 could not fetch it. Its tests are skipped.',
})

const isLinux = platform === 'linux' && arch === 'x64'
const linuxOnly = { isPossible: () => isLinux, advice: `It is for Linux x64, and this is ${platform} ${arch}.` }

/** Harnesses of today, each one executable from PyPI. @returns {[string, Need][]} */
function runtimes() {
  /** @type {Record<string, {sha256: string, fetch: number, disk: number}>} */
  const known = JSON.parse(readFileSync(join(root, 'e2e/harness/runtimes.json'), 'utf8'))
  return Object.entries(known).map(([version, { sha256, fetch, disk }]) => {
    const requirement = `deepseek-harness-runtime-bin==${version.replace('-rc.', 'rc')} --hash=sha256:${sha256}`
    const folder = `e2e/harness/runtimes/${version}`
    const need = pythonPackage(`DeepSeek Harness ${version}`, requirement, folder, fetch, disk)
    return [version, isLinux ? need : { ...need, ...linuxOnly }]
  })
}

/** By the name that set-up is asked for, in the order in which they are brought. @type {Readonly<Record<string, Need>>} */
export const needs = {
  // Plugins that are on no registry are installed from a repository.
  git: { what: 'git', apt: ['git'], fetch: 25, disk: 110, isThere: () => succeeds('git', '--version') },
  chromium: { what: 'Chromium', apt: ['chromium'], fetch: 210, disk: 740, isThere: () => findChromium() !== null },
  // The tests take twice the time in the whole browser.
  'headless-shell': {
    what: "Chromium's headless shell",
    apt: ['chromium-headless-shell'],
    fetch: 65,
    disk: 225,
    isOptional: true,
    isThere: () => distribution() !== 'debian' || findHeadlessShell() !== undefined,
  },
  // Without one the browser draws boxes, in pictures and in the layout that tests measure.
  font: {
    what: 'Chinese font',
    apt: ['fonts-noto-cjk', 'fontconfig'],
    fetch: 60,
    disk: 100,
    isOptional: true,
    isThere: () => platform !== 'linux' || spawnSync('fc-list', [':lang=zh', 'family']).stdout?.length > 0,
  },
  pip: {
    what: 'pip for Python 3',
    apt: ['python3', 'python3-pip'],
    fetch: 20,
    disk: 70,
    isOptional: true,
    isThere: hasPip,
  },
  project: packages('packages of the project', '.', 190, 460),
  console: packages('Koishi console', 'e2e/console', 30, 30),
  harness: { ...packages('DeepSeek Harness', 'e2e/harness', 146, 405), ...(isLinux ? {} : linuxOnly) },
  ...Object.fromEntries(runtimes()),
  'python-client': pythonPackage(
    "the directory's Python client",
    'dshmarketplace==0.1.0 --hash=sha256:5fd60bf3487f975ad10fc701c11b1852e42c533f7a7eb602b5e753591738bdc2',
    'e2e/mock/python',
    1,
    1,
  ),
}

/** `ID` of /etc/os-release, or an empty string. */
export function distribution() {
  try {
    return /^ID="?([a-z]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}

/** Ubuntu's chromium is a stub that needs snap, so this is for Debian alone. */
export const canUseApt = () => process.getuid?.() === 0 && distribution() === 'debian'

/**
 * Whether node_modules is what the lockfile asks for. npm writes `.package-lock.json` as its last step, so an interrupted
 * install is not, and one that somebody made by hand or copied is.
 *
 * @param {string} directory that holds package-lock.json
 */
export function isInstalled(directory) {
  const hidden = join(directory, 'node_modules/.package-lock.json')
  if (!existsSync(hidden)) return false
  const installed = lockedPackages(hidden)
  const wanted = lockedPackages(join(directory, 'package-lock.json'))
  return (
    Object.keys(installed).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, { version, integrity, optional, devOptional, peer }]) => {
      const there = installed[path]
      // Builds for other platforms stay out.
      if (!there) return optional || devOptional || peer
      return there.version === version && there.integrity === integrity
    })
  )
}

/**
 * @typedef {{version?: string, integrity?: string, optional?: boolean, devOptional?: boolean, peer?: boolean}} Locked
 * @param {string} file
 * @returns {Record<string, Locked>} by the path of the folder; without the workspaces' own folders
 */
function lockedPackages(file) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.fromEntries(Object.entries(packages).filter(([path]) => /(^|\/)node_modules\//.test(path)))
}
