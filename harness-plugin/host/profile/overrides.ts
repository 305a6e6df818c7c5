/** Values of a parsed JSON or YAML file. */
type Values = Readonly<Record<string, unknown>>

/** Returns true for the key of an override that concerns a package of the harness, such as `a-plugin>@deepseek-ai/dsh`. */
export const isPin = (name: string): boolean => /^(?:.*>)?@deepseek-ai\//.test(name)

/**
 * Returns the overrides with those of the harness's packages that a repair removed.
 *
 * @param before overrides before the repair
 * @param now overrides now
 * @returns null when none was removed
 */
export function withRemovedPins(before: unknown, now: unknown): Values | null {
  const has = asValues(now)
  const missing = Object.entries(asValues(before)).filter(([name]) => isPin(name) && !Object.hasOwn(has, name))
  return missing.length === 0 ? null : { ...Object.fromEntries(missing), ...has }
}

/** Restores the pins that a repair removed from the values of a package.json. */
export function restorePins<T extends Values>(before: Values, now: T): T {
  const own = withRemovedPins(before.overrides, now.overrides)
  const ofPnpm = withRemovedPins(asValues(before.pnpm).overrides, asValues(now.pnpm).overrides)
  return {
    ...now,
    ...(own ? { overrides: own } : {}),
    ...(ofPnpm ? { pnpm: { ...asValues(now.pnpm), overrides: ofPnpm } } : {}),
  }
}

const asValues = (value: unknown): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {}
