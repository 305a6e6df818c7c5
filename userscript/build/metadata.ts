import { readFileSync } from 'node:fs'
import { repositoryAddress } from '@plugmark/shared/repository'
import type { MonkeyUserScript } from 'vite-plugin-monkey'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
  license: string
}
export const VERSION = manifest.version

/** The badge's plug, in a grey that is visible on light and dark. */
const ICON =
  // Escapes only characters that an address cannot contain.
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='%236e7781' " +
  "stroke-width='1.5'%3E" +
  "%3Cpath d='M6 2v4M10 2v4M4 6h8v2a4 4 0 0 1-8 0zM8 12v2'/%3E%3C/svg%3E"

/** Addresses where managers look for a newer version. */
export interface UpdateAddresses {
  readonly updateURL: string
  readonly downloadURL: string
}

/**
 * Returns the header of the script: the manager's texts, the pages it runs on, and all its permissions.
 *
 * @param repository address of the repository's page, where users find help
 */
export function metadata(
  api: string,
  updates: UpdateAddresses | null,
  repository = repositoryAddress(),
): MonkeyUserScript {
  return {
    ...updates,
    ...(repository && { homepageURL: repository, supportURL: `${repository}/issues` }),
    name: { '': 'Plugmark', 'zh-CN': 'Plugmark 插件标记' },
    namespace: 'plugmark',
    version: VERSION,
    author: 'The Plugmark authors',
    license: manifest.license,
    description: {
      '': 'Marks plugins of DeepSeek Harness on GitHub and copies their install commands.',
      'zh-CN': '在 GitHub 上标出 DeepSeek Harness 的插件，一键复制安装命令。',
    },
    icon: ICON,
    match: ['https://github.com/*', 'https://gist.github.com/*'],
    'run-at': 'document-end',
    noframes: true,
    connect: [new URL(api).hostname],
    grant: [
      'GM_xmlhttpRequest',
      'GM_getValue',
      'GM_setValue',
      'GM_addValueChangeListener',
      'GM_setClipboard',
      'GM_registerMenuCommand',
      'GM_unregisterMenuCommand',
      'GM.xmlHttpRequest',
      'GM.getValue',
      'GM.setValue',
      'GM.addValueChangeListener',
      'GM.setClipboard',
      'GM.registerMenuCommand',
      'GM.unregisterMenuCommand',
    ],
  }
}
