/** The reading of tarballs, in a worker with limits on time and memory. */
import { Worker } from 'node:worker_threads'
import type { ChangedFile, PackageSource } from '../../protocol/inspection.ts'
import type { Abilities } from './abilities.ts'
import type { UnpackProblem } from './package-files.ts'
import type { StatedPackage, VerifiedBuild } from './statement.ts'
import type { TracedFiles } from './trace.ts'

/** Limit on a tarball, in bytes. */
export const MAX_TARBALL_BYTES = 30_000_000
/** Time limit of reading the packages of one request, in ms. */
const LIMIT_MS = 20_000
/** Limit on the memory of a worker, in MB. */
const MEMORY_MB = 768

export type Reading =
  | (Pick<Abilities, 'abilities' | 'unread' | 'opaque' | 'scripts'> & { readonly state: 'read' })
  /** `too-slow`: it exceeded the limit on time or memory. `failed`: the worker could not start. */
  | { readonly state: UnpackProblem | 'too-slow' | 'failed' }

export type ComparedFiles =
  | { readonly state: 'read'; readonly changed: readonly ChangedFile[]; readonly more: number }
  | (Reading & { readonly state: Exclude<Reading['state'], 'read'> })

export type WorkerTask =
  | { readonly task: 'read' | 'compare'; readonly tarballs: readonly Uint8Array[] }
  | ({ readonly task: 'verify' } & StatedBuild)
  | ({ readonly task: 'trace' } & TraceTask)

/** Files of a package, and the tree that they are looked for in. */
export interface TraceTask {
  readonly tree: Uint8Array
  readonly tarball: Uint8Array
  /** Folder of the package in the tree; empty for its root. */
  readonly folder: string
}

/** What a registry answers about the build of a package. */
interface StatedBuild {
  /** JSON of any form. */
  readonly answer: unknown
  readonly stated: StatedPackage
  /** Authorities to trust. @default those of Sigstore's public service */
  readonly trustedRoot?: unknown
}

/** Reads tarballs in a worker. Never rejects. @returns one reading for each, all the same when the worker ended early */
export async function readPackages(tarballs: readonly Uint8Array[], limits: WorkerLimits): Promise<Reading[]> {
  if (tarballs.length === 0) return []
  return runWorker<Reading[]>({ task: 'read', tarballs }, limits, (state) => tarballs.map(() => ({ state })))
}

/** Compares the files of two tarballs in a worker. Never rejects. */
export const comparePackages = (before: Uint8Array, after: Uint8Array, limits: WorkerLimits): Promise<ComparedFiles> =>
  runWorker<ComparedFiles>({ task: 'compare', tarballs: [before, after] }, limits, (state) => ({ state }))

/** Verifies who built a package in a worker. Never rejects. */
export const verifyBuild = (given: StatedBuild, limits: WorkerLimits): Promise<VerifiedBuild> =>
  runWorker<VerifiedBuild>({ task: 'verify', ...given }, limits, (reason) => ({ state: 'unknown', reason }))

/** Finds the files of a package that are not in a tree, in a worker. Never rejects. */
export const traceFiles = (given: TraceTask, limits: WorkerLimits) =>
  runWorker<TracedFiles | (PackageSource & { readonly state: 'unknown' })>(
    { task: 'trace', ...given },
    limits,
    (reason) => ({ state: 'unknown', reason }),
  )

interface WorkerLimits {
  /** Ends the worker, such as when the host closes. */
  readonly signal: AbortSignal
  /** @default 20 s */
  readonly limitMs?: number
}

async function runWorker<Result>(
  task: WorkerTask,
  { signal, limitMs = LIMIT_MS }: WorkerLimits,
  toResult: (state: 'too-slow' | 'failed') => Result,
): Promise<Result> {
  if (signal.aborted) return toResult('too-slow')
  const worker = startWorker(task)
  if (worker === null) return toResult('failed')
  const { promise, resolve } = Promise.withResolvers<Result>()
  const giveUp = (state: 'too-slow' | 'failed') => resolve(toResult(state))
  const stop = () => giveUp('too-slow')
  const limit = setTimeout(stop, limitMs)
  signal.addEventListener('abort', stop)
  worker.once('message', resolve)
  worker.once('error', (error: NodeJS.ErrnoException) =>
    giveUp(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too-slow' : 'failed'),
  )
  worker.once('exit', () => giveUp('failed'))
  try {
    return await promise
  } finally {
    clearTimeout(limit)
    signal.removeEventListener('abort', stop)
    void worker.terminate()
  }
}

/** Starts the worker; null where there can be none. */
function startWorker(task: WorkerTask): Worker | null {
  // Built, it stands beside the file of the host.
  const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './inspection-worker.mjs'
  try {
    return new Worker(new URL(file, import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      // Nothing of the host's own start counts here.
      execArgv: [],
      env: {},
      stdout: true,
      stderr: true,
    })
  } catch {
    return null
  }
}
