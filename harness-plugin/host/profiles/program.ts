import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

/** Whether a program can be started: it is an absolute path or on PATH, and a file that may be run. */
export async function programExists(program: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  if (isAbsolute(program)) return isRunnable(program)
  const path = env.PATH ?? env.Path ?? ''
  const endings = process.platform === 'win32' ? (env.PATHEXT ?? '.EXE').split(';') : ['']
  const candidates = path.split(delimiter).flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
  const found = await Promise.all(candidates.map(isRunnable))
  return found.includes(true)
}

async function isRunnable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
