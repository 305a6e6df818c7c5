import { runProcess } from './run-process.ts'

const MAX_LENGTH = 1_000_000
/** A program that only answers has nothing to put in order. ms */
const GRACE_MS = 200

/** What questions to programs have in common. */
export interface Asking {
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** When their time is over, by `performance.now()`. */
  readonly until: number
}

/** What a program writes on its standard output; null unless it ends in time and with 0. */
export async function askProgram(
  command: readonly string[],
  cwd: string,
  { env, signal, until }: Asking,
): Promise<string | null> {
  let text = ''
  const end = await runProcess({
    command,
    cwd,
    env,
    signal,
    timeLimitMs: Math.max(1, until - performance.now()),
    graceMs: GRACE_MS,
    onText: (stream, more) => {
      if (stream === 'out' && text.length < MAX_LENGTH) text += more
    },
  })
  return end.how === 'exited' && end.code === 0 ? text : null
}
