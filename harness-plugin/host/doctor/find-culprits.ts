/**
 * Finds a smallest set of plugins without which the harness starts, by halving: plugins are added until it no longer
 * starts, the one that made the difference is left out, and the search continues with the others. Each culprit takes about
 * log2(plugins) + 1 starts.
 *
 * @param plugins all suspects; the harness starts without them
 * @param starts resolves with true if the harness starts with these plugins alone; null ends the search
 * @returns the culprits, in the order of `plugins`; null when the search was ended
 */
export async function findCulprits(
  plugins: readonly string[],
  starts: (plugins: readonly string[]) => Promise<boolean | null>,
): Promise<string[] | null> {
  const culprits: string[] = []
  /** Plugins that are known to start together. */
  let sound: readonly string[] = []
  let rest = plugins
  while (rest.length > 0) {
    const isSound = await starts([...sound, ...rest])
    if (isSound === null) return null
    if (isSound) break
    // With the first `low` of the rest it starts, with the first `high` it does not.
    let [low, high] = [0, rest.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      const isStarting = await starts([...sound, ...rest.slice(0, middle)])
      if (isStarting === null) return null
      if (isStarting) low = middle
      else high = middle
    }
    culprits.push(rest[low]!)
    sound = [...sound, ...rest.slice(0, low)]
    rest = rest.slice(high)
  }
  return culprits
}
