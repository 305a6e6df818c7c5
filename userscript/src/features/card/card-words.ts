import { DEFAULTS } from '@plugmark/shared/contract'
import { defineWords } from '../../i18n/index.ts'

/** Returns the harness of a program; one that is not the default harness is named by its program. */
const harnessOf = (cli: string): string => (cli === DEFAULTS.cli ? 'DeepSeek Harness' : cli)

export const CARD_WORDS = defineWords({
  en: {
    isPlugin: (cli: string) => `Plugin for ${harnessOf(cli)}`,
    loading: 'Loading details…',
    /** The directory has no record of a listing of its index. */
    gone: 'The directory does not have this plugin any more.',
    /** The record has no command any more. */
    withdrawn: 'The directory has taken back this install command.',
    stars: (count: string) => `${count} star${count === '1' ? '' : 's'}`,
    license: (id: string) => `Licence ${id}`,
    pushed: (day: string) => `Updated ${day}`,
    copy: 'Copy',
    /** Expands a command that failed the install check, or is gone. */
    showAnyway: 'Show the command anyway',
    tryFirst: 'Try it in a copy of your profile first',
    /** Stands between the harness's command and Plugmark's. */
    trial:
      'Plugmark does that, and can undo the install. In its store, paste the command above into the search; at a terminal:',
    /** The same program, by another command of the harness. */
    otherSources: 'Install it from another source',
    /** Shown at every command except the one that the install check ran. */
    notTried: 'The install check did not run this command.',
    plugins: (count: number) => `${count} plugins in this repository`,
    otherPlugins: (count: number) => `${count} more plugin${count === 1 ? '' : 's'} in this repository`,
    /** Shows the rest of a list. */
    all: (count: number) => `All ${count}`,
    page: 'Directory page',
    source: 'Source',
  },
  zh: {
    isPlugin: (cli) => `${harnessOf(cli)} 插件`,
    loading: '正在加载详情…',
    gone: '插件目录已不再收录此插件。',
    withdrawn: '插件目录已撤回此安装命令。',
    stars: (count) => `${count} 个星标`,
    license: (id) => `许可证：${id}`,
    pushed: (day) => `${day}更新`,
    copy: '复制',
    showAnyway: '仍要显示命令',
    tryFirst: '先在配置档的副本中试运行',
    trial: 'Plugmark 会这样做，安装后还可以撤销。在插件商店中，将上面的命令粘贴到搜索框；或在终端运行：',
    otherSources: '从其他来源安装',
    notTried: '安装检查未运行过此命令。',
    plugins: (count) => `此仓库中有 ${count} 个插件`,
    otherPlugins: (count) => `此仓库中还有 ${count} 个插件`,
    all: (count) => `全部 ${count} 个`,
    page: '插件目录页面',
    source: '源代码',
  },
})
