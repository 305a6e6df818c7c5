// @ts-check
// `node e2e/setup/setup.mjs [name…]` fetches what is missing of the project's packages and of what is named, and names the
// programs of the system that are missing. npm runs it before each script. Plain Node 20 without a dependency: on a fresh
// clone nothing else is there.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium, findHeadlessShell } from './chromium.mjs'
import { isNewEnough, linkNode } from './node.mjs'

/**
 * @typedef {object} Need
 * @property {string} what in a user's words
 * @property {() => boolean} isThere
 * @property {() => void} [fetch] fails by leaving it missing; without it, the user installs a program of the system
 * @property {string} [apt] packages of Debian that have it
 * @property {boolean} [isOptional] all but some tests work without it
 * @property {string} [advice] what to do when it is missing
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const { platform, arch, env } = process
const isLinux = platform === 'linux' && arch === 'x64'

/** @param {string} program @param {readonly string[]} args @param {import('node:child_process').SpawnSyncOptions} options */
const succeeds = (program, args, options = {}) =>
  spawnSync(program, args, { cwd: root, stdio: 'inherit', ...options }).status === 0
/** @param {string} program @param {readonly string[]} args */
const answers = (program, ...args) => succeeds(program, args, { stdio: 'ignore' })

/** Other distributions have no such packages. */
const isDebian = () => existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))

/** By the name that set-up is asked for, in the order in which they are fetched. @type {Readonly<Record<string, Need>>} */
export const needs = {
  // Plugins that are on no registry are installed from a repository.
  git: { what: 'git', apt: 'git', isThere: () => answers('git', '--version') },
  chromium: {
    what: 'Chromium',
    apt: 'chromium',
    advice: 'Elsewhere than on Debian: npx playwright install --with-deps chromium',
    isThere: () => findChromium() !== null,
  },
  // The tests take twice the time in the whole browser.
  'headless-shell': {
    what: "Chromium's headless shell",
    apt: 'chromium-headless-shell',
    isOptional: true,
    isThere: () => !isDebian() || findHeadlessShell() !== undefined,
  },
  // Without one the browser draws boxes, in pictures and in the layout that tests measure.
  font: {
    what: 'Chinese font',
    apt: 'fonts-noto-cjk fontconfig',
    isOptional: true,
    isThere: () => platform !== 'linux' || spawnSync('fc-list', [':lang=zh', 'family']).stdout?.length > 0,
  },
  pip: {
    what: 'pip for Python 3',
    apt: 'python3 python3-pip',
    isOptional: true,
    isThere: () => answers('python3', '-m', 'pip', '--version'),
  },
  project: npmPackages('packages of the project', '.'),
  console: npmPackages('Koishi console', 'e2e/console', 'node-20-linux-x64'),
  harness: isLinux ? npmPackages('DeepSeek Harness', 'e2e/harness', 'node-22-linux-x64') : forLinux('DeepSeek Harness'),
  ...Object.fromEntries(runtimes()),
  edge: npmPackages('edge runtime', 'e2e/edge'),
  docs: npmPackages('documentation site', 'docs'),
  'python-client': pythonPackage(
    "the directory's Python client",
    'dshmarketplace==0.1.0 --hash=sha256:5fd60bf3487f975ad10fc701c11b1852e42c533f7a7eb602b5e753591738bdc2',
    'e2e/mock/python',
  ),
}

/**
 * Installs one folder with `npm ci`.
 *
 * @param {string} what
 * @param {string} folder relative to the checkout
 * @param {string} [onLinux] optional package that must be there on Linux x64
 * @returns {Need}
 */
function npmPackages(what, folder, onLinux) {
  const directory = join(root, folder)
  return {
    what,
    isThere: () =>
      isInstalled(directory) && (!onLinux || !isLinux || existsSync(join(directory, 'node_modules', onLinux))),
    fetch() {
      // The Node that started npm: ours may be among what `npm ci` removes first.
      const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = env
      const [program, ...leading] = npm?.endsWith('npm-cli.js') ? [node, npm] : ['npm']
      const options = { shell: platform === 'win32' && program === 'npm' }
      succeeds(program, [...leading, 'ci', '--loglevel=error', '--prefix', directory], options)
    },
    advice: 'See whether `npm ping` reaches your package registry and the disk has room, then run the command again.',
  }
}

/**
 * Returns true if npm installed a folder completely since its lockfile was written. npm writes `.package-lock.json` as its
 * last step, so an interrupted install has none.
 *
 * @param {string} directory that holds package-lock.json
 */
export function isInstalled(directory) {
  const installed = statSync(join(directory, 'node_modules/.package-lock.json'), { throwIfNoEntry: false })
  return installed !== undefined && installed.mtimeMs >= statSync(join(directory, 'package-lock.json')).mtimeMs
}

/**
 * Installs one package of PyPI without its dependencies; the file `complete` in its folder says that it is whole.
 *
 * @param {string} what
 * @param {string} requirement with its version and hash
 * @param {string} folder relative to the checkout
 * @returns {Need}
 */
function pythonPackage(what, requirement, folder) {
  const target = join(root, folder)
  return {
    what,
    isOptional: true,
    isThere: () => existsSync(join(target, 'complete')),
    fetch() {
      const list = join(target, 'requirements.txt')
      rmSync(target, { recursive: true, force: true })
      mkdirSync(target, { recursive: true })
      writeFileSync(list, requirement)
      const options = ['--no-cache-dir', '--no-deps', '--no-compile', '--only-binary=:all:', '--require-hashes']
      const args = ['-m', 'pip', 'install', ...options, '--target', target, '--requirement', list]
      if (succeeds('python3', args, { env: { ...env, PIP_ROOT_USER_ACTION: 'ignore' } }))
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
    const need = pythonPackage(`DeepSeek Harness ${version}`, requirement, `e2e/harness/runtimes/${version}`)
    return [version, isLinux ? need : { ...forLinux(need.what), isOptional: true }]
  })
}

/**
 * Fetches what is missing of the project's own, and names the rest.
 *
 * @param {readonly string[]} names of needs, or `all`
 * @returns {boolean} false when something is missing without which the command cannot work; what to do has been said
 */
export function setUp(names) {
  const unknown = names.filter((name) => name !== 'all' && !needs[name])
  if (unknown.length > 0) throw new Error(`Set-up knows no ${unknown}, only: all, ${Object.keys(needs).join(', ')}`)
  const asked = Object.entries(needs).filter(([name]) => names.includes('all') || names.includes(name))
  const missing = asked.map(([, need]) => need).filter((need) => !need.isThere())
  const programs = missing.filter(({ fetch }) => !fetch)
  if (programs.length > 0) console.error(`\n${whatToDo(programs)}\n`)
  // Before anything is fetched.
  if (programs.some(({ isOptional }) => !isOptional)) return false
  const fetched = missing.filter(({ fetch }) => fetch)
  if (fetched.length > 0) console.log(`Fetching what is missing here: ${fetched.map(({ what }) => what).join(', ')}.`)
  for (const { what, isThere, isOptional, fetch } of fetched) {
    console.log(`\n── ${what} ──`)
    fetch?.()
    if (!isOptional && !isThere()) break
  }
  const lacking = fetched.filter((need) => !need.isThere())
  if (lacking.length > 0) console.error(`\n${whatToDo(lacking)}\n`)
  if (lacking.some(({ isOptional }) => !isOptional)) return false
  if (linkNode() || isNewEnough(process.versions.node)) return true
  console.error(`The lockfile brings no Node for this machine, and this is ${process.version}: install 22.19 or newer.`)
  return false
}

/** Names what is missing, and the command that installs what is the system's. @param {readonly Need[]} lacking */
export function whatToDo(lacking) {
  const lines = lacking.map(({ what, advice = '', isOptional }) =>
    `Missing${isOptional ? ', optional' : ''}: ${what}. ${advice}`.trim(),
  )
  const packages = lacking.flatMap(({ apt = [] }) => apt)
  if (packages.length > 0)
    lines.push(
      'Install these with your package manager, and run the command again. On Debian:',
      `  sudo apt-get install --yes ${packages.join(' ')}`,
    )
  return lines.join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !setUp(['project', ...process.argv.slice(2)]))
  process.exitCode = 1
