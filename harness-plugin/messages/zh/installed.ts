import type { Texts } from '../en/index.ts'
import { formatMinutes, formatTime } from '../formats.ts'

export const installedView: Texts['installedView'] = {
  views: '视图',
  find: '查找插件',
  installed: '已安装',
  updates: '更新与任务',
  pages: { plugins: '插件', history: '历史记录', maintenance: '维护' },
  title: (profile) => `配置档 ${profile} 中已安装的插件`,
  profile: '配置档',
  check: '检查更新',
  checking: '正在检查更新…',
  checked: (count, number, isWaiting) => {
    if (number === 0) return isWaiting ? '暂无可用更新。' : '所有插件均为最新版本。'
    return `${count} 个插件有可用更新。`
  },
  reading: '正在加载已安装的插件…',
  none: '此配置档中只有 Harness 自带的插件。',
  program: (command, version) => `Harness${version ? ` ${version}` : ''}：${command}`,
  waiting: ({ version, until, pnpm, minutes }) =>
    `${version} 将于 ${formatTime('zh', Date.parse(until))} 起可用：pnpm ${pnpm} 会在新版本发布 ${formatMinutes('zh', minutes)}后才安装。`,
  newer: (installed, newest) => `${installed}，可更新到 ${newest}`,
  from: (spec) => `安装来源：${spec}`,
  listedAs: (source) => `插件目录现在的安装来源：${source}`,
  updateProblem: {
    'not-found': '软件包仓库中已没有此插件，因此没有更新。',
    'no-answer': '无法得知是否有新版本：其来源没有响应，或已不存在。',
  },
  details: '详情',
  detailsOf: (name) => `${name} 的详情`,
  updateNamed: (name) => `更新 ${name}`,
  releases: '发行说明',
  moreFor: (name) => `${name} 的更多操作`,
  enabledNamed: (name) => `启用 ${name}`,
  enabled: '已启用',
  disabled: '已停用',
  afterRestart: '重启 Harness 后生效',
  unmanagedReason: {
    store: '这是商店本身，请在终端中移除。',
    'not-in-directory': '插件目录未收录此插件，无法在此更新。',
    'other-source': '来源与插件目录中的不同，无法在此更新。',
    directory: '无法连接插件目录，暂时无法在此更新。',
  },
}
