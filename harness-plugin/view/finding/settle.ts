/** What a list goes on showing, and how many rows wait to be shown. */
export interface Settled {
  readonly ids: readonly string[]
  readonly waiting: number
}

/**
 * Rows never move under somebody who points at them or has the keyboard among them: then the list grows at its end,
 * keeps its order, and what belongs elsewhere waits to be asked for.
 *
 * @param shown what it shows now
 * @param wanted what it would show
 * @returns null when it can show what is wanted without moving a row
 */
export function settle(shown: readonly string[], wanted: readonly string[]): Settled | null {
  if (shown.every((id, at) => id === wanted[at])) return null
  const here = new Set(shown)
  return { ids: shown, waiting: wanted.reduce((count, id) => (here.has(id) ? count : count + 1), 0) }
}
