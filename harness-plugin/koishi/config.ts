import { BASE_URL, DEFAULTS } from '@plugmark/shared/contract'
import { Schema } from 'koishi'

export interface Config {
  readonly api: string
  readonly cli: string
  /** Program and leading arguments; empty for `cli`. */
  readonly command: readonly string[]
  /** Empty for the harness's own default. */
  readonly home: string
  readonly profile: string
  /** Empty for what the profile and the person have set. */
  readonly registry: string
  /** Empty for what the environment says. */
  readonly proxy: string
  readonly trial: boolean
  /** In seconds. */
  readonly startLimit: number
  /** In seconds. */
  readonly timeLimit: number
  /** A command, or the address of a page; empty where there is neither. */
  readonly restart: string
  readonly allowedHosts: readonly string[]
  readonly authority: number
}

/** A value of another kind is refused by the console's own form; one without sense by the host, when it is loaded. */
export const Config = Schema.object({
  api: Schema.string().role('link').default(BASE_URL),
  cli: Schema.string().default(DEFAULTS.cli),
  command: Schema.array(Schema.string()).default([]),
  home: Schema.string().default(''),
  profile: Schema.string()
    .pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
    .default(DEFAULTS.profile),
  registry: Schema.string().role('link').default(''),
  proxy: Schema.string().role('link').default(''),
  trial: Schema.boolean().default(true),
  startLimit: Schema.natural().min(5).max(600).default(30),
  timeLimit: Schema.natural().min(10).max(86_400).default(600),
  restart: Schema.string().default(''),
  allowedHosts: Schema.array(Schema.string()).default([]),
  authority: Schema.natural().min(1).max(5).default(4),
}).i18n({
  'en-US': {
    api: 'Address of the directory that lists the plugins.',
    cli: 'Program that install commands name.',
    command: 'Program and leading arguments that start the harness here, one a line. Empty: the program above.',
    home: 'Directory the harness keeps its data in. Empty: what the harness itself would use.',
    profile: 'Profile that is offered first.',
    registry: 'Package registry that plugins are installed from. Empty: what the profile or npm’s own settings say.',
    proxy: 'Proxy of installs, http:// or https://. Empty: what the environment of the console says.',
    trial: 'Try each plugin in a copy of the profile first, and start the harness from that. Its code runs there too.',
    startLimit: 'Seconds that the harness may take to start in such a trial.',
    timeLimit: 'Seconds after which an install is ended, its trial included.',
    restart: 'Command that restarts the harness, or the address of a page that does. Shown after an install.',
    allowedHosts: 'Names, besides this machine’s own, under which the console is opened. Needs the auth plugin.',
    authority: 'Authority that a logged-in user needs. Has a meaning with the auth plugin only.',
  },
  'zh-CN': {
    api: '提供插件目录的地址。',
    cli: '安装命令中的程序名。',
    command: '在这台机器上启动 Harness 的程序及其前置参数，每行一个。留空则使用上面的程序名。',
    home: 'Harness 的数据目录。留空则与 Harness 自身的默认值相同。',
    profile: '默认的配置档。',
    registry: '安装插件所用的软件包仓库。留空则使用配置档或 npm 自身的设置。',
    proxy: '安装时使用的代理，以 http:// 或 https:// 开头。留空则使用控制台的环境变量。',
    trial: '先在配置档的副本中试装每个插件，并从副本启动 Harness。插件的代码在那里也会运行。',
    startLimit: '试装时启动 Harness 的时间上限（秒）。',
    timeLimit: '安装的时间上限（秒），包括试装。',
    restart: '重启 Harness 的命令，或可以重启它的网页地址。安装完成后显示。',
    allowedHosts: '除本机外，可用来打开控制台的主机名。需要 auth 插件。',
    authority: '登录用户所需的权限等级。仅在使用 auth 插件时有效。',
  },
})
