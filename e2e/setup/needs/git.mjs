// @ts-check
import { SetupError } from '../errors.mjs'
import { hasDebianPackages } from './need.mjs'

/** Plugins that are on no registry are installed from a repository. @type {import('./need.mjs').Need} */
export const git = {
  async check(machine) {
    if (machine.which('git')) return null
    if (hasDebianPackages(machine)) return { what: 'git', from: 'apt-get', fetch: 25, disk: 110, apt: ['git'] }
    throw new SetupError("git is not on PATH. Install it with your system's package manager and run the command again.")
  },
}
