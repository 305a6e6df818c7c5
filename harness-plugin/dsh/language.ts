import type { Locale } from '@plugmark/shared/i18n'
// Import only this file, because a start needs no texts.
import { resolveLocale } from '@plugmark/shared/i18n/locale'
import type { Context, Settings } from './harness-context.ts'

const NAMESPACE = 'locale'

/**
 * Returns the language for questions to the user: the harness's own setting. Without one, the harness's page follows
 * the browser, whose language is unknown here, so the machine's language is used. Never rejects.
 */
export async function languageOf(ctx: Context): Promise<Locale> {
  const preference = await readPreference(ctx)
  // Avoid Intl, which would load 7 MB of its data into memory.
  const machine = globalThis.navigator?.language
  return resolveLocale([preference, machine].filter((language) => typeof language === 'string'))
}

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
    // Another version of the harness: use the machine's language.
    return undefined
  }
}
