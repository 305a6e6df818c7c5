import type { Texts } from '../en/index.ts'

export const updates: Texts['updates'] = {
  count: (count) => `${count} 个更新`,
  checkedAt: (ago) => `上次检查：${ago}。`,
  automatic: '自动检查更新',
  asks: '商店打开时，最多每六小时检查一次：向软件包仓库查询各插件的最新版本；对来自代码仓库的插件，向代码托管平台查询最新提交。',
  all: '全部更新',
  allTitle: (profile) => `更新配置档 ${profile} 中的插件`,
  how: '更新方式',
  together: '一起更新：只要有一个失败，就全部不更新',
  each: '逐个更新：每个插件单独保留或撤销',
  confirm: (count) => (count < 2 ? '更新' : `更新 ${count} 个插件`),
  holdThis: '固定此版本…',
  unhold: '取消固定',
  skip: (version) => `跳过 ${version}`,
  unskip: '重新提示此更新',
  skipped: (version) => `已跳过 ${version}。`,
  hold: '固定',
  holdTitle: (name, version) => `固定 ${name} ${version}`.trim(),
  holdMeans: '取消固定之前，不会提示更新此插件。',
  reason: '原因（可选）',
  held: (reason) => (reason === null ? '已固定在此版本。' : `已固定在此版本：${reason}`),
}
