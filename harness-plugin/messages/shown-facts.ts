import type { Review } from '../protocol/index.ts'

/** Facts of a review that all clients have under the same name. */
type Shown = Omit<Review, 'token' | 'expiresAt' | 'riskFlags' | 'repoUrl' | 'approval'>

/**
 * Words of the facts that have a line of their own on the screen, in a terminal and in the question of an agent.
 *
 * A new fact is a field of `ReviewSchema` (protocol/review.ts), its value (host/review/review.ts), and its words under
 * `review.facts` of both languages. A new warning is one more of `cautions` there, with its sentence under
 * `review.cautions`.
 */
export type FactWords = {
  readonly [Field in keyof Shown]?: {
    readonly title: string
    /** Returns null if the value is not worth a line. An empty list has none. */
    readonly text: (value: Shown[Field], review: Shown) => string | null
  }
}

/** Returns the lines that a review has by its words. */
export function shownFacts(review: Shown, words: FactWords): { readonly title: string; readonly text: string }[] {
  return Object.entries(words).flatMap(([field, { title, text }]) => {
    const value = review[field as keyof Shown]
    const line =
      value === undefined || (Array.isArray(value) && value.length === 0) ? null : text(value as never, review)
    return line === null ? [] : [{ title, text: line }]
  })
}
