/** The guide above the first page of the demo: addresses, commands, three things to try, and more examples in a fold. */
import { type Html, html } from '../../pages/html.ts'
import { type Example, ON_PURPOSE } from './examples.ts'

export interface Places {
  /** Address of the directory. */
  readonly directory: string
  /** Address of the store in the console. */
  readonly store: string
  /** Address of the harness's page; null without it. */
  readonly harness: string | null
  /** Commands for a terminal; empty without the harness. */
  readonly terminal: readonly string[]
  /** More commands, in a fold. */
  readonly more: readonly string[]
  /** Things to try in the store, in this order. */
  readonly steps: readonly Example[]
  readonly examples: readonly Example[]
}

const WORDS = {
  en: {
    title: 'Plugmark demo',
    first: ['Press a badge to see what is known of a plugin, then ', 'open the store', '.'],
    note: 'Everything runs on this machine. Plugins are installed into a temporary profile, which is deleted when the demo stops.',
    lists: 'Repository lists',
    harness: 'Store in the harness',
    console: 'Store in the Koishi console',
    directory: 'Directory',
    steps: 'Try three things',
    terminal: 'At a terminal',
    more: 'More commands',
    examples: 'More examples',
    colon: ': ',
  },
  zh: {
    title: 'Plugmark 演示',
    first: ['点击插件旁的标记查看其信息，然后', '打开商店', '。'],
    note: '所有内容均在本机运行。插件会安装到临时配置档，演示结束后自动删除。',
    lists: '仓库列表',
    harness: 'Harness 中的商店',
    console: 'Koishi 控制台中的商店',
    directory: '插件目录',
    steps: '试试三件事',
    terminal: '在终端中',
    more: '更多命令',
    examples: '更多示例',
    colon: '：',
  },
} as const

export function guide(
  { directory, store, harness, terminal, more, steps, examples }: Places,
  language: 'en' | 'zh',
): Html {
  const words = WORDS[language]
  const [before, open, after] = words.first
  const outside = (href: string, text: string) => html`<li><a href="${href}" target="_blank">${text}</a></li>`
  const inHarness = harness === null ? null : `${harness}#plugmark`
  const details = (id: string) =>
    inHarness === null ? `${store}?plugin=${id}` : `${inHarness}?plugin=${encodeURIComponent(id)}`
  const link = (id: string) => html`<a href="${details(id)}" target="_blank">${id.split('/').at(-1)!}</a>`
  const typed = terminal.join('\n').replace(ON_PURPOSE.en, ON_PURPOSE[language])
  const list =
    steps.length === 0
      ? ''
      : html`
      <div class="demo-examples">
        <h2>${words.steps}</h2>
        <ol>${steps.map(({ id, [language]: what }) => html`<li>${what} ${link(id)}</li>`)}</ol>
        <details>
          <summary>${words.examples}</summary>
          <ul>${examples.map(({ id, [language]: what }) => html`<li>${what}${words.colon}${link(id)}</li>`)}</ul>
        </details>
      </div>`
  return html`
    <style>
      .demo-guide { display: grid; align-items: start; gap: 16px 48px; max-width: 1180px; margin: 24px auto 0; padding: 0 16px; }
      .demo-guide h1 { font-size: 24px; }
      .demo-guide h2 { margin: 0 0 4px; font-size: 14px; }
      .demo-guide ul { list-style: none; }
      .demo-guide ol { margin: 0 0 8px; padding-left: 20px; list-style: decimal; }
      .demo-guide pre { margin: 0 0 12px; padding: 8px 12px; background: var(--bgColor-muted); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
      .demo-guide summary { cursor: pointer; }
      .demo-guide li { overflow-wrap: anywhere; }
      .demo-guide :is(p, .demo-examples) a { text-decoration: underline; }
      .demo-places { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 12px 0; font-weight: 600; }
      @media (min-width: 768px) { .demo-guide { grid-template-columns: 1fr 1fr; } }
    </style>
    <section class="demo-guide" lang="${language === 'zh' ? 'zh-CN' : 'en'}" aria-labelledby="demo-title">
      <div>
        <h1 id="demo-title">${words.title}</h1>
        <p>${before}<a href="${inHarness ?? store}" target="_blank">${open}</a>${after}</p>
        <ul class="demo-places">
          <li><a href="/pages">${words.lists}</a></li>
          ${inHarness === null ? '' : outside(inHarness, words.harness)}
          ${outside(store, words.console)} ${outside(directory, words.directory)}
        </ul>
        ${terminal.length === 0 ? '' : html`<h2>${words.terminal}</h2><pre>${typed}</pre>`}
        ${more.length === 0 ? '' : html`<details><summary>${words.more}</summary><pre>${more.join('\n')}</pre></details>`}
        ${harness === null ? '' : html`<p class="muted">${words.note}</p>`}
      </div>
      ${list}
    </section>`
}
