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
    .flatMap(segmented)
  const telling = terms.filter((term) => !isStopWord(term))
  return [...new Set(telling.length > 0 ? telling : terms)]
}

/** Number of letters from which on a word is stemmed. */
const STEMMED_LENGTH = 4
/** A syllable ends where consonants follow vowels. Porter calls their number the measure of a word. */
const syllablesIn = (word: string): number => word.match(/[aeiouy]+[^aeiouy]/g)?.length ?? 0
/** `not` is not the stem of `note`: its only syllable is short. */
const isShort = (word: string): boolean => /^[^aeiouy]*[aeiouy][^aeiouywx]$/.test(word)

/**
 * Returns the stem of an English word: `backs`, `backed` and `backing` are `back`. Takes off the endings of Porter's
 * algorithm that leave the meaning: of number, of time, and of who or what does something.
 */
export function stemOf(word: string): string {
  if (word.length < STEMMED_LENGTH || !/^[a-z]+$/.test(word)) return word
  let stem = word
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x|zz)es$/, '')
    .replace(/(?<=[^sui])s$/, '')
  const timeless = stem.replace(/(?:(?<!e)ed|ing)$/, '')
  if (timeless !== stem && syllablesIn(`${timeless}t`) > 0) stem = isShort(timeless) ? `${timeless}e` : timeless
  const doing = stem.replace(/(?:er|or|(?<=[st])ion|ment)$/, '')
  if (syllablesIn(doing) > 1) stem = doing
  if (stem.endsWith('e') && !isShort(stem.slice(0, -1)) && syllablesIn(stem.slice(0, -1)) > 0) stem = stem.slice(0, -1)
  return stem.replace(/(?<=[^lsz])y$/, 'i').replace(/([bdgmnprt])\1$/, '$1')
}

function segmented(piece: string): string[] {
  if (piece.length < 3 || !/\p{Script=Han}/u.test(piece)) return [piece]
  // The segmenter splits off this word, which says nothing.
  const telling = piece.replaceAll('插件', '') || piece
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  return Array.from(segmenter.segment(telling), ({ segment }) => segment)
}

/** Words of sentences and requests that say nothing about the purpose of a plugin. */
const STOP_WORDS = new Set(
  `a about across after all also am an and any anything are as at be been being before but by can cannot could did do
  does doing dont during each else every everything find for from get gets give gives got had has have help helps
  her here him his how i if im in into is isnt it its just kind know let lets like look looking looks made make makes
  making may me might more most much must my need needs no not nothing of off on once one only or other our out over
  own please plugin plugins put same see should so some somebody someone something such than that thats the their them
  then there these they thing things this those through to too up us use used uses using very via want wants was way we
  were what when where whether which while who why will with within without would you your
  的 了 吗 呢 吧 啊 我 你 它 他 她 我们 你们 他们 想 要 想要 需要 让 一个 一些 有 有没有 没有 什么 怎么 如何 可以 能 能够
  会 帮 帮我 帮助 请 给 把 和 与 或 在 是 这 那 这个 那个 个 种 用 使用 用来 用于 时 时候 当 后 之后 之间 里 中 上 下 跨
  都 也 就 还 插件 东西 寻找 找 某个 某种 它们 自己`
    .split(/\s+/)
    .filter(Boolean),
)

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word.replaceAll(/['’]/g, ''))
