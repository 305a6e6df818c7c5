/** The configuration of the store, for all shells: its options, and how values of them are read. */
import { BASE_URL, DEFAULTS } from '@plugmark/shared/contract'
import { PROFILE_NAME } from '@plugmark/shared/install'

export interface Words {
  readonly en: string
  readonly zh: string
}

/** Servers that answer in a way of their own. */
export const SERVERS = ['directory', 'registry'] as const
export type Server = (typeof SERVERS)[number]

/** One option of the configuration. `words` are sentences; `expected` ends the sentence “NAME must be …”. */
export type Option = {
  readonly words: Words
  /** Says what applies when the option is not set, as the end of a sentence. */
  readonly unset?: Words
  /**
   * Place in the store's own form: at once, or folded. Without it, the option says how the harness is started, which the
   * shell knows.
   */
  readonly form?: 'first' | 'more'
} & (
  | {
      readonly type: 'text'
      readonly default?: string
      readonly pattern?: RegExp
      readonly isAddress?: true
      /** Server whose answer the form can check. */
      readonly server?: Server
      readonly expected: string
    }
  | { readonly type: 'list'; readonly expected: string }
  | { readonly type: 'flag'; readonly default: boolean }
  | {
      readonly type: 'number'
      readonly default: number
      readonly min: number
      readonly max: number
      readonly unit?: 'seconds'
    }
)
type Options = Readonly<Record<string, Option>>
/** An option that the store's own form can show. */
export type FormOption = Exclude<Option, { readonly type: 'list' }>

interface ValueOf {
  readonly text: string
  readonly list: readonly string[]
  readonly flag: boolean
  readonly number: number
}

/** Values of these options, without those that are not set. */
export type Configuration<O extends Options = typeof OPTIONS> = { readonly [K in keyof O]?: ValueOf[O[K]['type']] }

/**
 * The options of all shells. The calls of the store's own form are derived from them, and the form of a shell that has one,
 * which adds its own in the same way. The host or the shell finds the value of an option that has no `default`.
 */
export const OPTIONS = {
  api: {
    type: 'text',
    form: 'first',
    server: 'directory',
    default: BASE_URL,
    isAddress: true,
    expected: 'the address of a directory',
    words: {
      en: 'The store reads its list of plugins from this address.',
      zh: '商店从此地址读取插件列表。',
    },
  },
  cli: {
    type: 'text',
    default: DEFAULTS.cli,
    expected: 'the name of a program',
    words: { en: 'Program name in install commands.', zh: '安装命令中的程序名。' },
  },
  /** Program and its leading arguments. */
  command: {
    type: 'list',
    expected: 'a list: a program and its leading arguments',
    words: {
      en: 'Program and leading arguments that start the harness on this machine, one per item.',
      zh: '在这台机器上启动 Harness 的程序及其前置参数，每项一个。',
    },
    unset: { en: 'the program in install commands', zh: '安装命令中的程序名' },
  },
  home: {
    type: 'text',
    expected: 'a folder',
    words: { en: 'Folder the harness keeps its data in.', zh: 'Harness 的数据文件夹。' },
    unset: { en: 'the harness’s default', zh: 'Harness 的默认文件夹' },
  },
  profile: {
    type: 'text',
    default: DEFAULTS.profile,
    pattern: PROFILE_NAME,
    expected: 'the name of a profile',
    words: { en: 'Profile that is selected first.', zh: '默认选择的配置档。' },
  },
  registry: {
    type: 'text',
    form: 'more',
    server: 'registry',
    isAddress: true,
    expected: 'the address of a package registry',
    words: {
      en: 'Packages are downloaded from here: a mirror, or the registry of a company.',
      zh: '从此处下载软件包，例如镜像或公司的软件包仓库。',
    },
    unset: { en: 'the one in the profile or in npm’s settings', zh: '配置档或 npm 的设置' },
  },
  proxy: {
    type: 'text',
    form: 'more',
    isAddress: true,
    expected: 'the address of a proxy',
    words: {
      en: 'Downloads of plugins go through it. It begins with http:// or https://.',
      zh: '下载插件时经由此代理，以 http:// 或 https:// 开头。',
    },
    unset: { en: 'the one in the environment', zh: '环境变量中的代理' },
  },
  trial: {
    type: 'flag',
    form: 'first',
    default: true,
    words: {
      en: 'Test each plugin first by starting the harness in a copy of the profile. The plugin’s code runs there too.',
      zh: '安装前，先在配置档的测试副本中启动 Harness 来测试每个插件。测试时也会运行插件的代码。',
    },
  },
  startLimit: {
    type: 'number',
    form: 'more',
    default: 90,
    min: 5,
    max: 600,
    unit: 'seconds',
    words: {
      en: 'After this many seconds a start in the test counts as failed.',
      zh: '测试时 Harness 超过此秒数仍未启动，即视为失败。',
    },
  },
  timeLimit: {
    type: 'number',
    form: 'more',
    default: 600,
    min: 10,
    max: 86_400,
    unit: 'seconds',
    words: {
      en: 'After this many seconds an install, including its test, is stopped and undone.',
      zh: '安装（含测试）超过此秒数即停止并撤销。',
    },
  },
  restart: {
    type: 'text',
    form: 'more',
    expected: 'a command, or the address of a page',
    words: {
      en: 'Command that restarts the harness, or the address of a page that does. Shown after an install.',
      zh: '重启 Harness 的命令，或用于重启的网页地址。安装完成后显示。',
    },
  },
} as const satisfies Options

/** Options of the store's own form. */
export type SettingName = {
  [Name in keyof typeof OPTIONS]: (typeof OPTIONS)[Name] extends { readonly form: string } ? Name : never
}[keyof typeof OPTIONS]
export const FORM_SETTINGS = Object.entries<Option>(OPTIONS).flatMap(([name, { form }]) =>
  form === undefined ? [] : (name as SettingName),
)

// Reading

const NOT_KEYS = 'The configuration must consist of keys and values.'

/**
 * Checks a configuration.
 *
 * @param given keys and values; null or undefined for none
 * @returns the values that are set, without defaults
 * @throws Error with a sentence for the user when a key is unknown or its value is not accepted
 */
export function readConfiguration<O extends Options>(options: O, given: unknown): Configuration<O> {
  if (typeof (given ?? {}) !== 'object' || Array.isArray(given)) throw new Error(NOT_KEYS)
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined)
  for (const [name, value] of set) {
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    if (option === undefined) throw new Error(`"${name}" is not a configuration key.`)
    if (!accepts(option, value)) throw new Error(`"${name}" must be ${expected(option)}.`)
  }
  return Object.fromEntries(set) as Configuration<O>
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''

function accepts(option: Option, value: unknown): boolean {
  switch (option.type) {
    case 'text':
      return isText(value) && (option.pattern?.test(value as string) ?? true)
    case 'list':
      return Array.isArray(value) && value.length > 0 && value.every(isText)
    case 'flag':
      return typeof value === 'boolean'
    case 'number':
      return typeof value === 'number' && value >= option.min && value <= option.max
  }
}

function expected(option: Option): string {
  if (option.type === 'flag') return 'true or false'
  if (option.type !== 'number') return option.expected
  return `a number${option.unit ? ` of ${option.unit}` : ''} from ${option.min} to ${option.max}`
}

/** The configuration as options of the host. */
export interface ConfiguredOptions extends Omit<Configuration, 'api' | 'startLimit' | 'timeLimit'> {
  /** Address of the directory. @default the live one */
  readonly baseUrl?: string
  /** Time limit for the start of the harness in a trial, in ms. @default 90_000 */
  readonly startLimitMs?: number
  /** Time limit of one job, in ms. @default 600_000 */
  readonly timeLimitMs?: number
}

/** Converts a checked configuration into options of the host. The host adds the defaults. */
export function toHostOptions({ api, startLimit, timeLimit, ...same }: Configuration): ConfiguredOptions {
  return {
    ...same,
    ...(api === undefined ? {} : { baseUrl: api }),
    ...(startLimit === undefined ? {} : { startLimitMs: startLimit * 1000 }),
    ...(timeLimit === undefined ? {} : { timeLimitMs: timeLimit * 1000 }),
  }
}
