// @ts-check
import { spawnSync } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { follow } from '../machine/child.mjs'

/** @typedef {import('../machine/machine.mjs').Machine} Machine */

/** @param {Machine} machine */
export function hasPip({ which, env }) {
  const python = which('python3')
  return python !== null && spawnSync(python, ['-m', 'pip', '--version'], { env }).status === 0
}

/**
 * Installs one package without its dependencies; the file `complete` in its folder says that it is whole.
 *
 * @param {string} requirement with its version and hash
 * @param {string} folder
 * @param {Machine} machine
 * @returns {Promise<string | null>} what pip said last, when it failed
 */
export async function installWithPip(requirement, folder, machine) {
  const target = `${folder}.part`
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  await writeFile(join(target, 'requirements.txt'), `${requirement}\n`)
  const options = ['--disable-pip-version-check', '--no-cache-dir', '--no-deps', '--no-compile', '--only-binary=:all:']
  /** @type {string[]} */
  const said = []
  const args = ['-m', 'pip', 'install', ...options, '--require-hashes', '--target', target]
  const code = await follow(
    'python3',
    [...args, '--requirement', join(target, 'requirements.txt')],
    { cwd: machine.root, env: machine.env },
    (line) => said.push(line),
  )
  if (code !== 0) return said.slice(-5).join('\n')
  await rm(folder, { recursive: true, force: true })
  await rename(target, folder)
  await writeFile(join(folder, 'complete'), '')
  return null
}
