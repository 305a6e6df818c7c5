import * as v from 'valibot'

/** Settings as `pnpm config list --json` prints them: pnpm 10 with hyphens, pnpm 11 and 12 in camel case. */
export const PrintedSettings = v.pipe(
  v.string(),
  v.parseJson(),
  v.record(v.string(), v.unknown()),
  v.transform((settings) =>
    Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    ),
  ),
)
