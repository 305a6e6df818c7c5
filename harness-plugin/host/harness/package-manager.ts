/** Runs the package manager itself, for changes that the harness's command line cannot make as a whole. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProcessEnd, runProcess } from '../process/run.ts'
import { homeEnvironment } from './command-line.ts'
import type { JobContext } from './job.ts'

/**
 * Deletes the note by which pnpm 11 and 12 answer "Already up to date" without a look at node_modules, also where a
 * package's folder was deleted.
 */
export async function forgetInstall(directory: string): Promise<void> {
  const modules = join(directory, 'node_modules')
  // Without node_modules there is no note.
  const names = await readdir(modules).catch((): string[] => [])
  for (const name of names) if (name.startsWith('.pnpm-workspace-state')) await rm(join(modules, name), { force: true })
}

/**
 * Runs the package manager itself: the harness's command line rejects every install while the profile has a plugin that
 * it refuses (0.2.1-rc.2), even if that is another one, and restores what was installed.
 */
export async function runPackageManager(
  context: JobContext,
  { home, directory }: { readonly home: string; readonly directory: string },
  args: readonly string[],
): Promise<{ readonly end: ProcessEnd; readonly output: readonly string[] }> {
  const { output, signal } = context
  const from = output.end()
  const end = await runProcess({
    command: ['pnpm', ...args],
    cwd: directory,
    env: homeEnvironment(context, home),
    signal,
    onText: (stream, text) => output.write(stream, text),
  })
  output.end()
  return { end, output: output.since(from) }
}
