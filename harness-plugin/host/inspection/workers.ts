/** The reading of tarballs, in at most two workers with limits on time and memory. The others wait for their turn. */
import { Worker } from 'node:worker_threads'
import type { VersionDiff } from '../../protocol/inspection.ts'
import { waitFor } from '../process/run.ts'
import type { Abilities } from './abilities.ts'
import type { UnpackProblem } from './package-files.ts'
import type { StatedPackage, VerifiedBuild } from './statement.ts'

/** Limit on a tarball, in bytes. */
export const MAX_TARBALL_BYTES = 30_000_000
/** Time limit of reading the packages of one request, in ms. */
const LIMIT_MS = 20_000
/** Limit on the memory of a worker, in MB. */
const MEMORY_MB = 768
/** Deeper than the stack of a program that runs the code: what an engine can run can be read. */
const STACK_MB = 16
const MOST_WORKERS = 2

export type Reading =
  | (Omit<Abilities, 'roles'> & {
      readonly state: 'read'
      /** Of each file, before its path. */
      readonly digests: readonly string[]
    })
  /** `too-slow`: it exceeded the limit on time or memory. `failed`: the worker could not start. */
  | { readonly state: UnpackProblem | 'too-slow' | 'failed' }

export type WorkerTask =
  | { readonly task: 'read'; readonly tarballs: readonly Uint8Array[]; readonly isRepository: boolean }
  | { readonly task: 'diff'; readonly tarballs: readonly Uint8Array[] }
  | ({ readonly task: 'verify' } & StatedBuild)

/** Answer of a registry about the build of a package. */
interface StatedBuild {
  /** JSON of any form. */
  readonly answer: unknown
  readonly stated: StatedPackage
  /** Authorities to trust. @default those of Sigstore's public service */
  readonly trustedRoot?: unknown
}

/**
 * Reads tarballs in a worker. Never rejects.
 *
 * @param given.isRepository true for the files of commits, which the package manager builds. @default false
 * @returns one reading for each, in their order; when the worker ended early, those that it had read stay
 */
export async function readPackages(
  tarballs: readonly Uint8Array[],
  { isRepository = false, ...limits }: WorkerLimits & { readonly isRepository?: boolean },
): Promise<Reading[]> {
  if (tarballs.length === 0) return []
  const { results, end } = await runTask<Reading>({ task: 'read', tarballs, isRepository }, limits)
  return tarballs.map((_, index) => results[index] ?? { state: end })
}

/** Compares the files of two tarballs in a worker. Never rejects. */
export async function diffPackages(
  before: Uint8Array,
  after: Uint8Array,
  limits: WorkerLimits,
): Promise<VersionDiff['files']> {
  const { results, end } = await runTask<VersionDiff['files']>({ task: 'diff', tarballs: [before, after] }, limits)
  return results[0] ?? { state: 'unknown', reason: end }
}

/** Verifies who built a package in a worker. Never rejects. */
export async function verifyBuild(given: StatedBuild, limits: WorkerLimits): Promise<VerifiedBuild> {
  const { results, end } = await runTask<VerifiedBuild>({ task: 'verify', ...given }, limits)
  return results[0] ?? { state: 'unknown', reason: end }
}

interface WorkerLimits {
  /** Ends the worker, such as when the host closes. */
  readonly signal: AbortSignal
  /** From when its turn comes. @default 20 s */
  readonly limitMs?: number
}

/** Message of a worker: each result of its task, then `end`. */
export type WorkerMessage = { readonly result: unknown } | 'end'

/** Ending of a task: `failed` stands for what has no result at the end of its worker. */
type TaskEnd = 'too-slow' | 'failed'

const waiting: (() => void)[] = []
let running = 0

/** Resolves with true when a worker may run. */
async function takeTurn(): Promise<true> {
  if (running < MOST_WORKERS) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  return true
}

/** Passes the turn on. */
function endTurn(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}

async function runTask<Result>(
  task: WorkerTask,
  { signal, limitMs = LIMIT_MS }: WorkerLimits,
): Promise<{ readonly results: readonly Result[]; readonly end: TaskEnd }> {
  const results: Result[] = []
  const turn = takeTurn()
  if (!(await waitFor(turn, signal))) {
    void turn.then(endTurn)
    return { results, end: 'too-slow' }
  }
  const { promise, resolve } = Promise.withResolvers<TaskEnd>()
  const stop = () => resolve('too-slow')
  const limit = setTimeout(stop, limitMs)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  let worker: Worker | null = null
  try {
    worker = startWorker()
    worker.on('message', (message: WorkerMessage) => {
      if (message === 'end') resolve('failed')
      else results.push(message.result as Result)
    })
    worker.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too-slow' : 'failed'),
    )
    worker.on('exit', () => resolve('failed'))
    worker.postMessage(task)
  } catch {
    // There can be no worker here, or it cannot be given the task.
    resolve('failed')
  }
  const end = await promise
  clearTimeout(limit)
  signal.removeEventListener('abort', stop)
  void Promise.resolve(worker?.terminate()).finally(endTurn)
  return { results, end }
}

function startWorker(): Worker {
  // Built, it stands beside the file of the host.
  const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './inspection-worker.mjs'
  return new Worker(new URL(file, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: STACK_MB },
    // Nothing of the host's own start counts here.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
  })
}
