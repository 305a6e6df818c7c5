// @ts-check
// `node e2e/setup/setup.mjs [name…]` fetches what is missing of the project's packages and of what is named. npm runs it
// before each script. Plain Node 20 without a dependency: on a fresh clone nothing else is there.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium, findHeadlessShell } from './chromium.mjs'
import { isNewEnough, linkNode } from './node.mjs'

/**
 * @typedef {object} Need
 * @property {string} what in a person's words
 * @property {() => boolean} isThere
 * @property {readonly string[]} [apt] the packages of Debian that bring it
 * @property {() => void} [bring] brings it, where apt does not; fails by leaving it missing
 * @property {boolean} [isOptional] all but some tests work without it
 * @property {string} [advice] what to do when it could not be brought
 */

const self = fileURLToPath(import.meta.url)
const root = fileURLToPath(new URL('../../', import.meta.url))
const { platform, arch, env } = process
const isLinux = platform === 'linux' && arch === 'x64'

/** @param {string} program @param {readonly string[]} args @param {import('node:child_process').SpawnSyncOptions} options */
function run(program, args, options = {}) {
  return spawnSync(program, args, { cwd: root, stdio: 'inherit', ...options }).status === 0
}
/** @param {string} program @param {readonly string[]} args */
const succeeds = (program, ...args) => run(program, args, { stdio: 'ignore' })

/** By the name that set-up is asked for, in the order in which they are brought. @type {Readonly<Record<string, Need>>} */
export const needs = {
  // Plugins that are on no registry are installed from a repository.
  git: { what: 'git', apt: ['git'], isThere: () => succeeds('git', '--version') },
  chromium: { what: 'Chromium', apt: ['chromium'], isThere: () => findChromium() !== null },
  // The tests take twice the time in the whole browser.
  'headless-shell': {
    what: "Chromium's headless shell",
    apt: ['chromium-headless-shell'],
    isOptional: true,
    isThere: () => distribution() !== 'debian' || findHeadlessShell() !== undefined,
  },
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
    isThere: () => succeeds('python3', '-m', 'pip', '--version'),
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
    bring() {
      // The Node that started npm: ours may be among what `npm ci` removes first.
      const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = env
      const [program, ...leading] = npm?.endsWith('npm-cli.js') ? [node, npm] : ['npm']
      run(program, [...leading, 'ci', '--loglevel=error', '--prefix', directory])
    },
    advice: 'See whether `npm ping` reaches your package registry and the disk has room, then run the command again.',
  }
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
    bring() {
      const list = join(target, 'requirements.txt')
      rmSync(target, { recursive: true, force: true })
      mkdirSync(target, { recursive: true })
      writeFileSync(list, requirement)
      const options = ['--no-cache-dir', '--no-deps', '--no-compile', '--only-binary=:all:', '--require-hashes']
      const args = ['-m', 'pip', 'install', ...options, '--target', target, '--requirement', list]
      if (run('python3', args, { env: { ...env, PIP_ROOT_USER_ACTION: 'ignore' } }))
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
 * Fetches what is missing.
 *
 * @param {readonly string[]} names of needs, or `all`
 * @returns {boolean} false when something is missing without which the command cannot work; what to do has been said
 */
export function setUp(names) {
  const unknown = names.filter((name) => name !== 'all' && !needs[name])
  if (unknown.length > 0) throw new Error(`Set-up knows no ${unknown}, only: all, ${Object.keys(needs).join(', ')}`)
  const asked = Object.entries(needs).filter(([name]) => names.includes('all') || names.includes(name))
  const missing = asked.map(([, need]) => need).filter((need) => !need.isThere())
  if (missing.length > 0) fetchAll(missing)

  const lacking = missing.filter((need) => !need.isThere())
  if (lacking.length > 0) console.error(`\n${whatToDo(lacking, distribution())}\n`)
  if (lacking.some(({ isOptional }) => !isOptional)) return false
  if (linkNode() || isNewEnough(process.versions.node)) return true
  console.error(`The lockfile brings no Node for this machine, and this is ${process.version}: install 22.19 or newer.`)
  return false
}

/** @param {readonly Need[]} missing */
function fetchAll(missing) {
  console.log(`Fetching what is missing here: ${missing.map(({ what }) => what).join(', ')}.`)
  const packages = aptPackages(missing)
  // Ubuntu's chromium is a stub that needs snap, so this is for Debian alone.
  if (packages.length > 0 && process.getuid?.() === 0 && distribution() === 'debian') {
    console.log(`The system's package manager installs: ${packages.join(' ')}.`)
    const options = ['-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=300', '--quiet=2']
    const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } }
    run('apt-get', [...options, 'update'], quiet)
    run('apt-get', [...options, 'install', '--yes', '--no-install-recommends', ...packages], quiet)
  }
  for (const { what, isThere, isOptional, bring } of missing) {
    if (!bring) continue
    console.log(`\n── ${what} ──`)
    bring()
    if (!isOptional && !isThere()) return
  }
}

/** @param {readonly Need[]} list */
const aptPackages = (list) => list.flatMap(({ apt = [] }) => apt)

/**
 * Says what is missing, and one command that installs it.
 *
 * @param {readonly Need[]} lacking
 * @param {string} system `ID` of its /etc/os-release
 */
export function whatToDo(lacking, system) {
  // Elsewhere Debian's Chromium goes by another name, or is a stub.
  const isPlaywrights = (/** @type {Need} */ need) => need === needs.chromium && system !== 'debian'
  const packages = aptPackages(lacking.filter((need) => !isPlaywrights(need)))
  const install = ['debian', 'ubuntu'].includes(system) ? 'sudo apt-get install --yes' : 'your package manager, for'
  const commands = [
    ...(packages.length > 0 ? [`${install} ${packages.join(' ')}`] : []),
    ...(lacking.some(isPlaywrights) ? ['npx playwright install --with-deps chromium'] : []),
  ]
  const lines = lacking.map(({ what, advice = '', isOptional }) =>
    `Missing${isOptional ? ', optional' : ''}: ${what}. ${advice}`.trim(),
  )
  if (commands.length === 0) return lines.join('\n')
  const hint = 'To install from the system, type this and run the command again:'
  return [...lines, hint, `  ${commands.join(' && ')}`].join('\n')
}

/** Returns `ID` of /etc/os-release, or an empty string. */
function distribution() {
  const file = '/etc/os-release'
  return existsSync(file) ? (/^ID="?([a-z]+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '') : ''
}

/**
 * Returns true if node_modules is what the lockfile asks for. npm writes `.package-lock.json` as its last step, so an
 * interrupted install is not.
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

if (process.argv[1] === self && !setUp(['project', ...process.argv.slice(2)])) process.exitCode = 1
