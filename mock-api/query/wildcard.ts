/** One stretch of a pattern between two `%`; `_` in it is any one character. */
function stretch(text: string): RegExp {
  const source = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('_', '.')
  return new RegExp(source, 'gsu')
}

/**
 * Whether a text contains a pattern in which `%` is any text and `_` any one character, as a database's LIKE has it.
 * The leftmost place of each stretch leaves most room for the next, so nothing is ever tried twice.
 */
export function wildcardMatcher(pattern: string): (text: string) => boolean {
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
