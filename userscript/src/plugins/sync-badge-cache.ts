import type { PageCatalogue } from '@plugmark/shared/catalogue'
import type { Faces } from './badge-cache.ts'
import type { FaceCode } from './badge-data.ts'
import { packFaces } from './pack.ts'
import { faceOf } from './to-badge-data.ts'

/** With more repositories the table would take more of the site's own storage than is decent. */
const MOST = 60_000

/** No copy of the index is this old: what says so is made anew. */
const NEVER = '1970-01-01T00:00:00.000Z'

export interface MakingOptions {
  readonly faces: Faces
  /** The program whose commands can be copied. */
  readonly cli: () => string
  readonly eachRepository: PageCatalogue['eachRepository']
}

/**
 * Keeps the faces in step with the copy of the index.
 *
 * @returns makes those of the copy at hand, unless they are there; given its `generated`, or null when there is none: then
 * they stay as they are
 */
export function followCopy({ faces, cli, eachRepository }: MakingOptions): (generated: string | null) => Promise<void> {
  let making: Promise<void> | null = null

  const tableOf = async (program: string, salt: number) => {
    const codes = new Map<string, FaceCode>()
    const generated = await eachRepository((repository, listings) => {
      codes.set(repository, faceOf(listings, { cli: program }))
    })
    if (generated === null) return null
    return { generated, table: codes.size > MOST ? null : await packFaces(codes, salt) }
  }

  const make = async (generated: string): Promise<void> => {
    const salt = crypto.getRandomValues(new Uint32Array(1))[0]!
    const program = cli()
    // Where not even this can be kept, the work would be for nothing, on every page.
    if (!faces.keep({ salt, cli: program, generated: NEVER, table: null })) return
    const made = await tableOf(program, salt)
    if (made === null) faces.clear()
    else if (!faces.keep({ salt, cli: program, ...made })) faces.keep({ salt, cli: program, generated, table: null })
  }

  return async (generated) => {
    // Another tab may have made them.
    if (!faces.areOf(generated)) faces.read()
    if (faces.areOf(generated)) return
    // What cannot be read may still be there; without a copy these are better than nothing.
    if (generated === null) return
    making ??= make(generated).finally(() => {
      making = null
    })
    return making
  }
}
