import type { Locale } from '@plugmark/shared/i18n'
import { COMMAND, commandAnswer } from './harness-channel.ts'
import type { CommandsContext } from './harness-context.ts'

const WORDS: Readonly<Record<Locale, { readonly description: string; readonly hint: string }>> = {
  en: { description: 'Open the plugin store', hint: 'search terms' },
  zh: { description: '打开插件商店', hint: '搜索词' },
}

/**
 * Creates the slash command. It must be registered again for each language, because the harness keeps its texts.
 *
 * @returns a function that registers it in a language, and throws an Error when another plugin has the name
 */
export function createCommand({ commands }: CommandsContext): (language: Locale) => void {
  let offered: { readonly language: Locale; readonly withdraw: () => void } | null = null
  return (language) => {
    if (language === offered?.language) return
    offered?.withdraw()
    offered = null
    const { description, hint } = WORDS[language]
    const withdraw = commands.register({
      name: COMMAND,
      description,
      input: { hint },
      handler: ({ rawInput }) => ({ kind: 'success', ...commandAnswer(rawInput.trim()) }),
    })
    offered = { language, withdraw }
  }
}
