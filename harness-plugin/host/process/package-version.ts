import { readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { findProgram, type ReadOptions, readStdout } from './run.ts'

/** Number of parent folders of a script in which to look for its package.json. */
const MAX_FOLDERS = 6

/**
 * Reads the version of the package that a script belongs to.
 *
 * @param script absolute path, without links
 * @param name of the package
 * @returns null for a script of another package, and for a program that is not a script
 */
export async function readPackageVersion(script: string, name: string): Promise<string | null> {
  if (!/\.[cm]?js$/.test(script)) return null
  const schema = v.pipe(v.string(), v.parseJson(), v.object({ name: v.literal(name), version: v.string() }))
  let folder = dirname(script)
  for (let level = 0; level < MAX_FOLDERS; level++, folder = dirname(folder)) {
    // No package.json in this folder: the next one up may have it.
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null)
    const parsed = v.safeParse(schema, text)
    if (parsed.success) return parsed.output.version
  }
  return null
}

/**
 * Reads the version of the pnpm on PATH: from its package.json, or from `--version` where it is not a script of that
 * package, which takes a second.
 *
 * @returns null when there is none, or it does not answer
 */
export async function readPnpmVersion(limits: Omit<ReadOptions, 'command'>): Promise<string | null> {
  const path = await findProgram('pnpm', limits.env)
  if (path === null) return null
  // A program that was deleted meanwhile has no version.
  const script = await realpath(path).catch(() => path)
  const version = await readPackageVersion(script, 'pnpm')
  return version ?? ((await readStdout({ ...limits, command: ['pnpm', '--version'] }))?.trim() || null)
}
