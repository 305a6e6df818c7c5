import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import type { Activation, Outcome } from '../../protocol/index.ts'
import type { JobContext } from '../harness/job.ts'
import type { PluginManager, RunningHarness } from '../harness/running-harness.ts'
import { endManagersProcesses, MANAGER_VARIABLE } from '../process/orphaned-processes.ts'
import type { ProcessEnd } from '../process/run.ts'
import { abortKind } from '../process/run.ts'
import type { ProfileState } from '../profile/state.ts'

/** Time limit for the manager to cancel an install, in ms. After that its processes are killed. */
const CANCEL_MS = 5000
/**
 * Time limit for it to notice that, and to restore the profile itself, in ms: it must not do so during or after our
 * rollback. After that its result is not awaited, as it may itself wait for the store when the harness unloads the store.
 */
const SETTLE_MS = 5000

const LogSchema = v.object({ requestId: v.string(), stream: v.optional(v.string()), text: v.string() })
const ResultSchema = v.object({
  application: v.string(),
  bundle: v.optional(v.string()),
  packageResult: v.optional(v.object({ output: v.optional(v.string(), '') })),
  error: v.optional(v.object({ code: v.string(), diagnostic: v.optional(v.string(), '') })),
})
type Result = v.InferOutput<typeof ResultSchema>

const DONE: readonly string[] = ['applied', 'restart-required', 'overridden']

interface ManagerRun {
  readonly end: ProcessEnd
  readonly output: readonly string[]
  /** Error code of its refusal. */
  readonly refusal: string | null
  /** Package that it reports as installed. */
  readonly bundle: string | null
}

/** Calls the harness's plugin manager as part of a job, with the job's output and signal. Never rejects. */
export async function callPluginManager(
  context: JobContext,
  manager: PluginManager,
  run: () => Promise<unknown>,
): Promise<ManagerRun> {
  const { output, signal, job, directory } = context
  const from = output.end()
  let endedBy = signal.aborted ? abortKind(signal) : null
  let kill: NodeJS.Timeout | undefined
  const timedOut = Promise.withResolvers<Result>()
  const cancel = () => {
    endedBy = abortKind(signal)
    // It may not know the install any more.
    void tryCall(() => manager.cancelInstall(job.id)).catch(() => {})
    kill = setTimeout(async () => {
      // Other processes that the harness starts meanwhile, such as an agent's shell, inherit the variable too.
      await endManagersProcesses(job.id, directory)
      kill = setTimeout(() => timedOut.resolve(failure('no-answer', 'It did not end.')), SETTLE_MS)
    }, CANCEL_MS)
  }
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
    clearTimeout(kill)
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

/** Time limit for a running harness to apply a change of its profile, in ms; 0.2.1 takes less than 4 s. */
const APPLY_MS = 10_000
const POLL_MS = 100

/** Watches how a job changes the harness that runs from its profile. Call this before the profile changes. */
export function watchActivation({
  harness,
  signal,
  settings: { ownPackage },
}: Pick<JobContext, 'harness' | 'signal' | 'settings'>) {
  const before = new Set(harness?.activeRows().map(({ instance }) => instance))

  /** Resolves with true once the condition is true, or with false after the time limit. */
  async function waitUntil(condition: (harness: RunningHarness) => boolean): Promise<boolean> {
    if (!harness?.isLive) return false
    for (const until = performance.now() + APPLY_MS; ; await pause(POLL_MS)) {
      if (condition(harness)) return true
      if (signal.aborted || performance.now() >= until) return false
    }
  }

  async function afterChange({ kind, activation }: Outcome, name: string | null): Promise<Activation> {
    if (activation === 'unchanged' || name === null) return activation
    // The store's own new version cannot run beside the one that watches.
    if (name === ownPackage) return 'restart'
    if (kind !== 'removed' && kind !== 'disabled') {
      const isNew = (rows: Rows) => rows.length > 0 && rows.every(({ instance }) => !before.has(instance))
      return (await waitUntil((harness) => isNew(rowsOf(harness, name)))) ? 'live' : 'restart'
    }
    if (!(await waitUntil((harness) => rowsOf(harness, name).length === 0))) return 'restart'
    return (await waitUntil((harness) => !harness.pageModules().includes(name))) ? 'live' : 'restart-for-page'
  }

  return {
    /**
     * @param outcomes of each change
     * @param names of their packages
     * @returns the activation that holds for all changes
     */
    async afterCommit(outcomes: readonly Outcome[], names: readonly (string | null)[]): Promise<Activation> {
      const each = await Promise.all(outcomes.map((outcome, index) => afterChange(outcome, names[index] ?? null)))
      return LEAST_FIRST.find((activation) => each.includes(activation)) ?? 'unchanged'
    },
    /** Returns the activation after a rollback, once the harness has reverted the changes that it had applied. */
    async afterRollback(profile: ProfileState | null, names: readonly string[]): Promise<Activation> {
      if (!harness?.isLive || profile === null) return 'unchanged'
      const isLayer = (name: string) => profile.manifest.bundles.includes(name)
      const isReverted = await waitUntil((harness) =>
        names.every((name) => rowsOf(harness, name).length > 0 === isLayer(name)),
      )
      return isReverted ? 'unchanged' : 'restart'
    },
  }
}

const LEAST_FIRST: readonly Activation[] = ['restart', 'restart-for-page', 'live']

type Rows = ReturnType<RunningHarness['activeRows']>

const rowsOf = (harness: RunningHarness, name: string): Rows =>
  harness
    .activeRows()
    .filter(
      ({ module }) => module === name || module.startsWith(`${name}/`) || module.includes(`/node_modules/${name}/`),
    )
