/** The reading of tarballs, in a worker with limits on time and memory. */
import { Worker } from 'node:worker_threads'
import type { Abilities } from './abilities.ts'
import type { UnpackProblem } from './package-files.ts'

/** Limit on a tarball, in bytes. */
export const MAX_TARBALL_BYTES = 30_000_000
/** Time limit of reading the packages of one request, in ms. */
const LIMIT_MS = 20_000
/** Limit on the memory of a worker, in MB. */
const MEMORY_MB = 768

export type Reading =
  | (Pick<Abilities, 'abilities' | 'unread'> & {
      readonly state: 'read'
      /** Digests of the tarball: `sha512-…` as in a lockfile, and the one of older registries in hexadecimal digits. */
      readonly sha512: string
      readonly sha1: string
    })
  /** `too-slow`: it exceeded the limit on time or memory. `failed`: the worker could not start. */
  | { readonly state: UnpackProblem | 'too-slow' | 'failed' }

/** Reads tarballs in a worker. Never rejects. @returns one reading for each, all the same when the worker ended early */
export async function readPackages(tarballs: readonly Uint8Array[], limitMs = LIMIT_MS): Promise<Reading[]> {
  if (tarballs.length === 0) return []
  const { promise, resolve } = Promise.withResolvers<Reading[]>()
  const giveUp = (state: 'too-slow' | 'failed') => resolve(tarballs.map(() => ({ state })))
  // Built, it stands beside the file of the host.
  const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './inspection-worker.mjs'
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: tarballs,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    // Nothing of the host's own start counts here.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
  })
  const limit = setTimeout(() => giveUp('too-slow'), limitMs)
  worker.once('message', resolve)
  worker.once('error', (error: NodeJS.ErrnoException) =>
    giveUp(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too-slow' : 'failed'),
  )
  worker.once('exit', () => giveUp('failed'))
  try {
    return await promise
  } finally {
    clearTimeout(limit)
    void worker.terminate()
  }
}
