/** Characters of a line, its badge included, that were too many for it: of the last such line of each look. */
const full = new Map<string, number>()

/**
 * Whether the line of a link may have room for a word beside it, as far as others that look like it tell: to find out that
 * it has none, by laying it out, costs a long page as much as all else that is done for a row.
 */
export function hasRoom(link: Element, word: string): boolean {
  const line = link.parentElement!
  const tooMany = full.get(line.className)
  return tooMany === undefined || line.textContent.length + word.length < tooMany
}

/** A line was found to have no room for what is on it now. */
export function hadNoRoom({ className, textContent }: Element): void {
  full.set(className, textContent.length)
}
