import { CATEGORIES } from '@plugmark/shared/contract'
import { CONTRACT, defineWords, type Locale } from './index.ts'

/**
 * The words of a start, in one language. They are stored, so that a start loads no messages: each is text in which
 * `{name}` and the like are replaced.
 */
export interface StartWords {
  readonly locale: Locale
  /** Labels by category id; `other` for those without one. */
  readonly categories: Readonly<Record<string, string>>
  /** Label of a repository with several plugins, by `{count}`. */
  readonly pluginCount: string
  /** Accessible name of a badge, by its `{text}` and the `{name}` of its plugin, or of a repository with several. */
  readonly plugin: string
  readonly plugins: string
  /**
   * Number of listed `{plugins}` among `{all}` repositories of a list, and of those in prose, which has no total. The
   * index does not say which of them install.
   */
  readonly inList: string
  readonly oneInList: string
  readonly inProse: string
  readonly oneInProse: string
}

const WORDS = defineWords({
  en: {
    pluginCount: '{count} plugins',
    plugin: '{text}, plugin {name}',
    plugins: '{text}, {name}',
    inList: '{plugins} of {all} are listed plugins',
    oneInList: '1 of {all} is a listed plugin',
    inProse: 'Links to {plugins} listed plugins',
    oneInProse: 'Links to 1 listed plugin',
  },
  zh: {
    pluginCount: '{count} 个插件',
    plugin: '{text}，插件 {name}',
    plugins: '{text}，{name}',
    inList: '{all} 个仓库中有 {plugins} 个收录的插件',
    oneInList: '{all} 个仓库中有 1 个收录的插件',
    inProse: '链接到 {plugins} 个收录的插件',
    oneInProse: '链接到 1 个收录的插件',
  },
})

export function startWords(locale: Locale): StartWords {
  const { category } = CONTRACT[locale]
  const categories = [...CATEGORIES.map((id) => [id, category(id)]), ['other', category(null)]]
  return { locale, categories: Object.fromEntries(categories) as Record<string, string>, ...WORDS[locale] }
}
