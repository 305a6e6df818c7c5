import { createHash } from 'node:crypto'
import { fitCautions } from '../protocol/fit.ts'
import type { ReviewData } from './published.ts'

export type Place = { readonly profile: string; readonly home: string; readonly directory: string | null }

/** Returns the digest of reviews and their place: another review or another profile has another digest. */
export const digestOf = (reviews: readonly ReviewData[], place: Place): string =>
  hash(
    // What was read of a package is about its version, which the digest has.
    reviews.map(({ compatibility, inspection: _, missing: __, ...review }) => [review, packageFacts(compatibility)]),
    place,
  )

/**
 * Returns true if a digest agrees to these reviews. Accepts a digest from a time when the packages could not be read,
 * unless there is a warning now: a slow machine does not change the facts.
 */
export function agreesTo(digest: string, reviews: readonly ReviewData[], place: Place): boolean {
  if (digest === digestOf(reviews, place)) return true
  const hasNewWarning = reviews.some(({ compatibility }) => fitCautions(compatibility).length > 0)
  return (
    !hasNewWarning &&
    digest ===
      digestOf(
        reviews.map((review) => ({ ...review, compatibility: null })),
        place,
      )
  )
}

/**
 * Returns the compatibility facts of a package and the harness; null unless both could be read. A trial that ended
 * meanwhile is no other fact.
 */
const packageFacts = (fit: ReviewData['compatibility']) =>
  fit === null || fit.state === 'unknown' ? null : { ...fit, trial: null }

const hash = (facts: unknown, { profile, home, directory }: Place): string =>
  createHash('sha256')
    .update(JSON.stringify([directory, home, profile, facts]))
    .digest('hex')
