import type { Language } from '@plugmark/shared/locale'

/** What the summary of a page says. */
export interface SummaryPhrases {
  readonly label: string
  /** @param repositories null where the page has other links than a list's */
  readonly count: (plugins: number, repositories: number | null) => string
  readonly noBadge: string
  readonly previous: string
  readonly next: string
  readonly more: string
  readonly dim: string
  readonly pause: string
  readonly paused: string
  readonly resume: string
  readonly settings: string
  readonly hide: string
  /** @param next @param previous key combinations */
  readonly keys: (next: string, previous: string) => string
}

export const SUMMARY_PHRASES: Readonly<Record<Language, SummaryPhrases>> = {
  en: {
    label: 'Plugins on this page',
    count: (plugins, all) =>
      all === null ? `${plugins} plugin${plugins === 1 ? '' : 's'} on this page` : `${plugins} of ${all} are plugins`,
    noBadge: 'No badge only means that a repository is not in the directory.',
    previous: 'Previous plugin',
    next: 'Next plugin',
    more: 'More about this page',
    dim: 'Dim other repositories',
    pause: 'Pause on this site',
    paused: 'Plugmark is paused on this site.',
    resume: 'Resume',
    settings: 'Settings',
    hide: 'Hide',
    keys: (next, previous) => `Press ${next} or ${previous} for the next or previous plugin.`,
  },
  zh: {
    label: '本页的插件',
    count: (plugins, all) => (all === null ? `本页有 ${plugins} 个插件` : `${all} 个仓库中有 ${plugins} 个插件`),
    noBadge: '没有标记只表示该仓库未被目录收录。',
    previous: '上一个插件',
    next: '下一个插件',
    more: '本页更多信息',
    dim: '淡化其他仓库',
    pause: '在此网站暂停',
    paused: 'Plugmark 已在此网站暂停。',
    resume: '恢复',
    settings: '设置',
    hide: '隐藏',
    keys: (next, previous) => `按 ${next} 或 ${previous} 跳到下一个或上一个插件。`,
  },
}
