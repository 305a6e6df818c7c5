/** One stretch of a pattern between two `%`: `_` is any one character, an ASCII letter both its cases. */
function stretch(text: string): RegExp {
  const source = text
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('_', '.')
    .replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
  return new RegExp(source, 'gsu')
}

/**
 * Whether a text contains a pattern as SQLite's LIKE has it: `%` is any text, `_` any one character, and the case of
 * ASCII letters alone does not count.
 * The leftmost place of each stretch leaves most room for the next, so nothing is ever tried twice.
 */
export function likeMatcher(pattern: string): (text: string) => boolean {
  const stretches = pattern
    .split('%')
    .filter((part) => part !== '')
    .map(stretch)
  return (text) => {
    let at = 0
    for (const expression of stretches) {
      expression.lastIndex = at
      if (!expression.test(text)) return false
      at = expression.lastIndex
    }
    return true
  }
}
