// @ts-check
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../errors.mjs'
import { follow } from '../machine/child.mjs'
import { countPackages, isInstalled } from './installed.mjs'

/**
 * An `npm ci` in one folder.
 *
 * @param {string} what
 * @param {string} folder relative to the checkout
 * @param {{fetch: number, disk: number}} size in megabytes
 * @param {(machine: import('./need.mjs').Machine) => string | null} [refuse] why it cannot be had on a machine
 * @returns {import('./need.mjs').Need}
 */
export const packages = (what, folder, size, refuse = () => null) => ({
  async check(machine) {
    const directory = join(machine.root, folder)
    if (isInstalled(directory)) return null
    const reason = refuse(machine)
    if (reason) throw new SetupError(reason)
    return { what, from: 'npm', ...size, provide: (progress) => npmCi(directory, machine, progress) }
  },
})

export const deps = packages('packages of the project', '.', { fetch: 190, disk: 460 })

export const koishi = packages('Koishi console', 'e2e/console', { fetch: 30, disk: 30 })

export const harness = packages('DeepSeek Harness', 'e2e/harness', { fetch: 146, disk: 405 }, ({ platform, arch }) =>
  platform === 'linux' && arch === 'x64'
    ? null
    : `The harness can be installed on Linux x64 only, and this is ${platform} ${arch}. \`npm start -- --no-harness\` does without it.`,
)

/**
 * @param {string} directory
 * @param {import('./need.mjs').Machine} machine
 * @param {import('./need.mjs').Progress} progress
 */
async function npmCi(directory, machine, progress) {
  const { env } = machine
  const total = countPackages(directory, machine)
  let fetched = 0
  /** @type {string[]} */
  const said = []
  const [program, ...leading] = npmCommand(env)
  const args = [...leading, 'ci', '--loglevel', 'http', '--no-audit', '--no-fund']
  const code = await follow(program, args, { cwd: directory, env: withoutOuterNpm(env) }, (line) => {
    if (!line.startsWith('npm http ')) return said.push(line)
    if (line.includes('.tgz')) progress.now(`${++fetched} of ${total} packages fetched`)
  })
  if (code === 0) return
  throw new SetupError(
    `${said.slice(-12).join('\n')}\n\n\`npm ci\` failed in ${directory}.\n` +
      'See whether `npm ping` reaches your package registry and the disk has room, then run the command again.',
  )
}

/** The npm that runs us, else the one on PATH. @param {NodeJS.ProcessEnv} env @returns {[string, ...string[]]} */
function npmCommand({ npm_execpath }) {
  return npm_execpath?.endsWith('npm-cli.js') && existsSync(npm_execpath) ? [process.execPath, npm_execpath] : ['npm']
}

/** What an outer `npm run` tells its scripts about itself would be taken for our own settings. @param {NodeJS.ProcessEnv} env */
function withoutOuterNpm(env) {
  const ours = Object.entries(env).filter(
    ([name]) => !/^npm_(package|lifecycle|config_local_prefix|command)/.test(name),
  )
  return Object.fromEntries(ours)
}
