import { withoutStopWords } from './stop-words.ts'

/** Folds case, width, accents and compatibility forms: full-width letters are common in Chinese input. */
export function fold(text: string): string {
  // Most text is plain, and testing that is far cheaper than normalising.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase()
}

/** Loading its dictionary takes 10 ms, which a search without Chinese does not need. */
let segmenter: Intl.Segmenter | undefined

/**
 * Returns the terms of some words, folded, each once. Chinese has no spaces, so it is segmented into words. Leaves out
 * the punctuation of a sentence, and stop words when other words are left.
 */
export function termsOf(words: readonly string[]): string[] {
  const pieces = words.flatMap((word) => fold(word).match(/\p{Script=Han}+|[^\p{Script=Han}\s,;、。]+/gu) ?? [])
  const terms = pieces
    .map((piece) => piece.replace(/^["'([]+|["')\].:!?…]+$/g, ''))
    .filter((term) => /\P{P}/u.test(term))
  return [...new Set(withoutStopWords(terms.flatMap(segmented)))]
}

function segmented(piece: string): string[] {
  if (piece.length < 3 || !/\p{Script=Han}/u.test(piece)) return [piece]
  // The segmenter splits off this word, which says nothing.
  const telling = piece.replaceAll('插件', '') || piece
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  return Array.from(segmenter.segment(telling), ({ segment }) => segment)
}
