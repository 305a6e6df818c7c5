/** The reading of a tarball: what its files can do, and their digests. It happens in a worker with limits. */
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { type Abilities, readAbilities } from './abilities.ts'
import { type UnpackProblem, unpackPackage } from './package-files.ts'

/** Time limit of reading the packages of one request, in ms. */
const LIMIT_MS = 20_000
/** Limit on the memory of a worker, in MB. */
const MEMORY_MB = 768

export interface PackageFile {
  readonly path: string
  readonly sizeBytes: number
  /** Name of its contents in Git, in hexadecimal digits. */
  readonly blob: string
}

export type Reading =
  | (Abilities & {
      readonly state: 'read'
      readonly sha512: string
      readonly sha1: string
      readonly files: readonly PackageFile[]
    })
  /** `too-slow`: it exceeded the limit on time or memory. `failed`: the worker could not start. */
  | { readonly state: UnpackProblem | 'too-slow' | 'failed' }

/** Reads a tarball. Never rejects. */
export async function readPackage(tarball: Uint8Array): Promise<Reading> {
  const unpacked = await unpackPackage(tarball)
  if (unpacked.state !== 'read') return unpacked
  const { files, refused, sha512, sha1 } = unpacked
  const list = [...files].map(([path, bytes]) => ({ path, sizeBytes: bytes.length, blob: blobOf(bytes) }))
  const { unread, ...abilities } = readAbilities(files)
  const all = [...refused.map(({ path, reason }) => ({ file: path, reason })), ...unread]
  return { state: 'read', ...abilities, unread: all, sha512, sha1, files: list }
}

const blobOf = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

/** Reads tarballs in a worker. Never rejects. @returns one reading for each, all the same when the worker ended early */
export function readPackages(tarballs: readonly Uint8Array[], limitMs = LIMIT_MS): Promise<Reading[]> {
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
  return promise.finally(() => {
    clearTimeout(limit)
    void worker.terminate()
  })
}
