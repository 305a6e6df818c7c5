import { access, constants, readFile, stat } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'

type Environment = Readonly<Record<string, string>>

/** Returns true if a program is an absolute path or on PATH, and an executable file. */
export const programExists = async (program: string, env: Environment): Promise<boolean> =>
  (await findProgram(program, env)) !== null

/** Finds the file that a shell would start by this name; links are not followed. */
export async function findProgram(
  program: string,
  env: Environment,
  platform = process.platform,
): Promise<string | null> {
  const folders = isAbsolute(program) ? [''] : (env.PATH ?? env.Path ?? '').split(delimiter)
  // Try the name itself first, because it may already have an extension.
  const endings = platform === 'win32' ? ['', ...(env.PATHEXT ?? '.EXE').toLowerCase().split(';')] : ['']
  const candidates = folders.flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
  const found = await Promise.all(
    candidates.map((file) => isRunnable(file, platform === 'win32' && endings.length > 1 ? endings.slice(1) : null)),
  )
  return candidates[found.indexOf(true)] ?? null
}

/**
 * Script that a `.cmd` of npm or pnpm passes its arguments to, relative to its folder. Source: cmd-shim 3 to 8,
 * observed.
 */
const SCRIPT_OF_SHIM = /"%(?:~dp0|dp0%)\\?([^"%]+\.[cm]?js)"\s+%\*/

/**
 * Returns the command to spawn. On Windows npm and pnpm install a program as a `.cmd`, which only a shell can start,
 * and a shell would interpret the arguments, so the script behind the `.cmd` is started instead.
 *
 * @returns the same command if it can be spawned or no script is found
 */
export async function toSpawnable(
  command: readonly string[],
  env: Environment,
  platform = process.platform,
): Promise<readonly string[]> {
  const [program = '', ...args] = command
  if (platform !== 'win32') return command
  const file = await findProgram(program, env, platform)
  if (file === null || !/\.cmd$/i.test(file)) return command
  const script = SCRIPT_OF_SHIM.exec(await readFile(file, 'utf8').catch(() => ''))?.[1]
  if (script === undefined) return command
  // Prefer the node.exe beside the shim, as the shim does.
  const node = join(dirname(file), 'node.exe')
  return [(await isRunnable(node, null)) ? node : 'node', join(dirname(file), ...script.split('\\')), ...args]
}

/** @param endings extensions of files that Windows can run; null on systems without them */
async function isRunnable(file: string, endings: readonly string[] | null): Promise<boolean> {
  if (endings !== null && !endings.some((ending) => file.toLowerCase().endsWith(ending))) return false
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
