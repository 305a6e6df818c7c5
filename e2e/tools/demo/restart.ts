/** A page of the demo's directory that restarts its harness. Ctrl+C would end the whole demo. */
import { HttpResponse, http } from 'msw'
import { type Html, html } from '../../pages/html.ts'
import { page } from './directory.ts'

export const RESTART_PATH = '/restart'

const WORDS = {
  en: {
    title: 'Restart the harness',
    what: 'The demo stops the harness and starts it again at the same address.',
    restart: 'Restart',
    done: 'The harness is running again. Reload its open pages, or',
    open: 'open it here',
    end: '.',
    failed: 'The harness did not start:',
  },
  'zh-CN': {
    title: '重启 Harness',
    what: '演示会停止 Harness，然后在同一地址重新启动。',
    restart: '重启',
    done: 'Harness 已重新运行。请刷新已打开的页面，或',
    open: '在此打开',
    end: '。',
    failed: 'Harness 无法启动：',
  },
} as const

/** @param restart resolves to the address of the harness that was started, rejects when it does not start */
export const restartHandler = (restart: () => Promise<string>) =>
  http.all(`*${RESTART_PATH}`, async ({ request: { method, headers } }) => {
    const lang = /^\s*zh\b/i.test(headers.get('accept-language') ?? '') ? 'zh-CN' : 'en'
    const words = WORDS[lang]
    const answer = (content: Html, status = 200) =>
      HttpResponse.html(page(words.title, html`<h1>${words.title}</h1>${content}`, lang), {
        status,
        headers: { 'cache-control': 'no-store' },
      })
    if (method !== 'POST')
      return answer(html`<p>${words.what}</p><form method="post"><button class="btn">${words.restart}</button></form>`)
    // Another site in the same browser must not.
    if (headers.get('sec-fetch-site') !== 'same-origin') return answer(html`<p>403</p>`, 403)
    try {
      return answer(html`<p role="status">${words.done} <a href="${await restart()}">${words.open}</a>${words.end}</p>`)
    } catch (error) {
      return answer(html`<p role="alert">${words.failed}</p><pre>${String(error)}</pre>`, 500)
    }
  })
