/** Finds the plugins that break a harness or its page, by starting it with some of them. */
import { type Boot, isNamed } from '../trial/boot.ts'
import { LONG_PAGE_MS } from '../trial/probe.ts'
import { type TrialHome, withoutLayers } from '../trial/trial-home.ts'

/**
 * Finds the plugins that stop the harness from starting, or its page from loading, by starting it from a copy of the
 * profile.
 *
 * @param given.boot the start that failed
 * @param given.off layers that are off in any case
 * @returns null when that does not help either, or when a start gave no answer, such as on a busy machine
 */
export async function findCulpritsIn(
  copy: Pick<TrialHome, 'directory' | 'start'>,
  given: { readonly suspects: readonly string[]; readonly off: readonly string[]; readonly boot: Boot },
): Promise<string[] | null> {
  const { suspects, off, boot } = given
  const starts = async (on: readonly string[]) => {
    const left = suspects.filter((name) => !on.includes(name))
    const isOff = await withoutLayers(copy.directory, [...off, ...left])
    return isFreeOf(boot, await copy.start({ off: isOff, ...(boot.up && { pageMs: LONG_PAGE_MS }) }))
  }
  // A broken page names the plugins whose part failed.
  const named = boot.up ? suspects.filter((name) => isNamed(boot.page.text, name)) : []
  if (named.length > 0 && (await starts(suspects.filter((name) => !named.includes(name))))) return named
  return suspects.length > 0 && (await starts([])) ? findCulprits(suspects, starts) : null
}

/** Returns true if a start no longer has the fault of an earlier one; null if it did not come so far. */
function isFreeOf(fault: Boot, started: Boot): boolean | null {
  if (!started.up) return started.hung && (fault.up || !fault.hung) ? null : false
  if (!fault.up || started.page.loads === 'yes') return true
  return started.page.loads === 'no' ? false : null
}

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
