import { CARD_PHRASES } from './card.ts'
import { SETTINGS_PHRASES } from './settings.ts'
import { SUMMARY_PHRASES } from './summary.ts'
import type { Phrases } from './types.ts'

export const zh: Phrases = {
  pluginOf: (fullName) => `插件 ${fullName}`,
  badgeOf: (text, name) => `${text}，${name}`,
  isPlugin: 'DeepSeek Harness 插件',
  pluginCount: (count) => `${count} 个插件`,
  copyCommandOf: (fullName) => `复制 ${fullName} 的安装命令`,
  chooseCommand: (fullName) => `选择 ${fullName} 的安装命令`,
  noCommand: '无法通过一条命令安装。',
  copied: (command) => `已复制：${command}`,
  copyFailed: (command) => `复制失败，请选中命令手动复制：${command}`,
  unreachable: { text: '无法连接目录。', retry: '重试', retrying: '正在重试…' },
  card: CARD_PHRASES.zh,
  settings: SETTINGS_PHRASES.zh,
  summary: SUMMARY_PHRASES.zh,
}
