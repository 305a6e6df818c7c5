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
    api: 'Address of the plugin directory.',
    cli: 'Program name in install commands.',
    command:
      'Program and leading arguments that start the harness on this machine, one per line. If empty, the program above.',
    home: 'Folder the harness keeps its data in. If empty, the harness’s default.',
    profile: 'Profile that is selected first.',
    registry:
      'Package registry that plugins are installed from. If empty, the one in the profile or in npm’s settings.',
    proxy: 'Proxy for installs, http:// or https://. If empty, the one in the console’s environment.',
    trial: 'Test each plugin first by starting the harness in a copy of the profile. The plugin’s code runs there too.',
    startLimit: 'Seconds the harness may take to start in that test.',
    timeLimit: 'Seconds an install may take, including the test.',
    restart: 'Command that restarts the harness, or the address of a page that does. Shown after an install.',
    allowedHosts: 'Host names, besides this machine’s own, at which the console is opened. Requires the auth plugin.',
    authority: 'Authority a logged-in user needs. Only applies with the auth plugin.',
  },
  'zh-CN': {
    api: '插件目录的地址。',
    cli: '安装命令中的程序名。',
    command: '在这台机器上启动 Harness 的程序及其前置参数，每行一个。留空则使用上面的程序名。',
    home: 'Harness 的数据文件夹。留空则使用 Harness 的默认文件夹。',
    profile: '默认选择的配置档。',
    registry: '安装插件时使用的软件包仓库的地址。留空则使用配置档或 npm 的设置。',
    proxy: '安装时使用的代理，以 http:// 或 https:// 开头。留空则使用控制台的环境变量。',
    trial: '安装前，先在配置档的测试副本中启动 Harness 来测试每个插件。测试时也会运行插件的代码。',
    startLimit: '测试时启动 Harness 的时间上限（秒）。',
    timeLimit: '安装的时间上限（秒），包含测试时间。',
    restart: '重启 Harness 的命令，或用于重启的网页地址。安装完成后显示。',
    allowedHosts: '除本机外，可用于访问控制台的主机名。需要 auth 插件。',
    authority: '登录用户所需的权限等级。仅在使用 auth 插件时有效。',
  },
})
