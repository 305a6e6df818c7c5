import type { Language } from '@plugmark/shared/locale'
import type { PageSwitch } from '../settings/settings.ts'

/** What the settings say. */
export interface SettingsPhrases {
  readonly title: string
  readonly close: string
  readonly profile: string
  readonly profileHint: string
  readonly cli: string
  readonly cliHint: string
  readonly badName: string
  readonly language: string
  readonly automatic: string
  readonly pages: string
  readonly pageKinds: Readonly<Record<PageSwitch, string>>
  /** What stands on a page besides the marks. */
  readonly onPage: string
  readonly showSummary: string
  readonly paused: string
  readonly directory: string
  readonly directoryHint: string
  readonly copy: (count: string, generated: string, age: string) => string
  readonly noCopy: string
  readonly notKept: string
  readonly refresh: string
  readonly refreshing: string
  readonly refreshed: string
  /** Of the whole list: another tab has been asked for it, and has no answer yet. */
  readonly busy: string
  readonly failed: (message: string) => string
  readonly clear: string
  readonly cleared: string
  readonly privacy: string
  readonly stores: string
  readonly sends: string
}

export const SETTINGS_PHRASES: Readonly<Record<Language, SettingsPhrases>> = {
  en: {
    title: 'Plugmark settings',
    close: 'Close',
    profile: 'Profile',
    profileHint: 'Commands install into this profile.',
    cli: 'Command-line program',
    cliHint: 'Commands for other programs are not offered.',
    badName: 'At most 64 letters, digits, dots, hyphens, underscores; a letter or digit first.',
    language: 'Language',
    automatic: 'Automatic',
    pages: 'Mark plugins in',
    pageKinds: {
      topic: 'Topics',
      search: 'Search results',
      'user repositories': 'Repositories of a person',
      organization: 'Repositories of an organisation',
      stars: 'Stars',
      trending: 'Trending',
      explore: 'Explore',
      feed: 'Feed',
      dependents: 'Dependents',
      forks: 'Forks',
      profile: 'Profiles',
      text: 'READMEs, issues and other texts',
      repository: 'A card on the page of a repository',
    },
    onPage: 'On the page',
    showSummary: 'The number of plugins, in the corner of a list',
    paused: 'Paused on this site',
    directory: 'Directory',
    directoryHint: 'For another, build the script with',
    copy: (count, generated, age) => `${count} listings, published ${generated}, checked ${age}.`,
    noCopy: 'There is no copy of the directory yet.',
    notKept: 'Nothing is stored here: the copy is of this tab only.',
    refresh: 'Refresh now',
    refreshing: 'Refreshing…',
    refreshed: 'The copy is up to date.',
    busy: 'Another tab is at it.',
    failed: (message) => `Not done: ${message}`,
    clear: 'Delete the stored list',
    cleared: 'Deleted.',
    privacy: 'What it stores and sends',
    stores:
      'The script manager stores these settings; the browser, for this site, a copy of the directory and up to 300 opened cards.',
    sends:
      'The directory is asked for the whole list, at most every six hours unless that fails or you refresh, and for a plugin when you open its card or repository. Nothing else is sent.',
  },
  zh: {
    title: 'Plugmark 设置',
    close: '关闭',
    profile: '配置档',
    profileHint: '命令会安装到这个配置档中。',
    cli: '命令行程序',
    cliHint: '不提供调用其他程序的命令。',
    badName: '可用字母、数字、点、连字符和下划线，以字母或数字开头，最多 64 个字符。',
    language: '语言',
    automatic: '自动',
    pages: '在以下页面标记插件',
    pageKinds: {
      topic: '主题',
      search: '搜索结果',
      'user repositories': '个人的仓库',
      organization: '组织的仓库',
      stars: '星标',
      trending: '趋势',
      explore: '探索',
      feed: '动态',
      dependents: '依赖者',
      forks: '复刻',
      profile: '个人主页',
      text: 'README、议题和其他文本',
      repository: '仓库页面上的卡片',
    },
    onPage: '页面上',
    showSummary: '在列表页角落显示插件数量',
    paused: '在此网站暂停',
    directory: '目录',
    directoryHint: '要使用其他目录，请这样构建脚本：',
    copy: (count, generated, age) => `${count} 个条目，发布于 ${generated}，检查于${age}。`,
    noCopy: '还没有目录的副本。',
    notKept: '浏览器未作保存，副本仅在此标签页有效。',
    refresh: '立即刷新',
    refreshing: '正在刷新…',
    refreshed: '副本已是最新。',
    busy: '另一个标签页仍在刷新。',
    // What went wrong is told in English.
    failed: (message) => `未能完成，请稍后再试。（${message}）`,
    clear: '删除已保存的列表',
    cleared: '已删除。',
    privacy: '存储和发送的内容',
    stores: '这些设置存储在脚本管理器中；目录的副本和最多 300 张已打开卡片的详情存储在浏览器中，仅用于此网站。',
    sends:
      '最多每六小时向目录请求一次完整列表（失败或你刷新时除外），并在你打开卡片或插件仓库页面时请求那一个插件。此外不发送任何内容。',
  },
}
