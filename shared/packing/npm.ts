import { execFile } from 'node:child_process'
import { platform as hostPlatform } from 'node:os'
import { promisify } from 'node:util'

/**
 * Runs npm and returns what it prints. On Windows npm is a batch file, which only a shell can start.
 *
 * @param args without double quotes
 */
export async function runNpm(
  args: readonly string[],
  { cwd, platform = hostPlatform() }: { readonly cwd?: string; readonly platform?: NodeJS.Platform } = {},
): Promise<string> {
  const { stdout } =
    platform === 'win32'
      ? await promisify(execFile)(['npm.cmd', ...args.map((arg) => `"${arg}"`)].join(' '), { cwd, shell: true })
      : await promisify(execFile)('npm', args, { cwd })
  return stdout
}
