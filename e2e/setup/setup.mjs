// @ts-check
// `node e2e/setup/setup.mjs [name…]` brings what is missing of the packages of the project and of what is named. npm runs
// it before each script. Plain Node 20 without a dependency, because on a fresh clone nothing else is there yet.
import { spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { canUseApt, distribution, needs } from './needs.mjs'
import { isNewEnough, linkNode } from './node.mjs'

/** @typedef {import('./needs.mjs').Need} Need */

const self = fileURLToPath(import.meta.url)

/**
 * Says what it fetches and how much disk that takes, then fetches it.
 *
 * @param {readonly string[]} names of needs, or `all`
 * @returns {boolean} false when something is missing without which the command cannot work; what to do has been said
 */
export function setUp(names) {
  const unknown = names.filter((name) => name !== 'all' && !needs[name])
  if (unknown.length > 0) throw new Error(`Set-up knows no ${unknown}, only: all, ${Object.keys(needs).join(', ')}`)
  const isAsked = (/** @type {string} */ name) => names.includes('all') || names.includes(name)
  const asked = Object.keys(needs)
    .filter(isAsked)
    .map((name) => /** @type {Need} */ (needs[name]))

  const missing = asked.filter((need) => !need.isThere())
  const brought = missing.filter(({ apt, isPossible }) => (apt ? canUseApt() : isPossible?.()))
  if (brought.length > 0) {
    const { bavail, bsize } = statfsSync(self)
    console.log(announcement(brought, (bavail * bsize) / 1e9))
    bring(brought)
  }
  const lacking = missing.filter((need) => !need.isThere())
  if (lacking.length > 0) console.error(`\n${whatToDo(lacking, distribution())}\n`)
  if (lacking.some(({ isOptional }) => !isOptional)) return false
  if (linkNode() || isNewEnough(process.versions.node)) return true
  console.error(`The lockfile brings no Node for this machine, and this is ${process.version}: install 22.19 or newer.`)
  return false
}

/** @param {readonly Need[]} missing */
function bring(missing) {
  const apt = packagesOf(missing)
  if (apt.length > 0) {
    aptGet('update', '--quiet=2')
    aptGet('install', '--yes', '--no-install-recommends', ...apt)
  }
  for (const { what, isThere, isOptional, bring } of missing) {
    if (!bring) continue
    console.log(`\n── ${what} ──`)
    bring()
    if (!isOptional && !isThere()) return
  }
}

/** @param {readonly string[]} args */
function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=300', ...args], { env, stdio: 'inherit' })
}

/** @param {readonly Need[]} list */
const packagesOf = (list) => list.flatMap(({ apt = [] }) => apt)

/**
 * @param {readonly Need[]} missing
 * @param {number} free gigabytes
 */
export function announcement(missing, free) {
  const apt = packagesOf(missing)
  const rows = apt.length > 0 ? [{ what: "Debian's lists of packages", fetch: 10, disk: 90 }, ...missing] : missing
  const width = Math.max(...rows.map(({ what }) => what.length))
  const line = (/** @type {string} */ what, /** @type {number} */ fetch, /** @type {number} */ disk) =>
    `  ${what.padEnd(width)} ${`${fetch} MB to fetch`.padStart(15)} ${`${disk} MB on disk`.padStart(15)}`
  const sum = (/** @type {'fetch' | 'disk'} */ key) => rows.reduce((total, row) => total + row[key], 0)
  return [
    'Missing here, and fetched now:',
    ...rows.map(({ what, fetch, disk }) => line(what, fetch, disk)),
    `${line('', sum('fetch'), sum('disk'))} in all, at most; ${free.toFixed(0)} GB are free`,
    ...(apt.length > 0 ? [`The system's package manager will install: ${apt.join(' ')}`] : []),
  ].join('\n')
}

/**
 * @param {readonly Need[]} lacking
 * @param {string} system `ID` of its /etc/os-release
 */
export function whatToDo(lacking, system) {
  // Elsewhere Debian's Chromium goes by another name, or is a stub.
  const isPlaywrights = (/** @type {Need} */ need) => need === needs.chromium && system !== 'debian'
  const apt = packagesOf(lacking.filter((need) => !isPlaywrights(need)))
  const install = ['debian', 'ubuntu'].includes(system) ? 'sudo apt-get install --yes' : 'your package manager, for'
  const commands = [
    ...(apt.length > 0 ? [`${install} ${apt.join(' ')}`] : []),
    ...(lacking.some(isPlaywrights) ? ['npx playwright install --with-deps chromium'] : []),
  ]
  return [
    ...lacking.map(
      ({ what, advice, isOptional }) =>
        `Missing${isOptional ? ', optional' : ''}: ${[`${what}.`, ...(advice ? [advice] : [])].join(' ')}`,
    ),
    ...(commands.length > 0 ? ['To install from the system, type this and run the command again:'] : []),
    ...(commands.length > 0 ? [`  ${commands.join(' && ')}`] : []),
  ].join('\n')
}

if (process.argv[1] === self && !setUp(['project', ...process.argv.slice(2)])) process.exitCode = 1
