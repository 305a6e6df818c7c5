import type { OutcomeKind } from '../../protocol/index.ts'
import type { Texts } from '../en/index.ts'
import type { repaired as en } from '../en/repair.ts'
import { installedView } from './installed.ts'
import { pluginState } from './plugin-states.ts'

const finding: Texts['profileCheck']['finding'] = ({ kind, subjects, state, news }) => {
  const names = subjects.join('、')
  const [first = '', second = ''] = subjects
  return {
    'harness-missing': '找不到 Harness 的程序。',
    'not-harness': '找到的程序不是 Harness。',
    'package-manager-missing': '找不到 pnpm，Harness 用它安装插件。',
    'profile-missing': `配置档不存在。${names && `现有：${names}。`}`,
    'profile-unreadable': `无法读取配置档。请改正此文件：${names}`,
    'does-not-start': `Harness 无法从此配置档启动${names ? `：${names}` : '。'}`,
    'node-too-old': `Node.js ${first} 对 Harness 来说太旧：${second} 请安装较新的版本。`,
    'start-unknown': `无法确定 Harness 能否从此配置档启动：${subjects.join(' ')}`,
    'harness-changed': `此 Harness 缺少商店所依赖的部分，商店的某些功能将无法使用：${names}。请报告此问题。`,
    'plugin-broken': `${names}：${state === null ? '' : pluginState.sentence(state)}`,
    'row-inactive': `配置档中有一项没有运行：${names}`,
    'layer-not-installed': `${names} 的文件缺失：配置档会加载它，但它没有安装。`,
    'plugin-news': `${names}：${news ? installedView.news(news) : ''}`,
    malware: `${second} 是已知的恶意软件${first === second ? '' : `，随 ${first} 安装`}。请将其移除。`,
    'layer-twice': `配置档中列出了两次 ${names}。`,
    'layer-not-enabled': `${names} 已安装，但未启用。`,
    'page-part-broken': `插件的网页部分有错误，网页因此无法显示：${names}`,
    'page-does-not-load': `Harness 可以启动，但其网页无法显示：${names}`,
    'trial-removed': '已删除一次测试遗留的无用文件。',
    'job-running': '另一个程序正在处理此配置档，请在其结束后重新检查。',
    'harness-locked': `Harness 在配置档中留下了 ${names}，并会为它等待最多两分钟。如果当前没有 Harness 正在启动或安装，请删除它。`,
    'job-unfinished': '之前的任务未能回滚。',
    'job-recovered': '之前的任务被中断，配置档已恢复原样。',
    'journal-unreadable': '无法读取之前任务的日志。',
    'store-outdated': '较新版本的 Plugmark 在此配置档中留下了未完成的任务。请更新 Plugmark。',
    'state-unreadable': `无法读取商店在此配置档中保存的内容：${names}。修复之前，所有插件都视为已固定，也不能撤销。`,
    'state-newer': `较新版本的 Plugmark 写入了 ${names}。请更新 Plugmark。`,
    'cache-unreadable': `无法读取以下文件，商店会自动重新写入：${names}。`,
    'unreadable-kept': `无法读取的内容已保存在配置档文件夹的 ${names} 中。`,
  }[kind]
}

const step: Texts['repair']['step'] = ({ action, name, version, state }) =>
  ({
    enable: `重新加载 ${name}`,
    install: `重新安装 ${name} 的文件`,
    update: `安装 ${name} ${version}，该版本声明支持 Harness ${state.harnessVersion}`,
    unpin: `移除对 ${name} 的版本固定`,
    'take-out': `不再加载未安装的 ${name}`,
  })[action]

const leaves: Texts['repair']['leaves'] = ({ version, why }) =>
  ({
    held: `版本 ${version} 声明支持。该插件已固定：取消固定后才能更新。`,
    malware: `版本 ${version} 声明支持，但它是已知的恶意软件，或随附恶意软件。`,
    unknown: `版本 ${version} 声明支持。无法查询其已知问题：请自行查看并确认更新。`,
    builds: `版本 ${version} 声明支持。其构建脚本可能不经询问就运行：请自行查看并确认更新。`,
  })[why]

const DONE: Readonly<Partial<Record<OutcomeKind, (names: string) => string>>> = {
  enabled: (names) => `已重新加载 ${names}。`,
  registered: (names) => `已重新安装 ${names} 的文件。`,
  updated: (names) => `现为 ${names}。`,
  repaired: (names) => `不再固定 ${names} 的版本。`,
  disabled: (names) => `不再加载 ${names}。`,
}

export const repaired: typeof en = ({ subjects, parts = [] }) => {
  const namesOf = (kind: string) =>
    parts.filter((part) => part.kind === kind).map(({ listing, subjects }) => [listing, ...subjects].join(' '))
  const done = Object.entries(DONE).flatMap(([kind, sentence]) => {
    const names = namesOf(kind)
    return names.length > 0 ? sentence(names.join('、')) : []
  })
  const off =
    subjects.length > 0 ? [`不再加载 ${subjects.join('、')}，因为无法正常工作。已安装的插件仍保留，可以重新启用。`] : []
  return ['Harness 可以使用此配置档启动。', ...done, ...off, '配置档中的其他内容均未更改。'].join('')
}

export const repair: Texts['repair'] = {
  needed: (count) => `此配置档中有 ${count} 个插件未正常工作`,
  open: '如何处理…',
  title: (profile) => `修复配置档 ${profile}`,
  loading: '正在查找可修复的问题…',
  does: '将执行以下操作：',
  step,
  leaves,
  left: '以下各项需由你决定，保持不变：',
  nothing: '由你决定如何处理：',
  fine: '没有需要修复的问题。',
  how: '所有操作会先在配置档的副本中测试（插件代码会在其中运行），最后全部保留或全部撤销。如果 Harness 无法启动，将停用导致此问题的最少数量的插件，这些插件仍保持安装。',
  start:
    '如果 Harness 无法从此配置档启动，将停用导致此问题的最少数量的插件，这些插件仍保持安装。会先在配置档的副本中测试。',
  confirm: '修复',
}

export const profileCheck: Texts['profileCheck'] = {
  title: 'Harness 与配置档',
  check: '检查配置档',
  checking: '正在从此配置档的副本启动 Harness…',
  start: {
    starts: 'Harness 可以从此配置档启动。',
    'does-not-start': 'Harness 无法从此配置档启动。',
    'not-tried': '不清楚 Harness 能否从此配置档启动。',
  },
  at: (time) => `检查时间：${time}`,
  finding,
}

export const upgradeCheck: Texts['upgradeCheck'] = {
  title: '升级 Harness 之前',
  about: '显示此配置档中的哪些插件声明支持其他版本的 Harness。会向软件包仓库查询 Harness 的版本，以及不适用的插件。',
  version: 'Harness 版本',
  newest: '最新版本',
  check: '检查',
  checking: '正在检查…',
  badVersion: '请输入版本号，例如 0.2.1。',
  noVersion: '无法从软件包仓库得知最新版本，请输入一个版本号。',
  fits: (version) => `此配置档中没有与 Harness ${version} 冲突的内容。`,
  doesNotFit: (version, count) => `此配置档中有 ${count} 项不适用于 Harness ${version}。`,
  columns: { plugin: '插件', installed: '已安装版本', fits: '是否适用', newer: '适用的版本' },
  answer: { yes: '是', no: '否', unknown: '未声明' },
}
