import { fold } from './terms.ts'

/** A piece of a text; `isHit` is true if it is one of the terms. */
export interface Piece {
  readonly text: string
  readonly isHit: boolean
}

/** Splits a text at every occurrence of a term. */
export function markTerms(text: string, terms: readonly string[]): Piece[] {
  const folded = fold(text)
  // Folding may change lengths, as of ligatures; then positions do not agree.
  if (folded.length !== text.length) return [{ text, isHit: false }]
  const pieces: Piece[] = []
  let from = 0
  while (from < text.length) {
    const hits = terms.flatMap((term) => {
      const at = term === '' ? -1 : folded.indexOf(term, from)
      return at < 0 ? [] : { at, end: at + term.length }
    })
    const [next] = hits.toSorted((a, b) => a.at - b.at || b.end - a.end)
    if (next === undefined) break
    if (next.at > from) pieces.push({ text: text.slice(from, next.at), isHit: false })
    pieces.push({ text: text.slice(next.at, next.end), isHit: true })
    from = next.end
  }
  return from < text.length ? [...pieces, { text: text.slice(from), isHit: false }] : pieces
}
