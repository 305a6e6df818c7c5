import type { Texts } from '../en/index.ts'

export const finding: Texts['finding'] = {
  search: '搜索插件',
  completions: '搜索建议',
  plugins: '插件',
  results: '结果',
  count: (shown) => `${shown} 个插件`,
  passed: (passed, approvals) => {
    if (approvals === 0) return '已通过安装检查'
    return passed === 0 ? '需要批准' : `${passed} 个已通过安装检查，${approvals} 个需要批准`
  },
  installHere: (count) => (count === 0 ? '未确认可在此安装' : `其中 ${count} 个确认可在此安装`),
  asking: '正在插件目录中搜索更多结果…',
  askFailed: '无法连接插件目录，以下结果来自已存储的列表。',
  waiting: (count) => `显示新加载的 ${count} 个插件`,
  noListing: (id) => `插件目录中没有 ${id}。`,
  refresh: '刷新',
  filters: '筛选',
  filtersOn: (count) => (count === 0 ? '筛选' : `筛选（${count}）`),
  closeFilters: '关闭筛选',
  clear: '清除筛选',
  chips: '当前筛选条件',
  facetValue: (facet, value) => `${facet}：${value}`,
  removeChip: (name) => `移除筛选条件：${name}`,
  moreFilters: '更多筛选条件',
  more: '更多',
  fewer: '收起',
  sort: '排序',
  bestMatch: '最佳匹配',
  sorts: { stars: '星标数', pushed: '最近更新', checked: '最近检查', name: '名称' },
  unknownKey: (key, keys) => `未知的筛选条件“${key}:”，已忽略。可用的筛选条件有 ${keys}。`,
  nearKey: (key, near) => `未知的筛选条件“${key}:”，已忽略。你是不是想用“${near}:”？`,
  unknownValue: (noun, values) => `未知的${noun}“${values}”，已忽略。`,
  strangeValue: (noun, value, near) =>
    `未知的${noun}“${value}”。${near === undefined ? '' : `你是不是想用“${near}”？`}`,
  row: {
    notInstallable: '无法安装',
    sharedStars: (count) => `${count}（整个仓库）`,
    doesNotFit: '不适用',
    pushed: (ago) => `${ago}更新`,
    problems: (count) => `${count} 个已知问题`,
    passed: (ago) => `${ago}通过`,
    retry: '重新尝试…',
    retryNamed: (name) => `重新尝试安装 ${name}`,
  },
  details: {
    title: '详情',
    loading: '正在加载详情…',
    failed: (message) => `无法加载详情。${message}`,
    showAnyway: '仍要显示命令',
    siblings: '同一仓库中的其他插件',
    byOwner: (owner) => `${owner} 的全部插件`,
    undescribed: '无法连接插件目录，因此只能显示名称。',
  },
  none: {
    title: '没有匹配的插件',
    text: '请换用其他中文或英文词语，或清除搜索后按类别浏览。',
    elsewhere: '在 GitHub 上搜索',
    clearSearch: '清除搜索',
  },
  searchAll: (count) => `显示全部（${count}）`,
  hidden: (count, _, isChosen) => `另有 ${count} 个${isChosen ? '被筛选条件排除' : '未通过安装检查'}。`,
  outside: (count, isCategory) =>
    isCategory ? `此分类之外有 ${count} 个匹配的插件。` : `清除筛选后有 ${count} 个匹配的插件。`,
  corrected: ['正在显示', ' 的结果。'],
  searchInstead: (words) => `仍搜索“${words}”`,
  didYouMean: ['你是不是想找', '？'],
  partial: (complete) =>
    complete === 0
      ? '没有插件与全部词语相关，每个插件注明了找到的词。'
      : `只有前 ${complete} 个插件与全部词语相关，其余插件注明了找到的词。`,
  has: (words) => `找到：${words}`,
  missing: (words) => `未找到的词：${words}。`,
  nothingPassed: {
    title: '还没有插件通过安装检查',
    text: '插件目录收录了一些插件，但尚未确认任何一个的安装命令可用。',
  },
  emptyDirectory: { title: '插件目录中没有插件', text: '请稍后重试，或在配置中改用其他插件目录。' },
  unverifiable: {
    title: '此插件目录没有可靠的安装检查结果',
    text: '无法确定哪些插件通过了安装检查，因此不会将任何插件显示为“已通过”。',
  },
  loading: '正在加载插件目录…',
  answersError: '它的回答不正确，请稍后重试，或检查其地址。',
  failed: '无法加载插件目录',
  offline: { title: '无法连接插件目录', text: '请检查商店所在机器的网络连接，然后重试。' },
  retry: '重试',
  otherSite: (offered, stored) => `插件目录的列表现在来自 ${offered}，而已存储的列表来自 ${stored}。`,
  olderIndex: (offered, stored) => `插件目录的列表发布于 ${offered}，早于已存储的列表：${stored}。`,
  replaceIndex: '替换已存储的列表',
  copyOf: (age, time) => `显示的是${age}（${time}）的列表。`,
  partCopy: '目前只显示已读取的部分。',
  offlineNow: '当前离线。',
  rejected: (count) => `插件目录中有 ${count} 条记录无法读取，已跳过。`,
  directory: '插件目录',
}

export const facets: Texts['facets'] = {
  verdict: {
    title: '安装检查',
    values: { installs: '已通过或需要批准', passed: '已通过', 'needs-approval': '需要批准', all: '全部插件' },
  },
  traits: {
    title: '只显示',
    values: { installable: '可安装', installed: '已安装', updatable: '有更新', new: '上次查看后新增' },
  },
  fits: { title: '适用于当前 Harness', values: { yes: '适用', no: '不适用', unknown: '未知' } },
  category: { title: '分类' },
  risk: { title: '风险标记', values: { none: '插件目录未标记' } },
  license: { title: '许可证', values: { none: '未注明' } },
  language: { title: '编程语言', values: { none: '未注明' } },
  owner: { title: '作者' },
  stars: { title: '星标数' },
  pushed: { title: '最近更新' },
}

export const keys: Texts['keys'] = {
  category: { names: ['分类', '类别'], noun: '分类' },
  risk: { names: ['风险'], noun: '风险标记' },
  license: { names: ['许可证', '许可'], noun: '许可证' },
  language: { names: ['语言', '编程语言'], noun: '编程语言' },
  owner: { names: ['作者', '所有者'], noun: '作者' },
  stars: { names: ['星标', 'stars'], noun: '星标数' },
  pushed: { names: ['更新', 'pushed'], noun: '日期' },
  fits: { names: ['适用'], noun: '选项' },
  is: { names: ['状态'], noun: '状态' },
  sort: { names: ['排序'], noun: '排序' },
}

const atHost = (host: string | null) => host ?? 'GitHub'

export const details: Texts['details'] = {
  reading: '正在读取…',
  facts: {
    title: '基本信息',
    newest: (version, date) => (date === null ? version : `${version}（${date}）`),
    installed: (version, date) => (date === null ? `已安装 ${version}` : `已安装 ${version}（发布于 ${date}）`),
    available: (installed, newest) => `已安装 ${installed}，可更新到 ${newest}`,
    pushed: (date) => `仓库于 ${date}更新`,
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
    installNamed: (version) => `安装 ${version} 版`,
    newest: '最新',
    installed: '已安装',
    fits: (fits) => (fits === null ? '未说明是否适用' : fits ? '适用于当前 Harness' : '不适用于当前 Harness'),
    deprecated: (message) => `已弃用：${message}`,
    more: (count) => `另有 ${count} 个更早的版本未显示。`,
    repository: '此插件直接从代码仓库安装，始终为最新状态，没有可选版本。',
  },
  source: {
    title: '来自代码仓库',
    asks: '由运行商店的机器向 GitHub 请求。README 打开后，查看其他插件时也会显示。',
    kinds: { readme: 'README', changes: '更新日志' },
    none: { readme: '没有 README。', changes: '没有更新日志。' },
    issues: '未关闭的问题',
    openIssues: (count) => `有 ${count} 个未关闭的问题和拉取请求。`,
    archived: '所有者已将其归档，不再更新。',
    languages: { en: 'English', zh: '中文' },
  },
}
