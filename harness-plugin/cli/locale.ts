import { type Locale, resolveLocale } from '@plugmark/shared/i18n/locale'

/** Returns the language of a terminal, from its variables or otherwise from the system. */
export function terminalLocale(env: Readonly<Record<string, string | undefined>>): Locale {
  const named = env.LC_ALL || env.LC_MESSAGES || env.LANG
  return resolveLocale([named ?? new Intl.DateTimeFormat().resolvedOptions().locale])
}
