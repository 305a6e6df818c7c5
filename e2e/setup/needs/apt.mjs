// @ts-check
import { existsSync, readdirSync } from 'node:fs'
import { SetupError } from '../errors.mjs'
import { follow } from '../machine/child.mjs'

const lists = '/var/lib/apt/lists'

/**
 * @param {readonly string[]} packages Debian's names
 * @param {import('./need.mjs').Machine} machine
 * @param {import('./need.mjs').Progress} progress
 */
export async function aptInstall(packages, machine, progress) {
  // A list that is there may be too old to name what the mirrors still have, so a failure is worth a second try.
  const fresh = !hasLists()
  if (fresh) await update(machine, progress)
  let failure = await install(packages, machine, progress)
  if (failure && !fresh) {
    await update(machine, progress)
    failure = await install(packages, machine, progress)
  }
  if (!failure) return
  throw new SetupError(
    `${failure}\n\napt-get could not install ${packages.join(' ')}.\n` +
      'Install them yourself, then run the command again.',
  )
}

/**
 * A container image usually comes without the lists, so they are part of what has to be fetched.
 *
 * @returns {import('./need.mjs').Lack | null}
 */
export const missingLists = () =>
  hasLists() ? null : { what: 'lists of packages', from: 'apt-get update', fetch: 10, disk: 90 }

const hasLists = () => existsSync(lists) && readdirSync(lists).some((name) => name.includes('_Packages'))

/**
 * @param {import('./need.mjs').Machine} machine
 * @param {import('./need.mjs').Progress} progress
 */
async function update(machine, progress) {
  progress.now('reading the lists of packages')
  await aptGet(['update'], machine, () => {})
}

/**
 * @param {readonly string[]} packages
 * @param {import('./need.mjs').Machine} machine
 * @param {import('./need.mjs').Progress} progress
 * @returns {Promise<string | null>} the last it said, when it failed
 */
async function install(packages, machine, progress) {
  let total = 0
  /** @type {Record<string, number>} */
  const counts = {}
  const args = ['install', '--yes', '--no-install-recommends', ...packages]
  return await aptGet(args, machine, (line) => {
    const [, upgraded, added] = /^(\d+) upgraded, (\d+) newly installed/.exec(line) ?? []
    if (upgraded) total = Number(upgraded) + Number(added)
    const phase = phases.find(([beginning]) => line.startsWith(beginning))?.[1]
    if (!phase) return
    counts[phase] = (counts[phase] ?? 0) + 1
    progress.now(`${counts[phase]} of ${total} packages ${phase}`)
  })
}

/** How the lines of apt-get begin while it works, and what it is doing. */
const phases = /** @type {const} */ ([
  ['Get:', 'fetched'],
  ['Unpacking ', 'unpacked'],
  ['Setting up ', 'set up'],
])

/**
 * @param {readonly string[]} args
 * @param {import('./need.mjs').Machine} machine
 * @param {(line: string) => void} onLine
 * @returns {Promise<string | null>}
 */
async function aptGet(args, { root, env }, onLine) {
  /** @type {string[]} */
  const said = []
  const options = ['-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=300']
  const quiet = { ...env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }
  const code = await follow('apt-get', [...options, ...args], { cwd: root, env: quiet }, (line) => {
    said.push(line)
    onLine(line)
  })
  return code === 0 ? null : said.slice(-12).join('\n')
}
