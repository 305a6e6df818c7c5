import type { AgentsProblem } from '../harness-channel.ts'
import type { NoAnswer } from './harness-bridge.ts'
import type { Shell } from './shell.ts'
import { useValue } from './value.ts'

/** Texts around the store; the screen has its own. */
const en = {
  store: 'Plugin store',
  /** With the number of plugins that an upgrade of the harness turned off. */
  storeWithOff: (count: number) => `Plugin store: ${count} ${count === 1 ? 'plugin is' : 'plugins are'} off`,
  storeWithUpdates: (count: number) => `Plugin store: ${count} ${count === 1 ? 'update' : 'updates'}`,
  aboutStore: 'Find a plugin, and test it in a copy of this profile first',
  openWide: 'Open in full width',
  inStore: 'View in plugin store',
  close: 'Close',
  isOff: 'The plugin store is off.',
  howOn: 'Correct the row dsh-plugin-plugmark in this profile’s cordis.patch.yml. The harness reloads it at once.',
  noAnswer: {
    none: 'The harness is not responding.',
    'signed-out':
      'This page is signed out of the harness. Open it again at the address the harness prints when it starts.',
    far: 'The plugin store is only available on the machine that runs the harness. Open this page there.',
  } satisfies Readonly<Record<NoAnswer, string>>,
  failed: 'Something went wrong in the plugin store. The rest of the page is not affected.',
  again: 'Try again',
  others: (names: string) =>
    `This profile has another plugin store, which is inactive: ${names}. Remove one of the two.`,
  agents: {
    'no-tools': 'Agents cannot use the store: this harness does not support tools.',
    'other-tool': 'Agents cannot use the store: another plugin has a tool with the same name. See the harness’s log.',
    'tools-refused': 'Agents cannot use the store: this version of the harness does not accept its tools.',
    'no-approval': 'Agents can look up plugins but not change anything: this harness cannot ask for your approval.',
  } satisfies Readonly<Record<AgentsProblem, string>>,
}

type Words = typeof en

const zh: Words = {
  store: '插件商店',
  storeWithOff: (count) => `插件商店：${count} 个插件未运行`,
  storeWithUpdates: (count) => `插件商店：${count} 个更新`,
  aboutStore: '查找插件，安装前先在配置档的副本中测试',
  openWide: '全宽显示',
  inStore: '在插件商店中查看',
  close: '关闭',
  isOff: '插件商店未启用。',
  howOn: '请在此配置档的 cordis.patch.yml 中修正 dsh-plugin-plugmark 一项，Harness 会立即重新加载。',
  noAnswer: {
    none: 'Harness 没有响应。',
    'signed-out': '此页面的 Harness 登录已失效。请通过 Harness 启动时显示的地址重新打开。',
    far: '插件商店只能在运行 Harness 的机器上使用。请在那台机器上打开此页面。',
  },
  failed: '插件商店出错了，页面的其他部分不受影响。',
  again: '重试',
  others: (names) => `此配置档中还有另一个插件商店（${names}），但未启用。请移除其中一个。`,
  agents: {
    'no-tools': '智能体无法使用商店：当前 Harness 不支持工具。',
    'other-tool': '智能体无法使用商店：另一个插件已有同名工具。详情见 Harness 日志。',
    'tools-refused': '智能体无法使用商店：当前版本的 Harness 不接受商店的工具。',
    'no-approval': '智能体只能查找插件，不能进行任何更改：当前 Harness 无法向你请求批准。',
  },
}

export const wordsOf = (language: string): Words => (/^zh\b/i.test(language) ? zh : en)

/** Returns the texts in the harness's language, and subscribes to its changes. */
export const useWords = (shell: Shell): Words => wordsOf(useValue(shell.language))
