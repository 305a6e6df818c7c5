import type { PluginRecord, Verdict } from '@plugmark/shared/contract'
import { fold } from '../query/fold.ts'

/** What is known of one listing. */
export interface Entry {
  /** Its record but for the address, which depends on where it is served. */
  readonly record: Omit<PluginRecord, 'url'>
  /** `/plugins/<slug>`, or null when the listing has no page. */
  readonly path: string | null
  /** What `q` searches: full name, both summaries, description. */
  readonly texts: readonly (string | null | undefined)[]
}

/**
 * One listing of the catalogue. Ordering and counting need its stars and its verdict only; the rest is worked out when
 * it is asked for, so that a server of a large catalogue listens at once.
 */
export class Listing {
  readonly stars: number
  readonly verdict: Verdict | null
  readonly #derive: () => Entry
  #entry: Entry | undefined
  #searched: readonly string[] | undefined

  constructor(stars: number, verdict: Verdict | null, derive: () => Entry) {
    this.stars = stars
    this.verdict = verdict
    this.#derive = derive
  }

  #known(): Entry {
    this.#entry ??= this.#derive()
    return this.#entry
  }

  get record(): Entry['record'] {
    return this.#known().record
  }

  get path(): string | null {
    return this.#known().path
  }

  /** The texts that `q` searches, folded as `q` is. */
  get searched(): readonly string[] {
    this.#searched ??= this.#known()
      .texts.filter((text) => text != null)
      .map(fold)
    return this.#searched
  }
}
