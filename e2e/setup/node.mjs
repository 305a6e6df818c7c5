// @ts-check
import { linkSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Links the Node of the lockfile into `node_modules/.bin`, which npm and npx put first on PATH: npm 10 leaves it out.
 *
 * @returns {boolean} false where the lockfile has none for this platform
 */
export function linkNode() {
  const isWindows = process.platform === 'win32'
  const file = isWindows ? 'node.exe' : 'node'
  const bin = join(root, 'node_modules/.bin')
  const node = join(root, `node_modules/node-${isWindows ? 'win' : process.platform}-${process.arch}`, 'bin', file)
  const found = statSync(node, { throwIfNoEntry: false })
  if (!found) return false
  if (statSync(join(bin, file), { throwIfNoEntry: false })?.ino === found.ino) return true
  mkdirSync(bin, { recursive: true })
  rmSync(join(bin, file), { force: true })
  if (isWindows) linkSync(node, join(bin, file))
  else symlinkSync(relative(bin, node), join(bin, file))
  return true
}

/** Returns true if the harness accepts this Node, which then also runs TypeScript. @param {string} version */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 19)
}

/** @throws {Error} when the Node of the machine started a test runner and is too old */
export function requireNode() {
  const { node } = process.versions
  if (isNewEnough(node)) return
  throw new Error(
    `This is Node ${node}, and 22.19 or newer is needed. \`npm run check\` fetches one; npx and npm find it then.`,
  )
}
