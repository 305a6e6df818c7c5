/** The holds of a profile: plugins that stay at their version until the user ends that. */
import { isDeepStrictEqual } from 'node:util'
import { parse as parseJson } from 'jsonc-parser'
import * as v from 'valibot'
import type { Hold } from '../../protocol/index.ts'
import { readStrict, TimeSchema, update } from '../json-file.ts'
import { holdsFile } from './state-folder.ts'

/** A hold as it is stored. */
const HoldSchema = v.object({ reason: v.nullable(v.string()), since: TimeSchema, skips: v.optional(v.string()) })
const HoldsSchema = v.object({ holds: v.record(v.string(), HoldSchema) })
type StoredHold = v.InferOutput<typeof HoldSchema>

export const HOLDS = { schema: HoldsSchema, version: 1, rescue: rescueHolds }

/** Holds of a profile, by package. */
export type Holds = v.InferOutput<typeof HoldsSchema>['holds']

/** New holds, by package; null ends one. */
export const HoldChangesSchema = v.record(v.string(), v.nullable(HoldSchema))
export type HoldChanges = Readonly<Record<string, StoredHold | null>>

/** Until the holds of a profile can be read, nothing in it is updated without being named. */
export const UNKNOWN_HOLD = { reason: null, since: null, isUnknown: true } as const

/** Returns the hold of a plugin; null for none, and for a skipped update other than this one. @param holds null if unknown */
export function holdOf(holds: Holds | null, name: string, update: string | null): Hold | null {
  if (holds === null) return UNKNOWN_HOLD
  const hold = holds[name]
  return hold === undefined || (hold.skips !== undefined && hold.skips !== update) ? null : hold
}

/** Reads the holds of a profile. @throws when they cannot be read, so that any plugin may be held */
export const loadHolds = async (profile: string): Promise<Holds> =>
  // Without a prototype: a package may be called `constructor`.
  Object.assign(Object.create(null), (await readStrict(holdsFile(profile), HOLDS))?.holds)

/** Reads the holds of a profile; null when they cannot be read. Never rejects. */
export const readHolds = (profile: string): Promise<Holds | null> => loadHolds(profile).catch(() => null)

/** Changes the holds of some packages, and leaves all others. @throws when the file cannot be read or written */
export async function changeHolds(profile: string, changes: HoldChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return
  const now = await loadHolds(profile)
  // Nobody waits for the lock of a file that stays the same.
  if (Object.entries(changes).every(([name, hold]) => isDeepStrictEqual(now[name] ?? null, hold))) return
  await update(holdsFile(profile), HOLDS, (stored) => {
    const all = Object.entries({ ...stored?.holds, ...changes })
    const holds = all.filter((entry): entry is [string, StoredHold] => entry[1] !== null)
    return holds.length === 0 ? null : { holds: Object.fromEntries(holds) }
  })
}

/** Returns the whole entries of a text that ends too soon or has entries of another form; null for none. */
function rescueHolds(text: string): v.InferOutput<typeof HoldsSchema> | null {
  const found = v.safeParse(v.object({ holds: v.record(v.string(), v.unknown()) }), parseJson(text))
  const entries = Object.entries(found.success ? found.output.holds : {})
  const whole = entries.filter((entry): entry is [string, StoredHold] => v.is(HoldSchema, entry[1]))
  return whole.length === 0 ? null : { holds: Object.fromEntries(whole) }
}
