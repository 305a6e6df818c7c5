import { type Locale, languageOfTag, resolveLocale } from '@plugmark/shared/i18n/locale'

/**
 * Returns the language to use on a page.
 *
 * @param choice the language that the user chose; `auto` follows the page and the browser
 * @param pageLanguage `lang` of the page. The code host sets `en` for everybody, so English there decides nothing.
 * @param preferred BCP 47 tags in the user's order, as in `navigator.languages`
 */
export function localeFor(choice: Locale | 'auto', pageLanguage: string, preferred: readonly string[]): Locale {
  if (choice !== 'auto') return choice
  const isDecided = languageOfTag(pageLanguage) !== 'en'
  return resolveLocale(isDecided ? [pageLanguage, ...preferred] : preferred)
}
