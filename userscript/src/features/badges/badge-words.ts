import { defineWords } from '../../i18n/index.ts'

export const BADGE_WORDS = defineWords({
  en: {
    pluginOf: (fullName: string) => `plugin ${fullName}`,
    /**
     * Accessible name of a badge. It begins with the visible text.
     *
     * @param name name of a plugin, or of a repository with several
     */
    badgeOf: (text: string, name: string) => `${text}, ${name}`,
    pluginCount: (count: number) => `${count} plugins`,
    copyCommandOf: (fullName: string) => `Copy the install command of ${fullName}`,
    chooseCommand: (fullName: string) => `Choose an install command of ${fullName}`,
    /** Precedes the reason. */
    noCommand: 'Cannot be installed with one command. ',
    /** Precedes the verdict when a copied command did not pass its check. */
    copiedBut: 'Copied.',
  },
  zh: {
    pluginOf: (fullName) => `插件 ${fullName}`,
    badgeOf: (text, name) => `${text}，${name}`,
    pluginCount: (count) => `${count} 个插件`,
    copyCommandOf: (fullName) => `复制 ${fullName} 的安装命令`,
    chooseCommand: (fullName) => `选择 ${fullName} 的安装命令`,
    noCommand: '无法用一条命令安装。',
    copiedBut: '已复制。',
  },
})
