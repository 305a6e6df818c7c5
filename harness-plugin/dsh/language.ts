import type { Language } from '@plugmark/shared/locale'
// Alone: a start needs none of the words.
import { pickLanguage } from '@plugmark/shared/locale/pick'
import type { Context } from './harness.ts'
import type { Settings } from './tools/services.ts'

/**
 * The language that a person is asked in: the harness's own setting. Without one its page follows the browser, which
 * is not known here, and the machine's language is the next best.
 */
export function languageOf(ctx: Context): Language {
  const { preference } = (readLocale(ctx) ?? {}) as { preference?: unknown }
  // To ask Intl for the machine's would read 7 MB of its data into memory.
  const machine = globalThis.navigator?.language
  return pickLanguage([preference, machine].filter((language) => typeof language === 'string'))
}

function readLocale(ctx: Context): unknown {
  try {
    return (ctx.get('settings') as Settings | undefined)?.get('locale')
  } catch {
    // Another version of the harness; the question is asked all the same.
    return undefined
  }
}
