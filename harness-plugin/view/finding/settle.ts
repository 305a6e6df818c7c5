/** What a list shows, and how many rows wait to be shown. */
export interface Settled {
  readonly ids: readonly string[]
  readonly waiting: number
}

/**
 * What a list shows next. Rows never move under somebody who points at them or has the keyboard among them: then the
 * list grows at its end, keeps its order, and what belongs elsewhere waits to be asked for.
 *
 * @param shown what it shows now
 * @param wanted what it would show
 * @param isHeld whether somebody is at it
 */
export function settle(shown: readonly string[], wanted: readonly string[], isHeld: boolean): Settled {
  if (!isHeld || shown.every((id, at) => id === wanted[at])) return { ids: wanted, waiting: 0 }
  const here = new Set(shown)
  const news = wanted.reduce((count, id) => (here.has(id) ? count : count + 1), 0)
  return { ids: shown, waiting: news }
}
