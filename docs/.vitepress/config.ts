import { posix } from 'node:path'
import { defineConfig, type MarkdownOptions } from 'vitepress'
import { repositoryAddress } from '../../shared/repository/index.ts'

const repository = repositoryAddress()

const page = (text: string, link: string) => ({ text, link })

/** Points links to files that are not pages of the site, such as sources, at the repository. */
const linkSources: MarkdownOptions['config'] = (markdown) => {
  const render = markdown.renderer.rules.link_open
  markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const href = token?.attrGet('href') ?? ''
    const isSource = !/^([a-z]+:|#|\/)/.test(href) && !/\.md(#|$)/.test(href)
    if (isSource) {
      const path = posix.join(posix.dirname(env.relativePath), href)
      if (!repository) token?.attrs?.splice(token.attrIndex('href'), 1)
      else token?.attrSet('href', `${repository}/blob/main/${path}`)
    }
    return render && !isSource ? render(tokens, index, options, env, self) : self.renderToken(tokens, index, options)
  }
}

/** The site shows the documents as they lie in the repository: README is its start page, and each keeps its path. */
export default defineConfig({
  title: 'Plugmark',
  description: 'Shows which repositories are plugins of DeepSeek Harness, which install, and installs them.',
  srcDir: '..',
  srcExclude: ['**/node_modules/**', '**/dist/**', 'e2e/**', '.github/**', 'test-results/**'],
  cacheDir: './.vitepress/cache',
  outDir: './dist',
  rewrites: { 'README.md': 'index.md', ':folder(.*)/README.md': ':folder/index.md' },
  locales: { root: { label: 'English', lang: 'en' }, zh: { label: '中文', lang: 'zh-CN', link: '/README.zh' } },
  cleanUrls: true,
  markdown: { config: linkSources },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    // The documents are English: the switch of languages leads to the Chinese start page.
    i18nRouting: false,
    sidebar: [
      {
        text: 'Use it',
        items: [
          page('Overview', '/'),
          page('Userscript', '/docs/userscript'),
          page('Store in the harness', '/docs/dsh'),
          page('Store in a Koishi console', '/harness-plugin/koishi/'),
          page('Command line', '/docs/cli'),
          page('Configuration', '/docs/configuration'),
          page('Privacy', '/docs/privacy'),
          page('Tested with', '/docs/tested-with'),
          page('Security', '/SECURITY'),
        ],
      },
      {
        text: 'Run a directory',
        items: [
          page('Directory', '/docs/directory'),
          page('Contract', '/docs/contract'),
          page('Benchmarks', '/docs/benchmarks'),
        ],
      },
      {
        text: 'Change it',
        items: [
          page('Contributing', '/CONTRIBUTING'),
          page('Architecture', '/docs/architecture'),
          page('How the store works in the harness', '/docs/dsh-inside'),
          page('How the store changes a profile', '/docs/store-walks'),
          page('Dependencies', '/docs/dependencies'),
          page('Make a release', '/docs/release'),
        ],
      },
    ],
  },
})
