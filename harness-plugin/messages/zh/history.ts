import type { Texts } from '../en/index.ts'
import { versionText } from '../package-change.ts'

const clients: Readonly<Record<string, string>> = {
  dsh: 'Harness',
  koishi: 'Koishi 控制台',
  cli: '命令行',
  agent: '智能体',
}

export const history: Texts['history'] = {
  title: '历史记录',
  none: '此配置档还没有任何更改。',
  loading: '正在加载历史记录…',
  loadingLog: '正在加载日志…',
  older: (count) => `显示更早的 ${count} 条`,
  named: (title, names) => (names === '' ? title : `${title}：${names}`),
  client: (client) => clients[client] ?? client,
  change: ({ name, before, after }) => {
    if (before === null) return `安装了 ${name} ${after ? versionText(after) : ''}`.trimEnd()
    if (after === null) return `移除了 ${name} ${versionText(before)}`.trimEnd()
    const [was, is] = [versionText(before), versionText(after)]
    if (was !== is) return `更新了 ${name} ${was} → ${is}`
    return `${after.enabled ? '启用' : '停用'}了 ${name} ${is}`.trimEnd()
  },
}
