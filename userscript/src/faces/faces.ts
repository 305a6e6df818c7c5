import type { PageCatalogue } from '@plugmark/shared/catalogue'
import { type FaceCode, faceOf, readFace } from './face.ts'
import { type Kept, readKept, writeKept } from './kept.ts'
import { findFace, packFaces } from './table.ts'

/** With more repositories the table would take more of the site's own storage than is decent. */
const MOST = 60_000

/** No copy of the index is this old: what says so is made anew. */
const NEVER = '1970-01-01T00:00:00.000Z'

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
  /**
   * Makes the table of the copy at hand, unless it is there.
   *
   * @param generated of that copy; null when there is none
   */
  follow(generated: string | null): Promise<void>
  clear(): void
}

export interface FacesOptions {
  /** Of the table, in the storage. */
  readonly key: string
  /** The page's own storage, which answers at once. It may throw, and so may the storage. */
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** The program whose commands can be copied. */
  readonly cli: () => string
  readonly eachRepository: PageCatalogue['eachRepository']
}

export function createFaces({ key, storage, cli, eachRepository }: FacesOptions): Faces {
  /** undefined: not read yet. */
  let kept: Kept | null | undefined
  let making: Promise<void> | null = null

  /** undefined where the storage cannot be reached. */
  const read = (): Kept | null | undefined => {
    try {
      return readKept(storage().getItem(key))
    } catch {
      return undefined
    }
  }
  const write = (next: Kept): boolean => {
    try {
      storage().setItem(key, writeKept(next))
      kept = next
      return true
    } catch {
      return false
    }
  }
  const clear = () => {
    kept = null
    try {
      storage().removeItem(key)
    } catch {
      // What cannot be reached is not read either.
    }
  }

  const tableOf = async (program: string, salt: number) => {
    const faces = new Map<string, FaceCode>()
    const generated = await eachRepository((repository, listings) => {
      faces.set(repository, faceOf(listings, { cli: program }))
    })
    if (generated === null) return null
    return { generated, table: faces.size > MOST ? null : await packFaces(faces, salt) }
  }

  const make = async (generated: string): Promise<void> => {
    const salt = crypto.getRandomValues(new Uint32Array(1))[0]!
    const program = cli()
    // Where not even this can be kept, the work would be for nothing, on every page.
    if (!write({ salt, cli: program, generated: NEVER, table: null })) return
    const made = await tableOf(program, salt)
    if (made === null) clear()
    else if (!write({ salt, cli: program, ...made })) write({ salt, cli: program, generated, table: null })
  }

  const isCurrent = (generated: string | null) => kept?.generated === generated && kept.cli === cli()
  const current = (): Kept | null => {
    if (kept === undefined) kept = read() ?? null
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
    async follow(generated) {
      // Another tab may have made it.
      if (!isCurrent(generated)) kept = read() ?? null
      if (isCurrent(generated)) return
      if (generated === null) return clear()
      making ??= make(generated).finally(() => {
        making = null
      })
      return making
    },
    clear,
  }
}
