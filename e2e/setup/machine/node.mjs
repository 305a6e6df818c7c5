// @ts-check
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { SetupError } from '../errors.mjs'

/** What the harness asks for; it also runs TypeScript as it stands. */
const oldest = { major: 22, minor: 19 }

/**
 * The Node that runs everything of ours: the one that the lockfile brings, else the one that runs now if it is new
 * enough. It is found by its package, not in `node_modules/.bin`, because npm 10 leaves it out there.
 *
 * @param {Pick<import('./machine.mjs').Machine, 'root' | 'platform' | 'arch'>} machine
 * @returns {string} path of the program
 */
export function findNode({ root, platform, arch }) {
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const locked = join(root, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node')
  if (spawnSync(locked, ['--version']).status === 0) return locked
  if (isNewEnough(process.versions.node)) return process.execPath
  throw new SetupError(
    `The lockfile brings no Node for ${platform} ${arch}, and this is Node ${process.versions.node}.\n` +
      `Install Node ${oldest.major}.${oldest.minor} or newer and run the command again.`,
  )
}

/** @param {string} version */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor)
}
