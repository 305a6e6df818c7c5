import type { Ability, CodeReading, Inspection, UnreadFile } from './inspection.ts'
import type { Past } from './review.ts'

/** Abilities of an update that the installed version lacks, as far as the files of both tell. */
export type Gains =
  | { readonly state: 'gains'; readonly abilities: readonly Ability[] }
  /** All of it was read, and nothing new was recognised. */
  | { readonly state: 'nothing' }
  /** Nothing new was recognised, but these files that differ could not be read whole. */
  | { readonly state: 'nothing-seen'; readonly unread: readonly UnreadFile[] }
  /** One of both versions was not read: `before` for the installed one, `none` where nothing was asked or answered. */
  | {
      readonly state: 'unknown'
      readonly reason: (CodeReading & { readonly state: 'unknown' })['reason'] | 'before' | 'none'
    }

/** Returns true for a change that does not continue what it replaces, or of which that is unknown. */
export const breaksWithPast = (past: Past | null): boolean =>
  past !== null && (past.breaks.length > 0 || past.unknown.some((part) => part !== 'publisher'))

/** Returns true for an update that nobody should make unseen: it gains something, or it was not read whole. */
export const isSetAside = (gains: Gains, past: Past | null): boolean =>
  breaksWithPast(past) || gains.state !== 'nothing'

/** Returns what an update gains. @param inspection null when there is none */
export function gainsOf(inspection: Pick<Inspection, 'code' | 'before'> | null): Gains {
  if (inspection?.code == null) return { state: 'unknown', reason: 'none' }
  const { code, before } = inspection
  if (code.state === 'unknown') return code
  if (before === null) return { state: 'unknown', reason: 'before' }
  const { abilities, unread } = code
  if (abilities.length > 0) return { state: 'gains', abilities }
  return unread.length > 0 ? { state: 'nothing-seen', unread } : { state: 'nothing' }
}
