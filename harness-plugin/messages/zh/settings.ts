import type { Texts } from '../en/index.ts'

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
