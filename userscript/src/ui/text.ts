/**
 * Characters that are not seen and change what is: controls, marks that turn the direction of writing, and spaces and
 * joints without width. Tab, line feed and carriage return are white space.
 */
const UNSEEN = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

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
