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
    badName: 'Use up to 64 letters, digits, dots, hyphens or underscores, starting with a letter or digit.',
    language: 'Language',
    automatic: 'Automatic',
    pages: 'Mark plugins on',
    pageKinds: {
      topic: 'Topics',
      search: 'Search results',
      'user repositories': 'User repositories',
      organization: 'Organisation repositories',
      stars: 'Stars',
      trending: 'Trending',
      explore: 'Explore',
      feed: 'Feed',
      dependents: 'Dependents',
      forks: 'Forks',
      profile: 'Profiles',
      text: 'READMEs, issues and other text',
      repository: 'Card on repository pages',
    },
    onPage: 'On the page',
    showSummary: 'Number of plugins in the corner of lists',
    paused: 'Paused on this site',
    directory: 'Directory',
    directoryHint: 'To use another directory, build the script with',
    copy: (count, generated, age) => `${count} listings, published ${generated}, checked ${age}.`,
    noCopy: 'The list has not been downloaded yet.',
    notKept: 'The browser does not store the list; it is kept in this tab only.',
    refresh: 'Refresh now',
    refreshing: 'Refreshing…',
    refreshed: 'The list is up to date.',
    busy: 'Another tab is refreshing.',
    failed: (message) => `Failed: ${message}`,
    clear: 'Delete the stored list',
    cleared: 'Deleted.',
    privacy: 'What it stores and sends',
    stores:
      'The script manager stores these settings. The browser stores the list and the details of up to 300 opened cards, for this site only.',
    sends:
      'The list is requested from the directory at most every six hours, unless a request fails or you refresh. The details of a plugin are requested when you open its card or repository. Nothing else is sent.',
  },
  zh: {
    title: 'Plugmark 设置',
    close: '关闭',
    profile: '配置档',
    profileHint: '命令会将插件安装到此配置档。',
    cli: '命令行程序',
    cliHint: '不提供其他程序的安装命令。',
    badName: '最多 64 个字符，可使用字母、数字、点、连字符和下划线，且须以字母或数字开头。',
    language: '语言',
    automatic: '自动',
    pages: '在以下页面标记插件',
    pageKinds: {
      topic: '主题',
      search: '搜索结果',
      'user repositories': '用户的仓库',
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
    onPage: '页面显示',
    showSummary: '在列表页的角落显示插件数量',
    paused: '在此网站暂停',
    directory: '目录',
    directoryHint: '如需使用其他目录，请用以下参数构建脚本：',
    copy: (count, generated, age) => `${count} 个条目，发布于 ${generated}，上次检查：${age}。`,
    noCopy: '尚未下载列表。',
    notKept: '浏览器没有保存列表，列表仅在此标签页有效。',
    refresh: '立即刷新',
    refreshing: '正在刷新…',
    refreshed: '列表已是最新。',
    busy: '另一个标签页正在刷新。',
    // What went wrong is told in English.
    failed: (message) => `失败：${message}`,
    clear: '删除已保存的列表',
    cleared: '已删除。',
    privacy: '存储和发送的内容',
    stores: '这些设置存储在脚本管理器中。目录的列表和最多 300 张已打开卡片的详情存储在浏览器中，仅用于此网站。',
    sends:
      '最多每六小时向目录请求一次列表（请求失败或手动刷新时除外）。打开插件的卡片或仓库页面时，会请求该插件的详情。除此之外不发送任何内容。',
  },
}
