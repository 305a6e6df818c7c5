import * as v from 'valibot'
import type { PluginManager } from '../harness/running-harness.ts'
import type { JobContext } from '../job/job-context.ts'
import { endManagersProcesses, MANAGER_VARIABLE } from '../process/orphaned-processes.ts'
import type { ProcessEnd } from '../process/run-process.ts'

/**
 * Time limit for the manager to cancel an install, in ms. After that its processes are killed and its result is not
 * awaited: it may itself wait for the store when the harness unloads the store.
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
  /** Error code of its refusal. */
  readonly refusal: string | null
  /** Package that it reports as installed. */
  readonly bundle: string | null
}

/** Calls the harness's plugin manager as part of a job, with the job's output, deadline and signal. Never rejects. */
export async function callPluginManager(
  context: JobContext,
  manager: PluginManager,
  run: () => Promise<unknown>,
): Promise<ManagerRun> {
  const { output, signal, deadline, job, directory } = context
  const from = output.end()
  let endedBy: 'timed-out' | 'cancelled' | null = signal.aborted ? 'cancelled' : null
  let kill: NodeJS.Timeout | undefined
  const timedOut = Promise.withResolvers<Result>()
  const end = (why: 'timed-out' | 'cancelled') => {
    if (endedBy) return
    endedBy = why
    void tryCall(() => manager.cancelInstall(job.id)).catch(() => {})
    kill = setTimeout(() => {
      // Other processes that the harness starts meanwhile, such as an agent's shell, inherit the variable too.
      const ended = endManagersProcesses(job.id, directory)
      void ended.finally(() => timedOut.resolve(failure('no-answer', 'It did not end.')))
    }, CANCEL_MS)
  }
  const cancel = () => end('cancelled')
  const limit = setTimeout(() => end('timed-out'), Math.max(1, deadline - performance.now()))
  signal.addEventListener('abort', cancel)
  let isLogged = false
  const stopLog = manager.onLog((log) => {
    const { success, output: line } = v.safeParse(LogSchema, log)
    if (!success || line.requestId !== job.id) return
    isLogged = true
    output.write(line.stream === 'stderr' ? 'err' : 'out', line.text)
  })
  // Processes that it starts inherit this, so that recovery finds them if this process is killed.
  process.env[MANAGER_VARIABLE] = job.id
  try {
    const result = endedBy ? null : await Promise.race([resultOf(run), timedOut.promise])
    if (result && !isLogged) output.write('out', result.packageResult?.output ?? '')
    output.end()
    const { error } = result ?? {}
    if (error && !(isLogged || result?.packageResult)) output.write('err', `${error.code}: ${error.diagnostic}`)
    output.end()
    const isDone = result !== null && DONE.includes(result.application)
    return {
      end: endedBy ? { kind: endedBy, code: null } : { kind: 'exited', code: isDone ? 0 : 1 },
      output: output.since(from),
      refusal: error?.code ?? null,
      bundle: result?.bundle ?? null,
    }
  } finally {
    delete process.env[MANAGER_VARIABLE]
    stopLog()
    for (const timer of [limit, kill]) clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

const resultOf = (run: () => Promise<unknown>): Promise<Result> =>
  tryCall(run).then(readResult, (error) => failure('rejected', String(error)))

/** Turns a synchronous error into a rejection. */
const tryCall = async (call: () => unknown): Promise<unknown> => call()

function readResult(result: unknown): Result {
  const read = v.safeParse(ResultSchema, result)
  return read.success ? read.output : failure('unreadable', 'The plugin manager’s answer was not understood.')
}

const failure = (code: string, diagnostic: string): Result => ({ application: 'failed', error: { code, diagnostic } })
