import type { Texts } from '../en/index.ts'

const atHost = (host: string | null) => host ?? 'GitHub'

export const details: Texts['details'] = {
  checkedOn: (day) => `${day}。`,
  reading: '正在读取…',
  facts: {
    title: '基本信息',
    newest: (version, date) => (date === null ? version : `${version}（${date}）`),
    pushed: (date) => `${date}推送`,
    noLicense: '未注明许可证',
    downloads: (text) => `最近一周下载 ${text} 次`,
  },
  problems: {
    'not-found': (host) => `${atHost(host)} 上没有此内容。`,
    unauthorized: (host) => `${atHost(host)} 要求登录。请用 “pnpm login” 登录，然后重试。`,
    busy: (host) => `${atHost(host)} 要求稍候，请几分钟后重试。`,
    unreachable: (host) => `${atHost(host)} 没有响应。请检查网络，然后重试。`,
    unreadable: (host) => `${atHost(host)} 返回了无法识别的内容。`,
    'too-large': () => '内容过大，无法在此显示。请直接查看源代码。',
    refused: () => '商店无法查询。请刷新页面后重试。',
  },
  versions: {
    title: (count) => `版本（${count}）`,
    install: '安装',
    installNamed: (version) => `查看并安装 ${version} 版`,
    newest: '最新',
    installed: '已安装',
    fits: (fits) => (fits === null ? '未说明是否适用' : fits ? '适用于当前 Harness' : '不适用于当前 Harness'),
    deprecated: (message) => `已弃用：${message}`,
    more: (count) => `另有 ${count} 个更早的版本未显示。`,
    repository: '此插件直接从代码仓库安装，始终为最新状态，没有可选版本。',
  },
  source: {
    title: '来自代码仓库',
    asks: '按下按钮后才会读取。届时 GitHub 会得知运行商店的机器的地址。',
    kinds: { readme: 'README', changes: '更新日志' },
    none: { readme: '没有 README。', changes: '没有更新日志。' },
    issues: '未关闭的问题',
    openIssues: (count) => `有 ${count} 个未关闭的问题和拉取请求。`,
    archived: '所有者已将其归档，不再更新。',
    languages: { en: 'English', zh: '中文' },
    pictures: (count) => `显示 ${count} 张图片`,
  },
}

export const compare: Texts['compare'] = {
  same: '相同之处',
  title: '比较插件',
  chosen: '待比较：',
  button: '比较',
  full: '最多可比较四个插件，请先移出一个。',
  show: '并排比较',
  oneMore: '请在另一个插件的详情中再选一个。',
  remove: (name) => `将 ${name} 移出比较`,
  detailsOf: (name) => `${name} 的详情`,
  summary: '简介',
  newest: '最新版本',
  downloads: '最近一周下载次数',
  size: '大小',
  unlisted: '插件目录未收录此插件，或没有响应。',
}
