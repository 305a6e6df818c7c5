import type { Outcome } from '../../bridge/index.ts'
import { blockedBuilds } from '../builds/blocked.ts'
import { isVersion } from '../harness/requirements.ts'
import { askProgram } from '../process/ask.ts'
import { JOB_VARIABLE } from '../process/orphaned-processes.ts'
import { type ProcessEnd, runProcess } from '../process/run-process.ts'
import { programExists } from '../process/which.ts'
import type { RunningJob } from './context.ts'

/**
 * In a trial's home files get no second name, as the package manager gives them by default: a harness that runs from
 * the profile (0.2) takes that for a change of what it has loaded. pnpm 10 reads the first, pnpm 11 the second.
 */
const COPYING = {
  npm_config_package_import_method: 'clone-or-copy',
  pnpm_config_package_import_method: 'clone-or-copy',
}

/** The environment of a job's processes, over one home. */
export function homeEnvironment({ settings, job }: RunningJob, home: string): Record<string, string> {
  const importing = home === settings.home ? {} : COPYING
  return { ...settings.env, ...importing, [settings.homeVariable]: home, [JOB_VARIABLE]: job.id }
}

/** How long the harness may take to say its version, ms. A machine may be busy. */
const VERSION_MS = 30_000
/** Commands that were seen to start the harness. */
const known = new WeakSet<readonly string[]>()

/**
 * Whether the command starts the harness. One that nobody configured may be any program: Debian has a `dsh` of its own.
 * That it cannot be started at all is told by its start.
 */
async function isHarness({ settings, signal, until }: RunningJob, home: string): Promise<boolean> {
  const { command, env } = settings
  if (!settings.isCommandGuessed || known.has(command)) return true
  if (!(await programExists(command[0] ?? '', env))) return true
  const limit = Math.min(until, performance.now() + VERSION_MS)
  const answer = await askProgram([...command, '--version'], home, { env, signal, until: limit })
  const isIt = isVersion(answer?.trim() ?? '')
  if (isIt) known.add(command)
  return isIt || signal.aborted
}

/** Runs the harness's command line over a home, as part of a job. */
export async function runHarness(
  running: RunningJob,
  home: string,
  args: readonly string[],
): Promise<{ readonly end: ProcessEnd; readonly output: readonly string[] }> {
  const { settings, output, signal, until } = running
  const from = output.end()
  if (!(await isHarness(running, home))) {
    output.write('err', `${settings.command.join(' ')} does not answer --version as the harness does.\n`)
    output.end()
    return { end: { how: 'not-harness', code: null }, output: output.since(from) }
  }
  const end = await runProcess({
    command: [...settings.command, ...args],
    cwd: home,
    env: homeEnvironment(running, home),
    timeLimitMs: Math.max(1, until - performance.now()),
    signal,
    onText: (stream, text) => output.write(stream, text),
  })
  output.end()
  return { end, output: output.since(from) }
}

/** Notes the build scripts that stopped a job, as long as what it left tells of them. */
export async function noteBlocked(running: RunningJob, outcome: Outcome, home: string, profile: string): Promise<void> {
  const { signal, order, onBlocked } = running
  const options = { profile, env: homeEnvironment(running, home), signal, allowed: order.approval }
  const blocked = await blockedBuilds(outcome, options)
  if (blocked) onBlocked(blocked)
}
