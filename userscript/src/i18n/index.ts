import { type ContractMessages, contractMessages, LOCALES, type Locale } from '@plugmark/shared/i18n'

export type { Locale } from '@plugmark/shared/i18n'

export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { en: 'English', zh: '中文' }

/** Locales in which dates and times are formatted. */
export const DATE_LOCALES: Readonly<Record<Locale, string>> = { en: 'en-GB', zh: 'zh' }

export const CONTRACT = Object.fromEntries(LOCALES.map((locale) => [locale, contractMessages(locale)])) as Readonly<
  Record<Locale, ContractMessages>
>

/** Defines the words of one feature in every language. The compiler names each message that a language lacks. */
export const defineWords = <T>(
  words: { readonly en: T } & Readonly<Record<Exclude<Locale, 'en'>, NoInfer<T>>>,
): Readonly<Record<Locale, T>> => words as Readonly<Record<Locale, T>>
