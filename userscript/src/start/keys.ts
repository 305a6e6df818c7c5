/** `keyCode` of a key that an input method handles. Safari ends a composition with it while `isComposing` is false. */
const COMPOSING_KEY = 229

/** Returns 1 for the keys that lead to the next badge, -1 for those to the one before, null for all others. */
export function stepOf(event: KeyboardEvent): 1 | -1 | null {
  if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey) return null
  if (event.isComposing || event.keyCode === COMPOSING_KEY || isEditable(event.target)) return null
  // Uses the physical key when the character is not a Latin letter: with Alt a keyboard layout may have another
  // character there.
  const letter = /^[a-z]$/i.test(event.key) ? event.key.toUpperCase() : event.code.replace('Key', '')
  return letter === 'N' ? 1 : letter === 'P' ? -1 : null
}

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
