import type { Locale } from '@plugmark/shared/i18n/locale'
import { en, type Words } from './en.ts'
import { zh } from './zh.ts'

export type { Words }

export const wordsOf = (locale: Locale): Words => ({ en, zh })[locale]

/** A text in the language of its reader. */
export type Say = string | ((words: Words, locale: Locale) => string)

export const sayIn = (locale: Locale, say: Say): string =>
  typeof say === 'string' ? say : say(wordsOf(locale), locale)
