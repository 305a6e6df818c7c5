import type { Locale } from '@plugmark/shared/i18n/locale'
import { en, type Words } from './en.ts'
import { zh } from './zh.ts'

export type { Words }

export const wordsOf = (locale: Locale): Words => ({ en, zh })[locale]

/** A text in the language of its reader. */
export type LocalizedText = string | ((words: Words, locale: Locale) => string)

export const textIn = (locale: Locale, text: LocalizedText): string =>
  typeof text === 'string' ? text : text(wordsOf(locale), locale)
