import type { Texts } from '../en/index.ts'
import { packageChangeText } from '../package-change.ts'

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
  client: (client) => clients[client] ?? client,
  change: (change) => packageChangeText(change, { enabled: '已启用', disabled: '已停用' }),
}
