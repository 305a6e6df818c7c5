/** Reads packages beside the host's thread: parsing code keeps a processor busy for a second. */
import { parentPort, workerData } from 'node:worker_threads'
import { readPackage } from './reading.ts'

const tarballs: readonly Uint8Array[] = workerData
const readings = []
for (const tarball of tarballs) readings.push(await readPackage(tarball))
parentPort?.postMessage(readings)
