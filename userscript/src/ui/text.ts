/**
 * Returns text of the catalogue in a form that is safe to show: replaces characters that could make it look like
 * another text by `�`.
 *
 * These are invisible characters with an effect: controls, and Unicode's format characters, such as marks that change
 * the direction of writing. Keeps those that are part of words, flags and Arabic numbers, and white space.
 */
export function displayText(text: string): string {
  if (isPlain(text)) return text
  // Not a constant: compiling this pattern takes as long as three badges do, so it happens only when it is needed.
  const unseen = /(?![\t\n\r\xad\u200c\u0600-\u0605\u06dd\u{e0020}-\u{e007f}]|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
  return text.toWellFormed().replace(unseen, '\ufffd')
}

/** Returns true for plain ASCII. Most text is, and this test is cheaper than the pattern. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}
