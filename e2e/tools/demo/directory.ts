/** The demo's directory besides its API: pages for users, and texts of the invented repositories. */
import { type Catalogue, createHandlers } from '@plugmark/mock-api'
import { getResponse, type HttpHandler, HttpResponse, http, type PathParams } from 'msw'
import { type Html, html, raw } from '../../pages/html.ts'
import { PAGE_STYLES } from '../../pages/styles.ts'
import { THEME_STYLES, themeAttributes } from '../../pages/theme.ts'
import { GAINING, OUTDATED } from './examples.ts'

/**
 * @param codeHost where the repositories of the listings are; no address after it ends in a slash
 * @returns what the directory answers before its API does
 */
export function directoryHandlers(catalogue: Catalogue, codeHost: string): HttpHandler[] {
  const api = createHandlers({ catalogue })
  // The invented repositories are on no real code host.
  const withCodeHost = async ({ request }: { request: Request }) => {
    const response = await getResponse(api, request)
    if (!response?.body) return response
    const text = (await response.text()).replaceAll('"https://github.com/', `"${codeHost}/`)
    return new Response(text, { status: response.status, headers: response.headers })
  }
  return [
    http.get('*/', () => HttpResponse.html(frontPage(catalogue))),
    http.get('*/plugins/:slug', withCodeHost),
    http.get('*/api/v1/plugins', withCodeHost),
    ...codeHostHandlers(catalogue),
  ]
}

/** Answers to `code-host.cjs`, which asks in place of the real code host: README, release notes and facts of a repository. */
function codeHostHandlers({ listings }: Catalogue): HttpHandler[] {
  const recordOf = ({ owner, repo }: PathParams) =>
    listings.find(({ record }) => record.fullName.split('#')[0] === `${owner}/${repo}`)?.record
  const text = (write: (record: Listed) => string | undefined) => (info: { params: PathParams }) => {
    const record = recordOf(info.params)
    const written = record && write(record)
    return written === undefined ? new HttpResponse(null, { status: 404 }) : HttpResponse.text(written)
  }
  const raw = '*/code-host/raw.githubusercontent.com/:owner/:repo/HEAD'
  return [
    http.get(`${raw}/README.md`, text(readmeOf)),
    http.get(`${raw}/README.zh.md`, text(chineseReadmeOf)),
    http.get(`${raw}/CHANGELOG.md`, text(changesOf)),
    http.get('*/code-host/raw.githubusercontent.com/*', () => new HttpResponse(null, { status: 404 })),
    http.get('*/code-host/api.github.com/repos/:owner/:repo', ({ params }) => {
      const record = recordOf(params)
      if (!record) return new HttpResponse(null, { status: 404 })
      return HttpResponse.json({ open_issues_count: 2, archived: false, pushed_at: record.pushedAt ?? null })
    }),
  ]
}

const readmeOf = ({ fullName, summary, install }: Listed): string =>
  [
    `# ${fullName.split('/')[1]}`,
    '[中文](README.zh.md)',
    summary ?? 'A plugin for DeepSeek Harness.',
    '## Install',
    install ? `\`\`\`sh\n${install}\n\`\`\`` : 'Build it from source.',
    '## Notes',
    '- It is invented for this demo, and does nothing but what its summary says.\n- Its licence is MIT.',
  ].join('\n\n')

const chineseReadmeOf = ({ fullName, summaryZh, install }: Listed): string | undefined =>
  summaryZh === null
    ? undefined
    : [
        `# ${fullName.split('/')[1]}`,
        '[English](README.md)',
        summaryZh,
        '## 安装',
        install ? `\`\`\`sh\n${install}\n\`\`\`` : '请从源代码构建。',
        '## 说明',
        '- 本插件为演示而虚构，只做简介中所说的事情。\n- 许可证：MIT。',
      ].join('\n\n')

/** Of the plugins with an update. */
const changesOf = ({ npmPackage }: Listed): string | undefined =>
  ({
    [OUTDATED.name]: '## 1.1.0\n\n- Converts cups and spoons.\n\n## 1.0.0\n\n- First release.\n',
    [GAINING.name]: '## 1.1.0\n\n- Asks tides.example for the hour.\n\n## 1.0.0\n\n- First release.\n',
  })[npmPackage ?? '']

type Listed = Catalogue['listings'][number]['record']

function frontPage({ listings }: Catalogue): string {
  return page(
    'Directory',
    html`
      <h1>Directory</h1>
      <p class="muted">${listings.length} plugins, invented for this demo. Programs read <a href="/api/v1/index">/api/v1/index</a>.</p>
      <ul class="page-list">${listings.map(
        ({ record, path }) => html`
        <li>${path === null ? record.fullName : html`<a href="${path}">${record.fullName}</a>`}</li>`,
      )}
      </ul>`,
  )
}

export function page(title: string, content: Html, lang = 'en'): string {
  const attributes = Object.entries(themeAttributes('auto')).map(([name, value]) => html` ${name}="${value}"`)
  return html`<!doctype html>
<html lang="${lang}"${attributes}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>
      ${raw(THEME_STYLES + PAGE_STYLES)}
      h1, li { overflow-wrap: anywhere; } :is(p, li) a { text-decoration: underline; } p, pre { margin: 0 0 16px; }
      pre { padding: 16px; background: var(--bgColor-muted); border-radius: 6px; white-space: pre-wrap; }
    </style>
  </head>
  <body><main class="container">${content}</main></body>
</html>
`.toString()
}
