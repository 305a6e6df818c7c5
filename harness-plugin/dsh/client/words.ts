import { useSyncExternalStore } from 'react'
import type { Shell } from './shell.ts'

/** Words around the store; its own are the screen's. */
export interface Words {
  /** Name of the tab, the dialog and the button in the sidebar. */
  readonly store: string
  readonly openWide: string
  readonly close: string
  readonly isOff: string
  readonly howOn: string
  readonly noAnswer: string
  readonly again: string
  readonly others: (names: string) => string
}

const en: Words = {
  store: 'Plugin store',
  openWide: 'Open in full width',
  close: 'Close',
  isOff: 'The plugin store is off.',
  howOn: 'Correct the row dsh-plugin-plugmark in the cordis.patch.yml of this profile; the harness reads it at once.',
  noAnswer: 'The harness did not answer the plugin store.',
  again: 'Try again',
  others: (names) => `Another copy of the store is in this profile and stands back: ${names}. Remove one of the two.`,
}

const zh: Words = {
  store: '插件商店',
  openWide: '以全宽打开',
  close: '关闭',
  isOff: '插件商店未启用。',
  howOn: '请更正此配置档 cordis.patch.yml 中的 dsh-plugin-plugmark 一项；Harness 会立即重新读取。',
  noAnswer: 'Harness 没有回应插件商店。',
  again: '重试',
  others: (names) => `此配置档中还有一份商店，未启用：${names}。请移除其中一份。`,
}

export const wordsOf = (language: string): Words => (/^zh\b/i.test(language) ? zh : en)

/** The words of the harness's language, which changes live. */
export const useWords = (shell: Shell): Words =>
  wordsOf(useSyncExternalStore(shell.locale.subscribe, shell.locale.getLanguage))
