import type { Compatibility } from '../../../bridge/index.ts'
import type { InstallingWords } from './types.ts'

const MEANS: Readonly<Record<Compatibility['state'], string>> = {
  met: '。',
  unknown: '。',
  refused: '。Harness 会拒绝它，因此不会开始安装。',
  allowed: '。已另行允许 Harness 使用它。',
  'not-enforced': '。Harness 不会检查这一点，插件可能无法工作。',
}

export const installing: InstallingWords = {
  review: {
    title: {
      install: (name) => `安装 ${name}`,
      approve: (name) => `批准并安装 ${name}`,
      update: (name) => `更新 ${name}`,
      remove: (name) => `移除 ${name}`,
      enable: (name) => `启用 ${name}`,
      disable: (name) => `停用 ${name}`,
    },
    loading: '正在查询…',
    command: '将要运行',
    checkedAs: (command) => `检查时运行的是：${command}`,
    spec: '内容',
    specPackage: (name) => `软件包仓库中的 ${name}，与目录条目一致`,
    specRepository: (name) => `代码仓库 ${name}，与目录条目一致`,
    profile: {
      install: '安装到配置档',
      approve: '安装到配置档',
      update: '所在配置档',
      remove: '移出配置档',
      enable: '所在配置档',
      disable: '所在配置档',
    },
    currentProfile: (name) => `${name}（当前）`,
    does: {
      update: '最新版本将取代现有版本。安装检查运行的可能是另一个版本。',
      remove: '插件将从配置档中移除。正在运行的 Harness 可能在重启前仍会保留它；任务结束时会说明。',
      enable: 'Harness 的插件管理器会把它加载到正在运行的 Harness 中，以后每次启动也会加载。',
      disable: 'Harness 的插件管理器会将它从正在运行的 Harness 中卸载。它仍然装在配置档中，可以再次启用。',
    },
    rights: '插件的代码将以你的权限在这台机器上运行。',
    trial: '会先在配置档的副本中试装，代码在那里也以同样的权限运行：试装并不是沙箱。',
    trialWithout: '会先从配置档的副本启动不含它的 Harness。',
    others: {
      off: '其他插件在副本中不会启动；只有它无法单独启动时，才会一并启动。',
      started: '其他插件也会在副本中运行，并使用你的账号。',
    },
    noTrial: '不会先在副本中试装：本插件的配置如此设定。',
    desktop:
      '无法先在副本中试装：它的配置档只能由桌面应用启动。没有成功的安装会被撤销；但插件是否会让应用出错，要到那时才知道。',
    approval: {
      title: '将要运行的脚本',
      keys: (setting) =>
        `这些脚本将以你的权限在这台机器上运行。以下的键会原样写入配置档 pnpm-workspace.yaml 的 ${setting}。`,
      otherVersion: '换了版本会重新询问。',
      everyVersion:
        '这个 pnpm 的键不能指定版本：只写名称，今后该软件包任何版本的脚本都会直接运行，不再询问。pnpm 10.19 及以上版本可以只允许一个版本。',
      unknownScripts: '这里不知道它会运行什么，请查看其源代码。',
    },
    compatibility: {
      title: 'Harness 版本',
      loading: '正在查询它要求的版本…',
      unknown: '无法事先得知它要求的 Harness 版本。',
      sentence: ({ state, harness, asks }) => {
        const wants = asks.length > 0 ? `它要求 ${asks.join('、')}` : '它对版本没有要求'
        return harness === null ? `${wants}。` : `${wants}；这个 Harness 是 ${harness}${MEANS[state]}`
      },
      caution: '它是为另一个版本的 Harness 编写的，可能使其崩溃或损坏数据。',
    },
    cautions: {
      'risk-flags': '它有风险标记。',
      'build-scripts': '它的构建脚本会在试着启动 Harness 之前运行。',
    },
    understood: '我已阅读以上警告。',
    confirm: {
      install: '安装',
      approve: '批准并安装',
      update: '更新',
      remove: '移除',
      enable: '启用',
      disable: '停用',
    },
    again: '重新查询',
    cancel: '取消',
    close: '关闭',
  },
  job: {
    title: {
      install: (name, profile) => `${name}，安装到配置档 ${profile}`,
      approve: (name, profile) => `${name}，安装到配置档 ${profile}`,
      update: (name, profile) => `${name}，在配置档 ${profile} 中更新`,
      remove: (name, profile) => `${name}，从配置档 ${profile} 移除`,
      enable: (name, profile) => `${name}，在配置档 ${profile} 中启用`,
      disable: (name, profile) => `${name}，在配置档 ${profile} 中停用`,
    },
    starting: '即将开始…',
    profileBusy: '正在等待另一个处理此配置档的程序',
    behind: (ahead) => `前面还有 ${ahead} 个任务`,
    running: {
      install: '正在安装…',
      approve: '正在安装…',
      update: '正在更新…',
      remove: '正在移除…',
      enable: '正在启用…',
      disable: '正在停用…',
    },
    cancelling: '正在取消…',
    cancel: '取消',
    details: '详情',
    recent: '最近的任务',
    hide: '隐藏',
    elapsed: '已用时',
    stages: '阶段',
    stage: { preparing: '准备', trying: '在副本中试装', starting: '启动副本', checking: '核对' },
    working: {
      install: '安装中',
      approve: '安装中',
      update: '更新中',
      remove: '移除中',
      enable: '启用中',
      disable: '停用中',
    },
    step: (step, of) => `${step}/${of}`,
    waiting: '等待中',
    cancelNamed: (title) => `取消：${title}`,
    ways: { approve: '批准…', again: '重试…', source: '源代码' },
    log: { copy: '复制日志', copied: '已复制', failed: '没有复制成功：请选中输出，手动复制。' },
    output: '输出',
    noOutput: '还没有输出。',
    outputGone: '没有它的输出。',
    dropped: (count) => `更早的 ${count} 行没有保留。`,
  },
}
