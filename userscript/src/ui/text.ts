/**
 * Characters that are not seen and change what is: controls, and what Unicode calls format, such as marks that turn the
 * direction of writing. Not those that belong to words, flags and Arabic numbers, nor white space.
 */
const UNSEEN = /(?![\t\n\r\xad\u200c\u0600-\u0605\u06dd\u{e0020}-\u{e007f}]|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text of the catalogue as it may be shown: whatever could make it look like another text is seen as `�`. */
export const displayText = (text: string): string =>
  isPlain(text) ? text : text.toWellFormed().replace(UNSEEN, '\ufffd')

/** Most text is, and to see that is cheaper than the pattern, which every page would have to compile. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}
