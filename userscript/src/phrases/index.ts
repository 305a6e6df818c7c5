import { type Language, pickLanguage } from '@plugmark/shared/locale'
import { en } from './en.ts'
import type { Phrases } from './types.ts'
import { zh } from './zh.ts'

export type { Phrases } from './types.ts'

const PHRASES: Readonly<Record<Language, Phrases>> = { en, zh }

export const phrasesIn = (language: Language): Phrases => PHRASES[language]

/**
 * The language to speak on a page.
 *
 * @param pageLanguage `lang` of the page. The code host says `en` to everybody, so English there decides nothing.
 * @param personal the person's languages, as the browser has them
 */
export function languageFor(pageLanguage: string, personal: readonly string[]): Language {
  return pickLanguage(/^en\b/i.test(pageLanguage) ? personal : [pageLanguage, ...personal])
}
