import { Schema } from 'koishi'
import type { Configuration, Option, Words } from '../config.ts'
import { HOST_NAME } from './caller.ts'
import { CONSOLE_OPTIONS } from './console-options.ts'

type Name = keyof typeof CONSOLE_OPTIONS

/** The configuration as the console stores it: each option has a value; an unset text or list is empty. */
export type Config = Required<Configuration<typeof CONSOLE_OPTIONS>>

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

/**
 * Shown above the form, as Markdown. Short, so that the form stays in sight; without links, because a console may have a
 * path of its own.
 */
export const usage = `
在控制台侧边栏的「Plugmark · Harness 插件」中查找并安装 DeepSeek Harness（而不是 Koishi）的插件，需要本机装有 Harness（\`dsh\`）。经由隧道或反向代理访问的人可能被视为本机：请使用 auth 插件，或开启 \`requireLogin\`。

Find and install plugins of DeepSeek Harness (not of Koishi) in the sidebar, under “Plugmark · Harness plugins”. Needs the harness (\`dsh\`) on this machine. People who come through a tunnel or a proxy can pass for this machine: use the auth plugin, or turn on \`requireLogin\`.
`
