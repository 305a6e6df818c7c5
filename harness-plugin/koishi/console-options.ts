import { OPTIONS, type Option } from '../config.ts'

/** The options of the console plugin: those of all shells, and who may use the store. */
export const CONSOLE_OPTIONS = {
  ...OPTIONS,
  requireLogin: {
    type: 'flag',
    default: false,
    words: {
      en: 'Allow changes only with the auth plugin. Without it, people can look and nobody can install.',
      zh: '仅在使用 auth 插件时允许改动。未使用该插件时，只能浏览，不能安装。',
    },
  },
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
      en: 'Authority a user needs to see and use the store. Only applies with the auth plugin, in which users can change their own authority: give accounts only to people you trust.',
      zh: '查看和使用商店所需的权限等级。仅在使用 auth 插件时有效。用户可以在 auth 插件中修改自己的权限等级，因此请只为信任的人开设账号。',
    },
  },
} as const satisfies Record<string, Option>
