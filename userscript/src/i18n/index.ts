import { type Language, pickLanguage, primaryOf, type Words, words } from '@plugmark/shared/locale'
import { en } from './en.ts'
import type { Phrases } from './types.ts'
import { zh } from './zh.ts'

export type { Phrases } from './types.ts'

/**
 * The language to speak on a page.
 *
 * @param pageLanguage `lang` of the page. The code host says `en` to everybody, so English there decides nothing.
 * @param personal the person's languages, as the browser has them
 */
export function languageFor(pageLanguage: string, personal: readonly string[]): Language {
  return pickLanguage(primaryOf(pageLanguage) === 'en' ? personal : [pageLanguage, ...personal])
}

/** A language with its words and phrases. */
export interface Voice {
  readonly language: Language
  readonly words: Words
  readonly phrases: Phrases
}

const VOICES: Readonly<Record<Language, Voice>> = {
  en: { language: 'en', words: words('en'), phrases: en },
  zh: { language: 'zh', words: words('zh'), phrases: zh },
}

/** @param choice the language a person chose; `auto` goes by the page and the browser */
export function voiceFor(choice: Language | 'auto', pageLanguage: string, personal: readonly string[]): Voice {
  return VOICES[choice === 'auto' ? languageFor(pageLanguage, personal) : choice]
}
