import { readFile, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import { KeptAnswers } from '../kept-answers.ts'
import { findProgram, type ReadOptions, readStdout } from '../process/run.ts'
import { isVersion } from './requirements.ts'

type Limits = Pick<ReadOptions, 'env' | 'signal'>

/** Lifetime of a version that a program printed, in ms: a new version may keep the same program file. */
const PRINTED_MS = 10 * 60_000
const PACKAGE = '@deepseek-ai/dsh'

/** Versions that programs printed, by program and modification time of its file. */
const printed = new KeptAnswers<string | null>({ ms: PRINTED_MS, isKept: (version) => version !== null })

/**
 * Reads the version of the harness that a command starts: from package.json if the command starts a script of the
 * harness's package, otherwise from `--version`, which runs again when the program's file has changed.
 *
 * @param command program and leading arguments
 * @returns null when the program does not answer in time as the harness does
 */
export async function readHarnessVersion(command: readonly string[], limits: Limits): Promise<string | null> {
  const files = await filesOf(command, limits.env)
  for (const file of files) {
    const version = await readPackageVersion(file, PACKAGE)
    if (version !== null && isVersion(version)) return version
  }
  const key = JSON.stringify([command, await Promise.all(files.map(identify))])
  return printed.read(key, async () => {
    const text = await readStdout({ ...limits, command: [...command, '--version'], cwd: tmpdir() })
    const version = text?.trim() ?? ''
    return isVersion(version) ? version : null
  })
}

/** Returns the files that a command starts, with links resolved: its program, and the arguments that are files. */
async function filesOf([program = '', ...args]: readonly string[], env: Limits['env']): Promise<string[]> {
  const found = [await findProgram(program, env), ...args.filter(isAbsolute)]
  // A file that is gone cannot tell whether the program changed.
  const real = found.map((file) => file && realpath(file).catch(() => null))
  return (await Promise.all(real)).filter((file) => file !== null)
}

async function identify(file: string): Promise<unknown> {
  const { size, mtimeMs, ino } = await stat(file)
  return [file, size, mtimeMs, ino]
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

/** Number of parent folders of a script in which to look for its package.json. */
const MAX_FOLDERS = 6

/**
 * Reads the version of the package that a script belongs to.
 *
 * @param script absolute path, without links
 * @param name of the package
 * @returns null for a script of another package, and for a program that is not a script
 */
async function readPackageVersion(script: string, name: string): Promise<string | null> {
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
