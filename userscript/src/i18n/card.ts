import type { Language } from '@plugmark/shared/locale'

/** What a card says. */
export interface CardPhrases {
  readonly loading: string
  readonly noDetails: string
  readonly stars: (count: string) => string
  readonly license: (id: string) => string
  readonly copy: string
  /** Leads to a command that failed. */
  readonly showAnyway: string
  readonly otherWays: (count: number) => string
  /** Stands at every command but the one that was tried. */
  readonly notTried: string
  readonly otherPlugins: (count: number) => string
  readonly page: string
  readonly source: string
  readonly settings: string
}

export const CARD_PHRASES: Readonly<Record<Language, CardPhrases>> = {
  en: {
    loading: 'Loading details…',
    noDetails: 'No details available.',
    stars: (count) => `${count} star${count === '1' ? '' : 's'}`,
    license: (id) => `Licence ${id}`,
    copy: 'Copy',
    showAnyway: 'Show the command anyway',
    otherWays: (count) => (count === 1 ? 'Another way to install it' : `${count} other ways to install it`),
    notTried: 'The install check did not run this command.',
    otherPlugins: (count) => `${count} more plugin${count === 1 ? '' : 's'} in this repository`,
    page: 'Directory page',
    source: 'Source',
    settings: 'Plugmark settings',
  },
  zh: {
    loading: '正在加载详情…',
    noDetails: '暂无详情。',
    stars: (count) => `${count} 个星标`,
    license: (id) => `许可证 ${id}`,
    copy: '复制',
    showAnyway: '仍然显示命令',
    otherWays: (count) => `另有 ${count} 种安装方式`,
    notTried: '安装检查没有运行过此命令。',
    otherPlugins: (count) => `此仓库中还有 ${count} 个插件`,
    page: '目录页面',
    source: '源代码',
    settings: 'Plugmark 设置',
  },
}
