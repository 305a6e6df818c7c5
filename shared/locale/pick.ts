import type { Language } from './types.ts'

export const LANGUAGES: readonly Language[] = ['en', 'zh']

/**
 * The first language of `tags` that surfaces speak.
 *
 * @param tags BCP 47 tags in the person's order, as `navigator.languages` has them
 * @returns English when none of them is spoken
 */
export function pickLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const primary = tag.toLowerCase().split(/[-_]/, 1)[0]
    const language = LANGUAGES.find((known) => known === primary)
    if (language) return language
  }
  return 'en'
}
