import { readFile, readlink, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import * as v from 'valibot'
import { startOf } from './process-start.ts'

/** How often an owner shows that it is still there, to those who cannot ask for its process. */
const BEAT_MS = 10_000
const SILENT_MS = 60_000

/** The process that something in a profile belongs to. */
export interface Owner {
  /** Where its pid can be asked for. */
  readonly host: string
  readonly pid: number
  /** When that process started; tells it from another one that got its pid. Null where that cannot be told. */
  readonly start: string | null
}

export const OwnerSchema: v.GenericSchema<unknown, Owner> = v.object({
  host: v.string(),
  pid: v.pipe(v.number(), v.integer()),
  start: v.nullable(v.string()),
})

export const thisProcess = async (): Promise<Owner> => ({
  host: await thisHost(),
  pid: process.pid,
  start: await startOf(process.pid),
})

/**
 * On Linux the boot and the pid namespace: a machine may change its name, and containers may share one. Elsewhere the
 * host's name.
 */
async function thisHost(): Promise<string> {
  try {
    const [boot, namespace] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readlink('/proc/self/ns/pid'),
    ])
    return `${boot.trim()} ${namespace}`
  } catch {
    return hostname()
  }
}

/** Whether a process has ended; null when it is another host's, which cannot be asked. */
async function hasEnded(owner: Owner): Promise<boolean | null> {
  if (owner.host !== (await thisHost())) return null
  const start = await startOf(owner.pid)
  return start === null || (owner.start !== null && start !== owner.start)
}

/**
 * Shows by a file's time that its owner is still there.
 *
 * @returns ends that
 */
export function keepAlive(path: string): () => void {
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), BEAT_MS).unref()
  return () => clearInterval(beat)
}

/**
 * Whether the owner of a file is gone: its process has ended, or it cannot be asked and was silent for a minute. A
 * machine that slept is silent too; on that machine the process itself is asked.
 *
 * @param owner null when the file does not say
 */
export async function isAbandoned(path: string, owner: Owner | null): Promise<boolean> {
  const ended = owner && (await hasEnded(owner))
  if (ended !== null) return ended
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > SILENT_MS
}
