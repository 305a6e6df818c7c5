/** Parts that follow one another taken together, so many at a time: the sum of each such group. */
export const together = (parts: readonly number[], count: number): number[] =>
  Array.from({ length: Math.ceil(parts.length / count) }, (_, group) =>
    parts.slice(group * count, (group + 1) * count).reduce((sum, part) => sum + part, 0),
  )

/**
 * What each part of a work takes when the machine does nothing else: the least of all rounds, part by part.
 *
 * What disturbs a machine makes it slower, for seconds at a time or for minutes, and never faster: the same layout of the
 * same page, over and over, took 26 ms or up to 52.
 *
 * @param rounds what each part took, in order, ms
 */
export function undisturbed(rounds: readonly (readonly number[])[]): number[] {
  const [first = []] = rounds
  if (rounds.some(({ length }) => length !== first.length)) throw new Error('The rounds had not the same parts.')
  return first.map((_, part) => Math.min(...rounds.map((parts) => parts[part]!)))
}
