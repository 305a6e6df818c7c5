import { Schema } from 'koishi'
import { type Configuration, OPTIONS, type Option, type Words } from '../config/index.ts'

const CONSOLE_OPTIONS = {
  ...OPTIONS,
  allowedHosts: {
    type: 'list',
    expected: 'a list of host names',
    words: {
      en: 'Host names, besides this machine’s own, at which the console is opened. Requires the auth plugin.',
      zh: '除本机外，可用于访问控制台的主机名。需要 auth 插件。',
    },
  },
  authority: {
    type: 'number',
    default: 4,
    min: 1,
    max: 5,
    words: {
      en: 'Authority a logged-in user needs. Only applies with the auth plugin.',
      zh: '登录用户所需的权限等级。仅在使用 auth 插件时有效。',
    },
  },
} as const satisfies Record<string, Option>

/** What the console stores: each option has a value, and a text or list without one is empty. */
export type Config = Required<Configuration<typeof CONSOLE_OPTIONS>>

/** The configuration without what is left empty. */
export const withoutEmpty = (config: Configuration): Configuration =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)))
const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)

function schemaOf(option: Option) {
  switch (option.type) {
    case 'text': {
      const text = Schema.string().default(option.default ?? '')
      if (option.isAddress) return text.role('link')
      return option.pattern ? text.pattern(option.pattern) : text
    }
    case 'list':
      return Schema.array(Schema.string()).default([])
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

const each = <T>(map: (option: Option) => T) =>
  Object.fromEntries(Object.entries(CONSOLE_OPTIONS).map(([name, option]) => [name, map(option)]))

/** A value of another kind is refused by the console's own form; one without sense by the host, when it is loaded. */
export const Config = Schema.object(each(schemaOf)).i18n({ 'en-US': each(SENTENCES.en), 'zh-CN': each(SENTENCES.zh) })
