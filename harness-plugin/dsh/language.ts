import type { Locale } from '@plugmark/shared/i18n'
// Alone: a start needs none of the words.
import { resolveLocale } from '@plugmark/shared/i18n/locale'
import type { Context, Settings } from './harness.ts'

/** Where the harness's settings keep its language. */
const NAMESPACE = 'locale'

/**
 * The language that a person is asked in: the harness's own setting. Without one its page follows the browser, which
 * is not known here, and the machine's language is the next best. Never rejects.
 */
export async function languageOf(ctx: Context): Promise<Locale> {
  const preference = await readPreference(ctx)
  // To ask Intl for the machine's would read 7 MB of its data into memory.
  const machine = globalThis.navigator?.language
  return resolveLocale([preference, machine].filter((language) => typeof language === 'string'))
}

/** Calls back when the harness's language may be another. */
export function onLanguageChange(ctx: Context, listener: () => void): void {
  ctx.on('settings/document-updated', (namespace) => {
    if (namespace === NAMESPACE) listener()
  })
}

async function readPreference(ctx: Context): Promise<unknown> {
  // 0.1 emits the event before it stores the value, in the same task.
  await null
  try {
    const settings = ctx.get('settings') as Settings | undefined
    const described = await settings?.describe({ redactSecrets: true })
    return described?.find(({ ns }) => ns === NAMESPACE)?.value?.preference
  } catch {
    // Another version of the harness; the question is asked all the same.
    return undefined
  }
}
