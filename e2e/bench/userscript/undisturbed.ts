/**
 * What each part of a work takes when the machine does nothing else: the least of all rounds, part by part.
 *
 * Whoever shares a machine's processors and their caches makes them slower, for seconds at a time and up to twice (the same
 * layout of the same page, over and over: 26 ms or 52), and never faster.
 *
 * @param rounds what each part took, in order, ms
 */
export function undisturbed(rounds: readonly (readonly number[])[]): number[] {
  const [first = []] = rounds
  if (rounds.some(({ length }) => length !== first.length)) throw new Error('The rounds had not the same parts.')
  return first.map((_, part) => Math.min(...rounds.map((parts) => parts[part]!)))
}
