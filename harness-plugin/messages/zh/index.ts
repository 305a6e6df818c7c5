import type { Texts } from '../en/index.ts'
import { compare, details } from './details.ts'
import { facets, keys } from './facets.ts'
import { finding } from './finding.ts'
import { fit } from './fit.ts'
import { history } from './history.ts'
import { installedView } from './installed.ts'
import { job, review } from './jobs.ts'
import { outcomes } from './outcomes.ts'
import { pluginState, upgrade } from './plugin-states.ts'
import { profileCheck, repair, upgradeCheck } from './repair.ts'
import { settings } from './settings.ts'
import { undo } from './undo.ts'
import { updates } from './updates.ts'

export const zh: Texts = {
  facets,
  keys,
  finding,
  details,
  compare,
  fit,
  pluginState,
  upgrade,
  repair,
  profileCheck,
  upgradeCheck,
  history,
  settings,
  unlisted: {
    notListed: '插件目录没有收录此来源。',
    install: (source) => `安装未经检查的 ${source}…`,
    relativePath: '路径必须以 / 或 ~/ 开头。',
  },
  undo,
  updates,
  installedView,
  review,
  job,
  ...outcomes,
  title: '插件商店',
  broken: '出错了，无法显示此内容。',
  stars: (count) => `${count} 个星标`,
  install: '安装',
  installNamed: (name) => `安装 ${name}`,
  queued: '排队中',
  installed: '已安装',
  update: '更新',
  remove: '移除',
  byHand: '无法在此安装插件。请复制命令，并在 Harness 所在的机器上运行。',
  back: '返回列表',
  noSummary: '插件目录未提供简介。',
  source: '源代码',
  sourceOf: (name) => `${name} 的源代码`,
  package: '软件包',
  check: '安装检查',
  builds: '被阻止的构建脚本',
  buildsSentence: '安装检查未运行以下软件包的构建脚本：',
  harnessMissing: (cli) => `在这台机器上找不到“${cli}”，因此无法在此安装插件。请在商店配置中设置“command”。`,
  desktop: '桌面应用通过自带的插件管理器安装插件，无法先在测试副本中测试。',
  noProfiles: 'Harness 还没有配置档。请先启动一次 Harness，再重新打开此页面。',
  refused: {
    unauthorized: '请登录有权安装插件的账号，然后重试。',
    untrusted: '商店不信任此页面的来源。请在运行商店的机器上直接访问此页面的地址，不要经由代理。',
    'login-required': '登录后才能进行改动。请启用控制台的 auth 插件，或在商店配置中关闭“requireLogin”。',
    malformed: '页面与商店的版本不一致，请刷新页面。',
    'unknown-listing': '插件目录已不再收录此插件。',
    'unknown-profile': '此配置档不存在。请先用这个名称启动一次 Harness。',
    'unknown-job': '找不到此任务的记录。',
    'unknown-version': '无法从软件包仓库得知 Harness 的最新版本。',
    'not-installable': '无法通过商店安装此插件。',
    'not-installed': '此配置档未安装此插件。',
    'unknown-source':
      '没有这个软件包、仓库、文件夹或压缩包，或者其中没有带名称的 package.json。路径必须以 / 或 ~/ 开头。',
    'source-unreachable': '软件包仓库或代码托管网站没有响应。请检查网络，然后重试。',
    'source-unauthorized': '软件包仓库要求登录。请用 “pnpm login” 登录，然后重试。',
    'other-source': '配置档中已有来自其他来源的此插件，请先移除它。',
    'no-plugin-manager': '只有桌面应用才能更改此配置档。请在桌面应用中打开商店。',
    'nothing-blocked': '未发现此插件有被阻止的构建脚本。请重新安装以确认。',
    'unknown-package-manager':
      '无法获取 pnpm 版本，因此无法批准这些脚本。请确认“pnpm --version”可以正常运行，然后重新安装此插件。',
    'bad-token': '本次确认已过期或已使用过，请重新查看。',
    'not-acknowledged': '请先勾选“我已阅读以上警告”。',
    incompatible: '当前 Harness 不接受此版本的插件。请重新查看以了解原因。',
    'already-running': '此插件有任务正在进行。',
    'package-manager': '无法检查更新。请检查网络连接，然后重试。',
    directory: '无法连接插件目录。',
    'bad-setting': '有一项设置的值无效。',
    internal: '出错了，详情见商店日志。',
  },
}
