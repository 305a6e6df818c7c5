/** Case, width, accents and compatibility forms folded: full-width letters are common in Chinese input. */
export function fold(text: string): string {
  // Most text is plain, and to find that out is far cheaper than to normalise it.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase()
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/**
 * The terms of some words, folded, each once. Chinese is written without spaces, so it is parted into its words; each
 * of them must be found, wherever it stands. Punctuation of a sentence is no part of a term.
 */
export function termsOf(words: readonly string[]): string[] {
  const pieces = words.flatMap((word) => fold(word).match(/\p{Script=Han}+|[^\p{Script=Han}\s,;、。]+/gu) ?? [])
  const terms = pieces
    .map((piece) => piece.replace(/^["'([]+|["')\].:!?…]+$/g, ''))
    .filter((term) => /\P{P}/u.test(term))
  return [...new Set(terms.flatMap(parted))]
}

function parted(piece: string): string[] {
  if (piece.length < 3 || !/\p{Script=Han}/u.test(piece)) return [piece]
  return Array.from(segmenter.segment(piece), ({ segment }) => segment)
}
