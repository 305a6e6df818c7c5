import { isOneEditApart } from '../search/spelling.ts'

/** Returns the command that differs from a typed word by one typing error; null if there is none. */
export function suggestCommand(typed: string, names: readonly string[]): string | null {
  return names.find((name) => isOneEditApart(typed.toLowerCase(), name)) ?? null
}
