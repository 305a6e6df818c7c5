/** Reads tarballs beside the host's thread, because parsing code keeps a processor busy: what they can do, their digests. */
import { parentPort, workerData } from 'node:worker_threads'
import { readAbilities } from './abilities.ts'
import { type CodeFacts, readCode } from './code.ts'
import { unpackPackage } from './package-files.ts'
import type { Reading } from './reading.ts'

/** Facts of each file: two versions of a package have most files in common. */
const known = new Map<string, CodeFacts | null>()
function readOnce(text: string): CodeFacts | null {
  const facts = known.get(text) ?? readCode(text)
  known.set(text, facts)
  return facts
}

async function readPackage(tarball: Uint8Array): Promise<Reading> {
  const unpacked = await unpackPackage(tarball)
  if (unpacked.state !== 'read') return unpacked
  const { files, refused, sha512, sha1 } = unpacked
  const { abilities, unread } = readAbilities(files, readOnce)
  const all = [...refused.map(({ path, reason }) => ({ file: path, reason })), ...unread]
  return { state: 'read', abilities, unread: all, sha512, sha1 }
}

const tarballs: readonly Uint8Array[] = workerData
parentPort?.postMessage(await Promise.all(tarballs.map(readPackage)))
