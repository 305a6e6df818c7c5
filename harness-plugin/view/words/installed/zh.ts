import type { InstalledWords } from './types.ts'

export const installed: InstalledWords = {
  installedView: {
    views: '视图',
    find: '查找插件',
    installed: '已安装',
    title: (profile) => `配置档 ${profile} 中已安装的插件`,
    profile: '配置档',
    check: '检查更新',
    checking: '正在查询新版本…',
    checked: (count, number) => (number === 0 ? '没有更新的版本。' : `${count} 个插件有新版本。`),
    reading: '正在读取配置档…',
    none: '除 Harness 自带的以外，此配置档没有其他插件。',
    newer: (version) => `有新版本 ${version}`,
    from: (spec) => `安装来源：${spec}`,
    details: '详情',
    detailsOf: (name) => `${name} 的详情`,
    updateNamed: (name) => `更新 ${name}`,
    removeNamed: (name) => `移除 ${name}`,
    missing: '它的文件不存在：配置档中写有它，但没有安装。',
    notALayer: 'Harness 不会加载它：它不是此配置档的插件层。',
    why: {
      store: '这就是商店本身，请在终端中手动更新或移除。',
      'not-in-directory': '目录没有收录它，因此商店不会动它。',
      'other-source': '它的来源与目录的安装来源不同，因此商店不会动它。',
      directory: '无法向目录查询它，因此商店暂时不会动它。',
    },
  },
}
