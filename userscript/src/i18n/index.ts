import { LOCALES, type Locale, languageOfTag, resolveLocale } from '@plugmark/shared/i18n'
import { en, type Messages } from './en.ts'
import { zh } from './zh.ts'

export type { Messages } from './en.ts'

const MESSAGES: Readonly<Record<Locale, Messages>> = { en, zh }

/** Each language in itself. */
export const LANGUAGE_NAMES = Object.fromEntries(
  LOCALES.map((locale) => [locale, MESSAGES[locale].languageName]),
) as Readonly<Record<Locale, string>>

/**
 * The messages for a page.
 *
 * @param choice the language the person chose; `auto` goes by the page and the browser
 * @param pageLanguage `lang` of the page. The code host sets `en` for everybody, so English there decides nothing.
 * @param preferred BCP 47 tags in the person's order, as in `navigator.languages`
 */
export function messagesFor(choice: Locale | 'auto', pageLanguage: string, preferred: readonly string[]): Messages {
  if (choice !== 'auto') return MESSAGES[choice]
  const isDecided = languageOfTag(pageLanguage) !== 'en'
  return MESSAGES[resolveLocale(isDecided ? [pageLanguage, ...preferred] : preferred)]
}
