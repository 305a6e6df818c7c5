// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasDebianPackages } from './need.mjs'
import { hasPip, installWithPip } from './pip.mjs'

/** @typedef {import('./need.mjs').Need} Need */
/** @typedef {import('../machine/machine.mjs').Machine} Machine */

/** @type {Readonly<Record<string, {sha256: string, fetch: number, disk: number}>>} by version */
const known = JSON.parse(readFileSync(new URL('../../harness/runtimes.json', import.meta.url), 'utf8'))

/**
 * Newer harnesses, each one executable from PyPI. Optional: without them, the tests that need them are skipped and say so.
 *
 * @param {string} what in a person's words
 * @param {readonly string[]} versions
 * @returns {Need}
 */
const runtimes = (what, versions) => ({
  async check(machine) {
    const missing = versions.filter((version) => !existsSync(join(folderOf(machine, version), 'complete')))
    if (missing.length === 0) return null
    const isInstallable = hasDebianPackages(machine)
    const why = notAvailable(machine, isInstallable)
    if (why) {
      machine.warn(`DeepSeek Harness ${missing.join(', ')} cannot be had here: ${why}`)
      return null
    }
    const sum = (/** @type {'fetch' | 'disk'} */ key) =>
      missing.reduce((total, version) => total + (known[version]?.[key] ?? 0), 0)
    return {
      what: `${what} ${missing.join(', ')}`,
      from: 'PyPI',
      fetch: sum('fetch'),
      disk: sum('disk'),
      ...(hasPip(machine) ? {} : { apt: ['python3', 'python3-pip'] }),
      async provide(progress) {
        for (const version of missing) {
          progress.now(version)
          await pipInstall(version, machine)
        }
      },
    }
  },
})

export const newestRuntime = runtimes('DeepSeek Harness', ['0.2.1-rc.2'])
export const allRuntimes = runtimes('DeepSeek Harness', Object.keys(known))

/** @param {Machine} machine @param {string} version */
const folderOf = ({ root }, version) => join(root, 'e2e/harness/runtimes', version)

/** @param {Machine} machine @param {boolean} isInstallable whether apt can bring pip @returns {string | null} */
function notAvailable(machine, isInstallable) {
  const { platform, arch } = machine
  if (platform !== 'linux' || arch !== 'x64')
    return `its executables are for Linux x64, and this is ${platform} ${arch}.`
  return hasPip(machine) || isInstallable ? null : 'Python 3 has no pip. Install python3-pip with your package manager.'
}

/** @param {string} version @param {Machine} machine */
async function pipInstall(version, machine) {
  const requirement = `deepseek-harness-runtime-bin==${version.replace('-rc.', 'rc')} --hash=sha256:${known[version]?.sha256}`
  const said = await installWithPip(requirement, folderOf(machine, version), machine)
  if (said !== null) machine.warn(`${said}\npip could not fetch DeepSeek Harness ${version}; its tests are skipped.`)
}
