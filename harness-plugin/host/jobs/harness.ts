import { JOB_VARIABLE } from '../transaction/leftovers.ts'
import { type ProcessEnd, runProcess } from './process.ts'
import type { RunningJob } from './running.ts'

/** The environment of a job's processes, over one home. */
export function homeEnvironment({ settings, job }: RunningJob, home: string): Record<string, string> {
  return { ...settings.env, [settings.homeVariable]: home, [JOB_VARIABLE]: job.id }
}

/** Runs the harness's command line over a home, as part of a job. */
export async function runHarness(
  running: RunningJob,
  home: string,
  args: readonly string[],
): Promise<{ readonly end: ProcessEnd; readonly output: readonly string[] }> {
  const { settings, output, signal, until } = running
  const from = output.end()
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
