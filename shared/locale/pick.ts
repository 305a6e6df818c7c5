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
    const primary = primaryOf(tag)
    const language = LANGUAGES.find((known) => known === primary)
    if (language) return language
  }
  return 'en'
}

/** The language of a tag, without its region and script; folded. */
export const primaryOf = (tag: string): string => tag.toLowerCase().replace('_', '-').split('-', 1)[0]!
