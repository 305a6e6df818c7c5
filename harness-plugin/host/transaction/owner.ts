import { hostname } from 'node:os'
import * as v from 'valibot'
import { startOf } from './process-start.ts'

/** The process that something in a profile belongs to. */
export interface Owner {
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
  host: hostname(),
  pid: process.pid,
  start: await startOf(process.pid),
})

/** Whether a process has ended; null when it is another machine's, which cannot be asked. */
export async function hasEnded(owner: Owner): Promise<boolean | null> {
  if (owner.host !== hostname()) return null
  const start = await startOf(owner.pid)
  return start === null || (owner.start !== null && start !== owner.start)
}
