import { mkdir, readFile } from 'node:fs/promises'
import { writeFileAtomic } from '@plugmark/shared/file-lock'
import * as v from 'valibot'
import { stateFolder, updatesFile } from '../profile/state-folder.ts'
import { type UpdateCheck, UpdateCheckSchema } from './newest.ts'

/** Shortest time between two automatic checks, in ms. */
const EVERY_MS = 6 * 60 * 60_000
/** Time before the first retry of a failed check, in ms. It doubles with each failure. */
const RETRY_MS = 15 * 60_000

const StateSchema = v.object({
  automatic: v.boolean(),
  attemptedAt: v.number(),
  failures: v.number(),
  checkedAt: v.nullable(v.number()),
  check: v.nullable(UpdateCheckSchema),
})

/** Checks for updates of one profile, as every shell of the machine sees them. */
export interface UpdateState {
  /** True if an open store checks by itself. */
  readonly automatic: boolean
  /** Time of the last attempt, ms since 1970; 0 before the first. */
  readonly attemptedAt: number
  /** Number of attempts without an answer since the last success. */
  readonly failures: number
  /** Time of the last success, ms since 1970. */
  readonly checkedAt: number | null
  readonly check: UpdateCheck | null
}

const NEVER: UpdateState = { automatic: true, attemptedAt: 0, failures: 0, checkedAt: null, check: null }

/** Reads the state of a profile's checks; that of a profile that was never checked if the file cannot be read. */
export async function readUpdateState(profile: string): Promise<UpdateState> {
  try {
    return v.parse(StateSchema, JSON.parse(await readFile(updatesFile(profile), 'utf8'), reviveMap))
  } catch {
    return NEVER
  }
}

/** Stores the state of a profile's checks. @throws when the file cannot be written */
export async function writeUpdateState(profile: string, state: UpdateState): Promise<void> {
  await mkdir(stateFolder(profile), { recursive: true })
  await writeFileAtomic(updatesFile(profile), JSON.stringify(state, replaceMap))
}

/** Returns true if an automatic check is allowed now. A clock that was set back does not delay it. */
export function isDue({ automatic, attemptedAt, failures }: UpdateState, now: number): boolean {
  const wait = failures === 0 ? EVERY_MS : Math.min(EVERY_MS, RETRY_MS * 2 ** (failures - 1))
  return automatic && Math.abs(now - attemptedAt) >= wait
}

const replaceMap = (_: string, value: unknown) => (value instanceof Map ? { entries: [...value] } : value)

function reviveMap(_: string, value: unknown): unknown {
  const isMap = typeof value === 'object' && value !== null && Object.keys(value).join() === 'entries'
  return isMap && 'entries' in value && Array.isArray(value.entries) ? new Map(value.entries) : value
}
