import type { Texts } from '../en/index.ts'

export const undo: Texts['undo'] = {
  made: {
    install: (names) => `安装了 ${names}`,
    approve: (names) => `安装了 ${names}`,
    update: (names) => `更新了 ${names}`,
    remove: (names) => `移除了 ${names}`,
    enable: (names) => `启用了 ${names}`,
    disable: (names) => `停用了 ${names}`,
    undo: (names) => (names === '' ? '撤销了一次更改' : `撤销了对 ${names} 的更改`),
    repair: () => '修复了配置档',
  },
  last: (change) => `上次更改：${change}。`,
  open: '撤销…',
  title: '撤销上次更改',
  brings: '将发生的变化',
  isRemoved: (version) => `移除 ${version}`.trim(),
  isInstalled: (version) => `重新安装 ${version}`.trim(),
  isEnabled: '重新启用',
  isDisabled: '重新停用',
  unchanged: '保持不变',
  changed: (files) => `此后其他程序修改了 ${files.join('、')}，因此无法撤销此更改。`,
  means: '配置档的文件和软件包将恢复到更改之前的状态。撤销之后也可以再次撤销。',
  confirm: '撤销',
}
