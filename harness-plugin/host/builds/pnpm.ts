import { runProcess } from '../jobs/process.ts'

const LIMIT_MS = 20_000

/** How a version of pnpm is told which build scripts may run. Sources: pnpm's releases 10.19 and 11.0. */
export interface BuildSetting {
  /** Of pnpm-workspace.yaml. */
  readonly name: 'onlyBuiltDependencies' | 'allowBuilds'
  /** Whether a key can be of one version. */
  readonly versions: boolean
}

/** The setting that the pnpm goes by that the harness would start over a profile. */
export async function buildSetting(
  directory: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<BuildSetting> {
  let text = ''
  await runProcess({
    command: ['pnpm', '--version'],
    cwd: directory,
    env,
    timeLimitMs: LIMIT_MS,
    signal,
    onText: (stream, more) => {
      if (stream === 'out') text += more
    },
  })
  return settingOf(text)
}

export function settingOf(version: string): BuildSetting {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)\./.exec(version.trim())?.map(Number) ?? []
  if (major >= 11) return { name: 'allowBuilds', versions: true }
  return { name: 'onlyBuiltDependencies', versions: major === 10 && minor >= 19 }
}
