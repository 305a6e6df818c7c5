import { runProcess } from '../process/run-process.ts'

const LIMIT_MS = 20_000

/** How a version of pnpm is told which build scripts may run. Sources: pnpm's releases 10.19 and 11.0. */
export interface BuildSetting {
  /** Of pnpm-workspace.yaml. */
  readonly name: 'onlyBuiltDependencies' | 'allowBuilds'
  /** Whether a key can be of one version. */
  readonly versions: boolean
}

/**
 * The setting that the pnpm goes by that the harness would start over a profile.
 *
 * @returns null when it does not say which version it is
 */
export async function buildSetting(
  directory: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<BuildSetting | null> {
  let text = ''
  const { code } = await runProcess({
    command: ['pnpm', '--version'],
    cwd: directory,
    env,
    timeLimitMs: LIMIT_MS,
    signal,
    onText: (stream, more) => {
      if (stream === 'out') text += more
    },
  })
  return code === 0 ? settingOf(text) : null
}

export function settingOf(version: string): BuildSetting | null {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)\.\d/.exec(version.trim())?.map(Number) ?? []
  // Before 10.0 every script runs unless it is forbidden: nothing is blocked there.
  if (major < 10) return null
  if (major >= 11) return { name: 'allowBuilds', versions: true }
  return { name: 'onlyBuiltDependencies', versions: minor >= 19 }
}
