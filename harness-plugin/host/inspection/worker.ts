/** Reads tarballs beside the host's thread, because parsing code keeps a processor busy. */
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { VersionDiff } from '../../protocol/inspection.ts'
import { readAbilities } from './abilities.ts'
import { readCode } from './code/read-code.ts'
import { diffFiles, unreadFiles } from './file-diff.ts'
import { unpackPackage } from './package-files.ts'
import type { Reading, WorkerMessage, WorkerTask } from './workers.ts'

/** Facts of each file: two versions of a package have most files in common. */
const known = new Map<string, ReturnType<typeof readCode>>()
function readOnce(text: string): ReturnType<typeof readCode> {
  const facts = known.get(text) ?? readCode(text)
  known.set(text, facts)
  return facts
}

async function readPackage(tarball: Uint8Array, isRepository: boolean): Promise<Reading> {
  const unpacked = await unpackPackage(tarball)
  if (unpacked.state !== 'read') return unpacked
  const { files, refused } = unpacked
  const { roles: _roles, unread, ...abilities } = readAbilities(files, { isRepository, parse: readOnce })
  const all = [...refused.map(({ path, reason }) => ({ file: path, reason, digest: '' })), ...unread]
  const digests = [...files].map(([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')} ${path}`)
  return { state: 'read', ...abilities, unread: all, digests }
}

async function diffPackages([before, after]: readonly Uint8Array[]): Promise<VersionDiff['files']> {
  const [old, now] = await Promise.all([unpackPackage(before!), unpackPackage(after!)])
  if (old.state !== 'read') return { state: 'unknown', reason: old.state }
  if (now.state !== 'read') return { state: 'unknown', reason: now.state }
  const { files, more } = diffFiles(old.files, now.files)
  return { state: 'read', changed: [...unreadFiles(old.refused, now.refused), ...files], more }
}

const send = (message: WorkerMessage) => parentPort?.postMessage(message)

async function run(given: WorkerTask): Promise<void> {
  if (given.task === 'verify') {
    // Few packages have a statement of their build.
    const { verifyBuild } = await import('./statement.ts')
    send({ result: await verifyBuild(given.answer, given.stated, given.trustedRoot) })
  } else if (given.task === 'diff') send({ result: await diffPackages(given.tarballs) })
  // Each is sent at once: the next one may be too much for this worker.
  else for (const tarball of given.tarballs) send({ result: await readPackage(tarball, given.isRepository) })
  send('end')
}

// An error that it throws ends the worker, and its task with it.
parentPort?.on('message', (task: WorkerTask) => void run(task))
