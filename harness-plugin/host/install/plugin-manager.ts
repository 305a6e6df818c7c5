import * as v from 'valibot'
import type { PluginManager } from '../harness/running-harness.ts'
import type { RunningJob } from '../job/context.ts'
import { endLeftovers, JOB_VARIABLE } from '../process/orphaned-processes.ts'
import type { ProcessEnd } from '../process/run-process.ts'

/**
 * How long the manager may take to end what was cancelled, in ms. Then its processes are ended and it is waited for no
 * longer: it may itself wait for the store, which the harness unloads.
 */
const CANCEL_MS = 5000

const LogSchema = v.object({ requestId: v.string(), stream: v.optional(v.string()), text: v.string() })
const ResultSchema = v.object({
  application: v.string(),
  bundle: v.optional(v.string()),
  packageResult: v.optional(v.object({ output: v.optional(v.string(), '') })),
  error: v.optional(v.object({ code: v.string(), diagnostic: v.optional(v.string(), '') })),
})
type Result = v.InferOutput<typeof ResultSchema>

const DONE: readonly string[] = ['applied', 'restart-required', 'overridden']

export interface ManagerRun {
  readonly end: ProcessEnd
  readonly output: readonly string[]
  /** Its own code for why it refused. */
  readonly refusal: string | null
  /** The package that it installed, by its own word. */
  readonly bundle: string | null
}

/** Has the harness's plugin manager do something, as part of a job. Never rejects. */
export async function callManager(
  running: RunningJob,
  manager: PluginManager,
  work: () => Promise<unknown>,
): Promise<ManagerRun> {
  const { output, signal, until, job } = running
  const from = output.end()
  let endedBy: 'timed-out' | 'cancelled' | null = signal.aborted ? 'cancelled' : null
  let kill: NodeJS.Timeout | undefined
  const gaveUp = Promise.withResolvers<Result>()
  const end = (why: 'timed-out' | 'cancelled') => {
    if (endedBy) return
    endedBy = why
    void tryCall(() => manager.cancelInstall(job.id)).catch(() => {})
    kill = setTimeout(() => {
      void endLeftovers(job.id).finally(() => gaveUp.resolve(failure('no-answer', 'It did not end.')))
    }, CANCEL_MS)
  }
  const cancel = () => end('cancelled')
  const limit = setTimeout(() => end('timed-out'), Math.max(1, until - performance.now()))
  signal.addEventListener('abort', cancel)
  let isLogged = false
  const stopLog = manager.onLog((log) => {
    const { success, output: line } = v.safeParse(LogSchema, log)
    if (!success || line.requestId !== job.id) return
    isLogged = true
    output.write(line.stream === 'stderr' ? 'err' : 'out', line.text)
  })
  // What it starts inherits this, and can be found should this process be killed.
  process.env[JOB_VARIABLE] = job.id
  try {
    const result = endedBy ? null : await Promise.race([answer(work), gaveUp.promise])
    if (result && !isLogged) output.write('out', result.packageResult?.output ?? '')
    output.end()
    const { error } = result ?? {}
    if (error && !(isLogged || result?.packageResult)) output.write('err', `${error.code}: ${error.diagnostic}`)
    output.end()
    const isDone = result !== null && DONE.includes(result.application)
    return {
      end: endedBy ? { how: endedBy, code: null } : { how: 'exited', code: isDone ? 0 : 1 },
      output: output.since(from),
      refusal: error?.code ?? null,
      bundle: result?.bundle ?? null,
    }
  } finally {
    delete process.env[JOB_VARIABLE]
    stopLog()
    for (const timer of [limit, kill]) clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

const answer = (work: () => Promise<unknown>): Promise<Result> =>
  tryCall(work).then(readResult, (error) => failure('rejected', String(error)))

/** What throws rejects. */
const tryCall = async (call: () => unknown): Promise<unknown> => call()

function readResult(result: unknown): Result {
  const read = v.safeParse(ResultSchema, result)
  return read.success ? read.output : failure('unreadable', 'The plugin manager’s answer was not understood.')
}

const failure = (code: string, diagnostic: string): Result => ({ application: 'failed', error: { code, diagnostic } })
