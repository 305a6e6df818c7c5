// @ts-check
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * What set-up asks about the computer it runs on, in one place so that a test can describe another one.
 *
 * @typedef {object} Machine
 * @property {string} root the checkout, with a trailing slash
 * @property {NodeJS.Platform} platform
 * @property {string} arch as in `process.arch`
 * @property {string} distribution `ID` of /etc/os-release, or an empty string
 * @property {boolean} superuser whether it may install with the system's package manager
 * @property {NodeJS.ProcessEnv} env
 * @property {(name: string) => string | null} which where a program is on PATH
 * @property {(message: string) => void} warn tells the person something once
 */

/**
 * @param {string} root
 * @returns {Machine}
 */
export function describeMachine(root) {
  const { platform, arch, env } = process
  /** @type {Set<string>} */
  const warnings = new Set()
  return {
    root,
    platform,
    arch,
    distribution: platform === 'linux' ? distribution() : '',
    superuser: process.getuid?.() === 0,
    env,
    which: (name) => which(name, env.PATH ?? '', platform),
    warn: (message) => {
      if (!warnings.has(message)) console.warn(message)
      warnings.add(message)
    },
  }
}

function distribution() {
  try {
    return /^ID="?([a-z]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}

/**
 * @param {string} name
 * @param {string} path
 * @param {NodeJS.Platform} platform
 */
function which(name, path, platform) {
  const file = platform === 'win32' ? `${name}.exe` : name
  for (const directory of path.split(delimiter)) {
    const candidate = join(directory, file)
    try {
      accessSync(candidate, constants.X_OK)
      return candidate
    } catch {}
  }
  return null
}
