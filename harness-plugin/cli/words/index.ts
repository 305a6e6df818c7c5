import type { Locale } from '@plugmark/shared/i18n/locale'
import { en, type Words } from './en.ts'
import { zh } from './zh.ts'

export type { Words }

export const wordsOf = (locale: Locale): Words => ({ en, zh })[locale]
