import { DEFAULTS } from '@plugmark/shared/contract'
import { Schema } from 'koishi'

export interface Config {
  readonly api: string
  readonly cli: string
  /** Program and leading arguments; empty for `cli`. */
  readonly command: readonly string[]
  /** Empty for the harness's own default. */
  readonly home: string
  readonly profile: string
  /** In seconds. */
  readonly timeLimit: number
  readonly allowedHosts: readonly string[]
  readonly authority: number
}

/** A bad value is refused by the console's own form, with these words beside it. */
export const Config = Schema.object({
  api: Schema.string().role('link').default(DEFAULTS.baseUrl),
  cli: Schema.string().default(DEFAULTS.cli),
  command: Schema.array(Schema.string()).default([]),
  home: Schema.string().default(''),
  profile: Schema.string()
    .pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
    .default(DEFAULTS.profile),
  timeLimit: Schema.natural().min(10).max(86_400).default(600),
  allowedHosts: Schema.array(Schema.string()).default([]),
  authority: Schema.natural().min(1).max(5).default(4),
}).i18n({
  'en-US': {
    api: 'Address of the directory that lists the plugins.',
    cli: 'Program that install commands name.',
    command: 'Program and leading arguments that start the harness here, one a line. Empty: the program above.',
    home: 'Directory the harness keeps its data in. Empty: what the harness itself would use.',
    profile: 'Profile that is offered first.',
    timeLimit: 'Seconds after which an install is ended.',
    allowedHosts: 'Names, besides this machine’s own, under which the console is opened. Needs the auth plugin.',
    authority: 'Authority that a logged-in user needs. Has a meaning with the auth plugin only.',
  },
  'zh-CN': {
    api: '提供插件目录的地址。',
    cli: '安装命令中的程序名。',
    command: '在这台机器上启动 Harness 的程序及其前置参数，每行一个。留空则使用上面的程序名。',
    home: 'Harness 的数据目录。留空则与 Harness 自身的默认值相同。',
    profile: '默认的配置档。',
    timeLimit: '安装的时间上限（秒）。',
    allowedHosts: '除本机外，可用来打开控制台的主机名。需要 auth 插件。',
    authority: '登录用户所需的权限等级。仅在使用 auth 插件时有效。',
  },
})
