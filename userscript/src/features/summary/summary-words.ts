import { defineWords } from '../../i18n/index.ts'

export const SUMMARY_WORDS = defineWords({
  en: {
    /** Name of the box. */
    name: 'Plugins on this page',
    badges:
      'A badge means that a plugin is in the directory; its card says whether it installs. No badge only means that a repository is not in the directory.',
    previous: 'Previous plugin',
    next: 'Next plugin',
    more: 'More about this page',
    pause: 'Pause on this site',
    paused: 'Plugmark is paused on this site.',
    resume: 'Resume',
    hide: 'Always hide',
    untilShown: 'Until you show it again in the settings',
    /** @param next @param previous key combinations */
    keys: (next: string, previous: string) => `Press ${next} or ${previous} for the next or previous plugin.`,
  },
  zh: {
    name: '本页的插件',
    badges: '有标记表示插件目录收录了该插件，能否安装请看卡片。没有标记只表示插件目录未收录该仓库。',
    previous: '上一个插件',
    next: '下一个插件',
    more: '更多信息和操作',
    pause: '在此网站暂停',
    paused: 'Plugmark 已在此网站暂停。',
    resume: '恢复',
    hide: '始终隐藏',
    untilShown: '可在设置中重新显示',
    keys: (next, previous) => `按 ${next} 或 ${previous} 跳到下一个或上一个插件。`,
  },
})
