import type { Adds, PluginState, PluginStateKind } from '../../protocol/index.ts'
import type { Texts } from '../en/index.ts'

const harness = (version: string | null) => (version === null ? '当前 Harness' : `Harness ${version}`)

/** Tells how to use a plugin, by what was seen of it. @param isNow false where the harness must restart first */
export function uses({ commands, tools, settings = [] }: Adds, isNow = true): string[] {
  const [type, have] = isNow ? ['在对话中输入', '智能体可以使用工具'] : ['然后在对话中输入', '届时智能体可以使用工具']
  return [
    ...(commands.length > 0 ? [`${type} ${commands.map((name) => `/${name}`).join('、')} 即可使用。`] : []),
    ...(tools.length > 0 ? [`${have} ${tools.join('、')}。`] : []),
    ...(settings.length > 0 ? [`设置页面：${settings.map((label) => `“设置 → ${label}”`).join('、')}。`] : []),
  ]
}

const SENTENCES: Readonly<Record<PluginStateKind, (state: PluginState) => string>> = {
  running: ({ adds, atLastStart }) =>
    [atLastStart ? '上次启动时能运行。' : '运行中。', ...(adds ? uses(adds) : [])].join(''),
  loaded: () => 'Harness 启动时会加载此插件。',
  untried: ({ harnessVersion }) => `尚未在 ${harness(harnessVersion)} 上试过。`,
  off: () => '已停用：你停用了此插件。',
  'not-a-layer': () => 'Harness 不会加载此插件：它不是插件。',
  refused: ({ why, harnessVersion }) =>
    `${harness(harnessVersion)} 不接受此插件：它声明需要 ${why.join('、') || '其他版本'}。`,
  'does-not-start': ({ why }) => `未能启动${why.length > 0 ? `：${why.join(' ')}` : '。'}`,
  'breaks-page': ({ why }) => `导致网页无法加载${why.length > 0 ? `：${why.join(' ')}` : '。'}`,
  'package-missing': () => '文件缺失：配置档中列有此插件，但并未安装。',
  'layer-missing': ({ harnessVersion }) => `升级到 ${harness(harnessVersion)} 后，配置档不再加载此插件。`,
  'shadows-harness': ({ why }) => `此插件自带 ${why.join('、')}，可能会取代 Harness 自己的软件包并导致其出错。`,
  'pins-harness': ({ why }) => `配置档固定了 Harness 此软件包的版本（${why.join('、')}），升级后会出错。`,
  replaced: ({ why: [row = '', other = ''] }) => `另一个插件 ${other} 取代了它的 ${row} 行。`,
}

const atRestart = (version: string | null) =>
  version === null
    ? '已停用，但重启前正在运行的 Harness 仍会使用它。'
    : `重启 Harness 后使用${version === '' ? '' : ` ${version}`}。`

export const pluginState: Texts['pluginState'] = {
  sentence: (state) => (state.atRestart === undefined ? SENTENCES[state.kind](state) : atRestart(state.atRestart)),
  restart: '需要重启 Harness。',
  uses,
  install: '重新安装…',
  switchOff: '停用',
  switchOffNamed: (name) => `停用 ${name}`,
  removeNamed: (name) => `移除 ${name}`,
  report: '报告问题',
  installNamed: (name) => `重新安装 ${name}`,
  allow: '如果接受风险，让 Harness 加载此版本，请运行：',
}

export const upgrade: Texts['upgrade'] = {
  notice: ({ from, to, off, total }) =>
    `Harness 已从 ${from} 升级到 ${to}：${total} 个插件中有 ${off.length} 个未运行。`,
  status: (off) => `Harness 升级后有 ${off} 个插件未运行`,
  show: '查看',
  repair: '修复…',
  dismiss: '关闭',
}
