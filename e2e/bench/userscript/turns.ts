/** `SHORT=1 npm run bench -- userscript`: every row, few rounds, the two sizes that decide. */
export const SHORT = process.env.SHORT !== undefined

/** Taken in turns, for what else the machine does meets all of them. */
export const BOTH = ['plugmark', 'naive'] as const
export const ALL = ['plugmark', 'naive', 'none'] as const

/** What the script is compared with. */
export const NAIVE = 'naive script'

const rounds = (full: number) => (SHORT ? Math.min(3, full) : full)

/** Measures each way so many times. */
export async function inTurns<W extends string, T>(count: number, ways: readonly W[], measure: (way: W) => Promise<T>) {
  const results = Object.fromEntries(ways.map((way) => [way, [] as T[]])) as Record<W, T[]>
  for (let round = 0; round < rounds(count); round++) {
    for (const way of ways) results[way].push(await measure(way))
  }
  return results
}
