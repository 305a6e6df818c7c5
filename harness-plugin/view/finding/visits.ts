import { fold } from '../../search/terms.ts'

const KEY = 'plugmark-visits'
/** A page that is opened again within this time belongs to the same visit. */
const VISIT_MS = 8 * 60 * 60_000
/** Most new listings that are kept. */
const MOST_FRESH = 500

/** What this browser keeps between visits. */
interface Kept {
  /** Address of the directory. */
  readonly directory: string
  /** Start of the latest visit, and of the one before; null when there was none. ms since 1970 */
  readonly at: number
  readonly before: number | null
  /** Hashes of every listing that was here, 4 bytes each, in base64. */
  readonly seen: string
  /** Ids of the listings that are new at the latest visit. */
  readonly fresh: readonly string[]
}

export interface News {
  /** Listings that were not here at the visit before; empty at the first visit. */
  readonly fresh: ReadonlySet<string>
  /** Start of the visit before; null at the first visit. ms since 1970 */
  readonly since: number | null
}

/**
 * Tells which listings are new since the last visit, and records that all of them were here.
 *
 * @param ids every listing of the directory
 * @param now ms since 1970
 */
export function recordVisit(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  { directory, ids, now }: { readonly directory: string; readonly ids: readonly string[]; readonly now: number },
): News {
  const kept = read(storage, directory)
  const seen = new Set(kept?.hashes)
  const added = kept ? ids.filter((id) => !seen.has(hash(id))) : []
  const isSameVisit = kept !== null && now - kept.at < VISIT_MS
  const before = isSameVisit ? kept.before : (kept?.at ?? null)
  // What came during the first visit is not new since an earlier one.
  const fresh = before === null ? [] : [...(isSameVisit ? kept!.fresh : []), ...added].slice(-MOST_FRESH)
  for (const id of ids) seen.add(hash(id))
  const next: Kept = { directory, at: isSameVisit ? kept.at : now, before, seen: textOf(seen), fresh }
  try {
    storage.setItem(KEY, JSON.stringify(next))
  } catch {
    // A full or forbidden storage: nothing is told as new next time.
  }
  return { fresh: new Set(fresh), since: before }
}

/** Reads what is kept; null when there is nothing of this directory, or it is damaged. */
function read(storage: Pick<Storage, 'getItem'>, directory: string): (Kept & { readonly hashes: Uint32Array }) | null {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? 'null') as Kept | null
    const isSound =
      kept?.directory === directory &&
      typeof kept.at === 'number' &&
      (kept.before === null || typeof kept.before === 'number') &&
      typeof kept.seen === 'string' &&
      Array.isArray(kept.fresh)
    return isSound ? { ...kept, hashes: hashesOf(kept.seen) } : null
  } catch {
    return null
  }
}

/** Returns the FNV-1a hash of an id, 32 bits. */
function hash(id: string): number {
  let value = 0x811c9dc5
  const text = fold(id)
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

function textOf(hashes: ReadonlySet<number>): string {
  const bytes = new Uint8Array(Uint32Array.from(hashes).buffer)
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** @throws when the text is not base64 */
function hashesOf(text: string): Uint32Array {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4))
}
