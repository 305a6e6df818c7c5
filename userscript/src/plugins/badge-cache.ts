import { type Kept, readKept, writeKept } from './badge-cache-format.ts'
import { type FaceCode, readFace } from './badge-data.ts'
import { findFace } from './table.ts'

/** What badges show, known at once: a page is marked with these before anything is read from the database. */
export interface Faces {
  /**
   * The face of a repository: null when it is not listed, undefined when that cannot be said here.
   *
   * @param repository folded `owner/repo`
   */
  find(repository: string): FaceCode | null | undefined
  /** `generated` of the copy the faces are of; null when there are none. */
  generated(): string | null
  /** Whether they are of that copy, or known not to be had of it. */
  areOf(generated: string | null): boolean
  /** Reads again what is kept: another tab may have kept something. */
  read(): void
  /** @returns whether the storage took it; what it does not take changes nothing */
  keep(next: Kept): boolean
  clear(): void
}

export interface FacesOptions {
  /** Of the table, in the storage. */
  readonly key: string
  /** The page's own storage, which answers at once. It may throw, and so may the storage. */
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** The program whose commands can be copied. */
  readonly cli: () => string
}

export function createFaces({ key, storage, cli }: FacesOptions): Faces {
  /** undefined: not read yet. */
  let kept: Kept | null | undefined

  const read = () => {
    try {
      kept = readKept(storage().getItem(key))
    } catch {
      kept = null
    }
  }
  const current = (): Kept | null => {
    if (kept === undefined) read()
    return kept?.cli === cli() ? kept : null
  }

  return {
    find(repository) {
      const faces = current()
      if (faces === null || faces.table === null) return undefined
      const code = findFace(faces.table, repository, faces.salt)
      return code === null || readFace(code) === null ? null : code
    },
    generated: () => current()?.generated ?? null,
    areOf: (generated) => kept?.generated === generated && kept.cli === cli(),
    read,
    keep(next) {
      try {
        storage().setItem(key, writeKept(next))
        kept = next
        return true
      } catch {
        return false
      }
    },
    clear() {
      kept = null
      try {
        storage().removeItem(key)
      } catch {
        // What cannot be reached is not read either.
      }
    },
  }
}
