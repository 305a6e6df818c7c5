/**
 * Text of the catalogue as it may be shown: whatever could make it look like another text is seen as `�`.
 *
 * That is what is not seen and changes what is: controls, and what Unicode calls format, such as marks that turn the
 * direction of writing. Not what belongs to words, flags and Arabic numbers, nor white space.
 */
export function displayText(text: string): string {
  if (isPlain(text)) return text
  // Not a constant: a browser reads a pattern when it comes to it, which for this one takes as long as three badges do.
  const unseen = /(?![\t\n\r\xad\u200c\u0600-\u0605\u06dd\u{e0020}-\u{e007f}]|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
  return text.toWellFormed().replace(unseen, '\ufffd')
}

/** Most text is, and to see that is cheaper than the pattern. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}
