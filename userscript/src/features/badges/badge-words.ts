import { defineWords } from '../../i18n/index.ts'

export const BADGE_WORDS = defineWords({
  en: {
    copyCommandOf: (fullName: string) => `Copy the install command of ${fullName}`,
    chooseCommand: (fullName: string) => `Choose an install command of ${fullName}`,
    /** Precedes the reason. */
    noCommand: 'Cannot be installed with one command. ',
    /** Precedes the verdict when a copied command did not pass its check. */
    copiedBut: 'Copied.',
  },
  zh: {
    copyCommandOf: (fullName) => `复制 ${fullName} 的安装命令`,
    chooseCommand: (fullName) => `选择 ${fullName} 的安装命令`,
    noCommand: '无法用一条命令安装。',
    copiedBut: '已复制。',
  },
})
