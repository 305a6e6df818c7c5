import { isOneEditApart } from '../search/spelling.ts'

/** Returns the command that a typed word is one typing error away from; null when none is that near. */
export function suggestCommand(typed: string, names: readonly string[]): string | null {
  return names.find((name) => isOneEditApart(typed.toLowerCase(), name)) ?? null
}
