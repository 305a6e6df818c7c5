import { Schema } from 'koishi'
import type { Configuration, Option, Words } from '../config/index.ts'
import { HOST_NAME } from '../host/index.ts'
import { CONSOLE_OPTIONS } from './console-options.ts'

type Name = keyof typeof CONSOLE_OPTIONS

/** The configuration as the console stores it: each option has a value; an unset text or list is empty. */
export type Config = Required<Configuration<typeof CONSOLE_OPTIONS>>

/** Returns the configuration without the options that are left empty. */
export const withoutEmpty = (config: Configuration): Configuration =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)))
const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)

interface Group {
  readonly heading: Words
  readonly names: readonly Name[]
}
const GROUPS: readonly Group[] = [
  { heading: { en: 'Directory', zh: '插件目录' }, names: ['api'] },
  { heading: { en: 'Harness', zh: 'Harness' }, names: ['cli', 'command', 'home', 'profile', 'restart'] },
  { heading: { en: 'Access', zh: '访问权限' }, names: ['requireLogin', 'allowedHosts', 'authority'] },
]
const grouped = new Set(GROUPS.flatMap(({ names }) => names))
const isInstallOption = (name: string) => !grouped.has(name as Name)
const INSTALLS: Group = {
  heading: { en: 'Installs', zh: '安装' },
  names: (Object.keys(CONSOLE_OPTIONS) as Name[]).filter(isInstallOption),
}
const IN_ORDER = GROUPS.toSpliced(-1, 0, INSTALLS)

function schemaOf(name: Name) {
  const option: Option = CONSOLE_OPTIONS[name]
  switch (option.type) {
    case 'text': {
      if (name === 'home') return Schema.path({ filters: ['directory'], allowCreate: true }).default('')
      const text = Schema.string().default(option.default ?? '')
      if (option.isAddress) return text.role('link')
      return option.pattern ? text.pattern(option.pattern) : text
    }
    case 'list': {
      const item = Schema.string()
      return Schema.array(name === 'allowedHosts' ? item.pattern(HOST_NAME) : item)
        .default([])
        .role('table')
    }
    case 'flag':
      return Schema.boolean().default(option.default)
    case 'number':
      return Schema.natural().min(option.min).max(option.max).default(option.default)
  }
}

const SENTENCES: Readonly<Record<keyof Words, (option: Option) => string>> = {
  en: ({ words, unset }) => words.en + (unset ? ` If empty, ${unset.en}.` : ''),
  zh: ({ words, unset }) => words.zh + (unset ? `留空则使用${/^\w/.test(unset.zh) ? ' ' : ''}${unset.zh}。` : ''),
}

const fields = <T>({ names }: Group, map: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, map(name)]))
const messages = (language: keyof Words) =>
  IN_ORDER.map((group) => ({
    $description: group.heading[language],
    ...fields(group, (name) => SENTENCES[language](CONSOLE_OPTIONS[name])),
  }))

/** The console's form refuses a value of another type; the host refuses one that makes no sense, when it is loaded. */
export const Config = Schema.intersect(IN_ORDER.map((group) => Schema.object(fields(group, schemaOf)))).i18n({
  'en-US': messages('en'),
  'zh-CN': messages('zh'),
})

/** Shown above the form, as Markdown. */
export const usage = `
在控制台侧边栏打开 [Plugmark · Harness 插件](/plugmark)，浏览并安装 DeepSeek Harness 的插件。这里列出的不是 Koishi 插件。

- 需要在运行 Koishi 的机器上安装 Harness（\`dsh\`），并至少启动过一次。
- 安装会运行 Harness 自己的命令行。开启“trial”时，会先把配置档复制一份，在副本中启动 Harness，插件的代码也会在其中运行。这不是沙箱。
- 未使用 auth 插件时，商店只响应本机的页面。经由本机的隧道或反向代理访问的人也可能被视为本机；如果有这样的隧道，请使用 auth 插件，或开启“requireLogin”。

---

Open [Plugmark · Harness plugins](/plugmark) in the sidebar to find and install plugins of DeepSeek Harness. These are not Koishi plugins.

- Requires the harness (\`dsh\`) on the machine that runs Koishi, started at least once.
- An install runs the harness’s own command line. With \`trial\`, the harness is first started from a copy of the profile, where the plugin’s code runs too. This is not a sandbox.
- Without the auth plugin, the store answers pages of this machine only. People who come through a tunnel or a proxy on this machine can pass for it: if there is one, use the auth plugin or turn on \`requireLogin\`.
`
