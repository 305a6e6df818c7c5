import { versionText } from '../../protocol/package-id.ts'
import { ANY_BUILDS } from '../../protocol/review-facts.ts'
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
  checked: (count, number, isWaiting, held = 0) => {
    if (number === 0 && held > 0) return `${held} 个更新已固定，暂不更新。`
    if (number === 0) return isWaiting ? '暂无可用更新。' : '所有插件均为最新版本。'
    return `${count} 个插件有可用更新。`
  },
  reading: '正在加载已安装的插件…',
  none: '此配置档中只有 Harness 自带的插件。',
  program: (command, version) => `当前 Harness：${version ?? command.split(/[\\/]/).at(-1)}。`,
  search: '搜索已安装的插件',
  advisories: (count) => `它或其所安装的软件包有 ${count} 个已知问题，见“维护”。`,
  waiting: ({ version, until, pnpm, minutes }) =>
    `${version} 将于 ${formatTime('zh', Date.parse(until))} 起可用：pnpm ${pnpm} 会在新版本发布 ${formatMinutes('zh', minutes)}后才安装。`,
  unseen: ({ version, until, pnpm, minutes }) =>
    `软件包仓库中有 ${version}，但 pnpm ${pnpm} 在上次查询 ${formatMinutes('zh', minutes)}后才会再次查询，最迟 ${formatTime('zh', Date.parse(until))}。如需现在安装，请选择版本 ${version}。`,
  newer: (installed, newest) => `${installed}，可更新到 ${newest}`,
  from: (spec) => `安装来源：${spec}`,
  listedAs: (source) => `插件目录现在的安装来源：${source}`,
  news: (news) => {
    if (news.kind === 'deprecated') return `作者已弃用已安装的版本：${news.message}`
    if (news.kind === 'withdrawn') return '已安装的版本已被撤回，软件包仓库中不再有它。'
    if (news.kind === 'moved-back') return `现在的最新版本是 ${news.latest}，比已安装的版本旧。`
    if (news.kind === 'archived') return '其代码仓库已归档，不再更新。'
    return `其代码仓库现在是 ${news.to}。`
  },
  updateProblem: {
    'not-found': '其软件包或代码仓库的分支已不存在，因此没有更新。',
    unauthorized: '无法得知是否有新版本：其软件包仓库要求登录。请用 “pnpm login” 登录，然后重新检查。',
    'no-answer': '无法得知是否有新版本：其来源没有响应，或已不存在。',
  },
  details: '详情',
  detailsOf: (name) => `${name} 的详情`,
  updateNamed: (name) => `更新 ${name}`,
  releases: '更新日志',
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

const clients: Readonly<Record<string, string>> = {
  dsh: 'Harness',
  koishi: 'Koishi 控制台',
  cli: '命令行',
  agent: '智能体',
}

/** Says what an undo or a redo made of a plugin, without a full stop. @param now its version, or what it is */
export function nowIs(name: string, now: string): string {
  if (now === 'removed') return `已不再安装 ${name}`
  if (now === 'enabled') return `已重新启用 ${name}`
  if (now === 'disabled') return `已重新停用 ${name}`
  return now === 'installed' ? `已重新安装 ${name}` : `已重新安装 ${name} ${now}`
}

export const history: Texts['history'] = {
  title: '历史记录',
  none: '此配置档还没有任何更改。',
  loading: '正在加载历史记录…',
  loadingLog: '正在加载日志…',
  older: (count) => `显示更早的 ${count} 条`,
  open: (name) => `${name} 的详情`,
  isUndone: '可撤销',
  isRedone: '可重做',
  withoutHolds: '固定插件不会更改配置档，因此不在此列出。',
  named: (title, names) => (names === '' ? title : `${title}：${names}`),
  client: (client) => (Object.hasOwn(clients, client) ? clients[client]! : client),
  change: ({ name, before, after }) => {
    const [was, is] = [before && versionText(before), after && versionText(after)]
    if (after === null) return `移除了 ${name} ${was ?? ''}`.trimEnd()
    // Of missing files the version is unknown.
    if (before === null || (is && !was)) return `安装了 ${name} ${is ?? ''}`.trimEnd()
    if (was !== is) return `更新了 ${name} ${was} → ${is}`
    return `${after.enabled ? '启用' : '停用'}了 ${name} ${is}`.trimEnd()
  },
  result: ({ name, before, after }) => {
    if (after === null) return nowIs(name, 'removed')
    if (before === null) return nowIs(name, versionText(after) || 'installed')
    const [was, is] = [versionText(before), versionText(after)]
    return was === is ? nowIs(name, after.enabled ? 'enabled' : 'disabled') : `${name} ${was} → ${is}`
  },
}

export const undo: Texts['undo'] = {
  made: {
    install: (names) => `安装了 ${names}`,
    approve: (names) => `安装了 ${names}`,
    update: (names) => `更新了 ${names}`,
    remove: (names) => `移除了 ${names}`,
    enable: (names) => `启用了 ${names}`,
    disable: (names) => `停用了 ${names}`,
    undo: (names) => (names === '' ? '撤销了一次更改' : `撤销了一次更改：${names}`),
    redo: (names) => (names === '' ? '重做了一次更改' : `重做了一次更改：${names}`),
    repair: () => '修复了配置档',
    sync: () => '按文件更改了插件',
  },
  last: (change) => `上次更改：${change}。`,
  open: '撤销…',
  openRedo: '重做…',
  title: '撤销上次更改',
  titleRedo: '重做已撤销的更改',
  brings: '之后：',
  changed: (files, isRedo) => `此后其他程序修改了 ${files.join('、')}，因此无法${isRedo ? '重做' : '撤销'}此更改。`,
  means: '配置档的文件和软件包将恢复到更改之前的状态。之后还可以恢复回来。',
  confirm: '撤销',
  redo: '重做',
}

export const updates: Texts['updates'] = {
  count: (count) => `${count} 个更新`,
  title: '更新',
  checkedAt: (ago) => `上次检查：${ago}。`,
  unknownSince: (time) => `自 ${time} 起未能查询部分已知问题。`,
  automatic: '自动检查更新',
  asks: '商店或 DeepSeek Harness 的页面打开时，最多每六小时检查一次：向软件包仓库查询最新版本和已知问题，向代码托管平台查询最新提交。',
  all: '全部更新',
  allTitle: (profile) => `更新配置档 ${profile} 中的插件`,
  setAside: (count) => `${count} 个更新暂未勾选：请先查看新增内容，再勾选要更新的插件。`,
  confirm: (count) => (count < 2 ? '更新' : `更新 ${count} 个插件`),
  holdThis: '固定此版本…',
  unhold: '取消固定',
  skip: (version) => `跳过 ${version}`,
  unskip: '重新提示此更新',
  hold: '固定',
  holdTitle: (name, version) => `固定 ${name} ${version}`.trim(),
  holdMeans: '取消固定之前，不会提示更新此插件。',
  reason: '原因（可选）',
  held: ({ reason, skips, isUnknown }) => {
    if (isUnknown) return '无法读取哪些插件已固定，请检查并修复配置档。'
    if (skips) return `已跳过 ${skips}。`
    return reason === null ? '已固定在此版本。' : `已固定在此版本：${reason}`
  },
}

export const profileLock: Texts['profileLock'] = {
  menu: '插件文件',
  save: '保存为文件',
  saved: (file) => `浏览器会将其保存为 ${file}。`,
  make: '应用文件…',
  title: (profile) => `将文件应用到配置档 ${profile}`,
  confirm: (count) => (count === 0 ? '应用' : count === 1 ? '安装' : `安装 ${count} 个插件`),
  present: '已安装。',
  made: (drift) => `将与文件一致。${drift}`,
  warnings: {
    problems: (names) => `随之安装的软件包有 ${names.length} 个已知问题：${names.join('；')}。`,
    'not-looked-up': (names) => `无法查询已知问题：${names.join('、')}。`,
    platform: (names) =>
      `据 package.json，以下软件包不适用于此系统，或没有适用于此系统的原生部分：${names.join('、')}。`,
    builds: (keys) =>
      `此前已允许、可不经询问直接运行的构建脚本：${keys.join('、').replace(ANY_BUILDS, '所有软件包')}。`,
  },
  holds: (reason) => `安装后保持固定在其版本${reason === null ? '。' : `：${reason}`}`,
  same: '无需操作：配置档已有文件中的所有插件。',
  unread: {
    'not-understood': '这不是软件包或仓库。',
    'not-listed': '插件目录没有收录它，请手动安装。',
    several: '有多个插件叫这个名称，请写成 owner/repo。',
    'folder-at-commit': '仓库中的文件夹无法按某个提交安装，请手动安装。',
    'no-commit': '其仓库的任何分支或标签都没有这个提交：历史已被改写，或者它属于某个派生仓库。已略过。',
    'commit-unknown': '未能读取其仓库的分支或标签是否有这个提交。已略过，请重试。',
    'not-there':
      '已略过：此配置档使用上面所示的软件包仓库，其中没有它。如需使用其他仓库，请运行“plugmark config registry 地址”，或在插件商店的设置中修改“软件包仓库”。',
    'other-bytes': '软件包仓库中此版本的内容与文件所述不同，已略过。',
    'no-version': '软件包仓库没有这样的版本，或没有应答。',
    'other-lock':
      '文件中的 pnpm-lock.yaml 无法在此使用，或所记录的来源与文件所述不同，因此只采用插件的版本，不采用其软件包。',
  },
  unreadable: '浏览器无法读取此文件，请重新选择。',
  problems: {
    'not-json': (where) => `文件不是 JSON：${where}`,
    'other-form': (where) =>
      `文件不是锁定文件（plugmark.lock.json）、带有 dependencies 的 package.json，也不是每行一个插件的列表。${where && `出错的位置：${where}。`}`,
    newer: (format) => `文件由更新的 Plugmark 写出（格式 ${format}）。请更新 Plugmark 后重试。`,
    'no-lock': () => '这是插件列表。配置档不应有哪些插件、另有哪些内容，只有锁定文件才会说明。',
    'too-long': (most) => `文件中的插件超过 ${most} 个。`,
    'too-big': () => '文件太大，页面无法处理。请在终端中使用“plugmark sync”。',
    'not-frozen': (names) => `由于 ${names}，配置档无法采用文件中完全相同的软件包。不加 --frozen 时，插件的版本相同。`,
  },
  drift: ({ kind, name, wanted, found }) => {
    if (kind === 'held' && wanted === null) return `${name} 在这里已固定，文件中没有。`
    if (kind === 'held') return `${name} 在文件中已固定${wanted === '' ? '' : `（${wanted}）`}，与这里不同。`
    const state = (word: string | null) => (word === 'off' ? '停用' : '启用')
    const has = (value: string | null) => (value === null ? '没有' : `是 ${value}`)
    const named = (value: string) => `${name} ${value}`.trim()
    if (kind === 'off') return `${name} 在文件中是${state(wanted)}，这里是${state(found)}。`
    if (kind === 'order') return `文件中的加载顺序：${wanted}；这里：${found}。`
    if (kind === 'setting') return `pnpm 设置 ${name}：文件中${has(wanted)}，这里${has(found)}。`
    if (kind === 'patch')
      return `${name} 会更改软件包的代码，安装前查看时不会显示：${wanted === null ? '仅这里有' : `${found === null ? '仅文件中有' : '内容不同'}，请在文件中查看`}。`
    if (kind === 'packages') return `插件所需的软件包有 ${found} 个不同：${name}。`
    if (kind === 'local') return `文件中只有 ${name} 的名称，没有来源，请手动安装。`
    if (kind === 'harness' && (found === null || wanted === null))
      return `Harness 自带的 ${name} 仅${found === null ? '文件中' : '这里'}有，应用文件不会更改这一点。`
    if (found === null) return `仅文件中有 ${named(wanted ?? '')}。`
    return wanted === null ? `仅这里有 ${named(found)}。` : `${name}：文件中是 ${wanted}，这里是 ${found}。`
  },
}

export const settings: Texts['settings'] = {
  open: '设置…',
  title: '商店设置',
  names: {
    api: '插件目录',
    registry: '软件包仓库',
    proxy: '代理',
    trial: '安装前测试',
    startLimit: '启动时限',
    timeLimit: '安装时限',
    restart: '重启方式',
  },
  ifEmpty: (text) => `留空则使用${/^\w/.test(text) ? ' ' : ''}${text}。`,
  seconds: '秒',
  check: '检查',
  checking: '正在检查…',
  answers: '响应正常。',
  silent: '没有正常响应。请检查地址和网络。',
  more: '更多设置',
  save: '保存',
  saved: '已保存，商店正在按新设置重新加载。',
  kept: (file) => `保存在 ${file} 中，其他设置也在该文件里。`,
}
