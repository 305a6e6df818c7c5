import { type Locale, resolveLocale } from '@plugmark/shared/i18n/locale'

/** The language of a terminal; the system's own where its variables say none. */
export function terminalLocale(env: Readonly<Record<string, string | undefined>>): Locale {
  const named = env.LC_ALL || env.LC_MESSAGES || env.LANG
  return resolveLocale([named ?? new Intl.DateTimeFormat().resolvedOptions().locale])
}
