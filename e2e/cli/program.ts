import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Installs the packed program with npm into an existing folder. @returns the file that npm links as `plugmark` */
export async function installProgram(tarball: string, folder: string): Promise<string> {
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const args = ['install', '--offline', '--ignore-scripts', '--no-audit', tarball]
  await promisify(execFile)('npm', args, { cwd: folder })
  return join(folder, 'node_modules/.bin/plugmark')
}

/** Writes a shell script that starts a command with these variables and its own arguments. */
export async function writeLauncher(
  file: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}\n`)
  const start = `exec ${command.map(quoted).join(' ')} "$@"\n`
  await writeFile(file, `#!/bin/sh\n${exports.join('')}${start}`, { mode: 0o755 })
}

/** Quotes a word for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
