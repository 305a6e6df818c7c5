import type { Phrases } from './types.ts'

export const zh: Phrases = {
  pluginPrefix: '插件：',
  isPlugin: '已收录于插件目录',
  pluginCount: (count) => `${count} 个插件`,
  copyCommandOf: (fullName) => `复制 ${fullName} 的安装命令`,
  chooseCommand: '选择要复制的安装命令',
  noCommand: '没有一行安装命令。',
  copied: (command) => `已复制：${command}`,
  copyFailed: (command) => `复制失败，请自行选中并复制：${command}`,
  profileCommand: '配置文件名称',
  askProfile: '复制的命令安装到哪个配置文件（字母、数字、点、连字符和下划线）：',
  badProfile: (name) => `“${name}”不能用作配置文件名称。须以字母或数字开头，最多 64 个字符。`,
}
