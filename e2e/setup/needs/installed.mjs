// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The fields of an entry of package-lock.json that are compared here.
 *
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [link]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {boolean} [peer]
 * @property {string | readonly string[]} [os]
 * @property {string | readonly string[]} [cpu]
 */

/** @typedef {Readonly<Record<string, LockedPackage>>} LockedPackages */

/**
 * Where what is installed differs from what the lockfile asks for. npm writes what it installed into
 * `node_modules/.package-lock.json` as its last step, so an interrupted install differs everywhere, and one that somebody
 * made by hand does not.
 *
 * @param {LockedPackages} wanted `packages` of package-lock.json
 * @param {LockedPackages} installed `packages` of node_modules/.package-lock.json
 * @returns {string[]} paths of packages
 */
export function differences(wanted, installed) {
  const paths = new Set([...Object.keys(wanted), ...Object.keys(installed)].filter(isInstallPath))
  return [...paths].filter((path) => !agrees(wanted[path], installed[path]))
}

/** The rest are the workspaces' own folders. @param {string} path */
const isInstallPath = (path) => /(^|\/)node_modules\//.test(path)

/**
 * @param {LockedPackage | undefined} wanted
 * @param {LockedPackage | undefined} installed
 */
function agrees(wanted, installed) {
  if (!wanted) return false
  // Builds for other platforms stay out.
  if (!installed) return Boolean(wanted.optional || wanted.devOptional || wanted.peer)
  return (
    wanted.version === installed.version &&
    wanted.integrity === installed.integrity &&
    Boolean(wanted.link) === Boolean(installed.link)
  )
}

/**
 * @param {string} directory that holds package-lock.json
 * @returns {boolean} whether its node_modules is what the lockfile asks for, and still there
 */
export function isInstalled(directory) {
  const hidden = join(directory, 'node_modules/.package-lock.json')
  if (!existsSync(hidden)) return false
  const installed = readPackages(hidden)
  const wanted = readPackages(join(directory, 'package-lock.json'))
  return (
    differences(wanted, installed).length === 0 &&
    Object.keys(installed).every((path) => existsSync(join(directory, path)))
  )
}

/**
 * How many packages an install will fetch: those of the lockfile that are for this platform.
 *
 * @param {string} directory that holds package-lock.json
 * @param {{platform: string, arch: string}} machine
 */
export function countPackages(directory, { platform, arch }) {
  const fits = (/** @type {LockedPackage} */ { os = platform, cpu = arch, link }) =>
    !link && [os].flat().includes(platform) && [cpu].flat().includes(arch)
  const packages = Object.entries(readPackages(join(directory, 'package-lock.json')))
  return packages.filter(([path, entry]) => isInstallPath(path) && fits(entry)).length
}

/**
 * @param {string} file
 * @returns {LockedPackages}
 */
const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
