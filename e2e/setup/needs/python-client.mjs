// @ts-check
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hasDebianPackages } from './need.mjs'
import { hasPip, installWithPip } from './pip.mjs'

const REQUIREMENT =
  'dshmarketplace==0.1.0 --hash=sha256:5fd60bf3487f975ad10fc701c11b1852e42c533f7a7eb602b5e753591738bdc2'

/**
 * The directory's own client for Python. Optional: without it, its tests are skipped and say so.
 *
 * @type {import('./need.mjs').Need}
 */
export const pythonClient = {
  async check(machine) {
    const folder = join(machine.root, 'e2e/mock/python')
    if (existsSync(join(folder, 'complete'))) return null
    const isThere = hasPip(machine)
    if (!isThere && !hasDebianPackages(machine)) {
      machine.warn("The directory's Python client cannot be had here: Python 3 has no pip.")
      return null
    }
    return {
      what: "the directory's Python client",
      from: 'PyPI',
      fetch: 1,
      disk: 1,
      ...(isThere ? {} : { apt: ['python3', 'python3-pip'] }),
      async provide() {
        const said = await installWithPip(REQUIREMENT, folder, machine)
        if (said !== null) machine.warn(`${said}\npip could not fetch the Python client; its tests are skipped.`)
      },
    }
  },
}
