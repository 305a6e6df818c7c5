/** The languages of every surface. */
export const LOCALES = ['en', 'zh'] as const
export type Locale = (typeof LOCALES)[number]

/**
 * Returns the first of the user's languages that has messages.
 *
 * @param tags BCP 47 tags in the user's order, as in `navigator.languages`
 * @returns `en` when none of them has messages
 */
export function resolveLocale(tags: readonly string[]): Locale {
  for (const tag of tags) {
    const language = languageOfTag(tag) as Locale
    if (LOCALES.includes(language)) return language
  }
  return 'en'
}

/** Returns the language of a BCP 47 tag without region and script, in lower case. */
export const languageOfTag = (tag: string): string => tag.toLowerCase().split(/[-_]/, 1)[0]!
