/** A page that restarts the demo's harness. Ctrl+C would end the whole demo. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { html } from '../../pages/html.ts'

export interface RestartPage {
  /** Address of the page. */
  readonly url: string
  close(): Promise<void>
}

const WORDS = {
  en: {
    lang: 'en',
    title: 'Restart the harness',
    what: 'The demo stops the harness and starts it again at the same address.',
    restart: 'Restart',
    done: 'The harness is running again. Reload its open pages, or',
    open: 'open it here',
    end: '.',
    failed: 'The harness did not start:',
  },
  zh: {
    lang: 'zh-CN',
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
export async function startRestartPage(restart: () => Promise<string>): Promise<RestartPage> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const words = WORDS[/^\s*zh\b/i.test(request.headers['accept-language'] ?? '') ? 'zh' : 'en']
    const send = (status: number, content: ReturnType<typeof html>) =>
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(
        html`<!doctype html><html lang="${words.lang}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${words.title}</title><link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 560px; margin: 64px auto; padding: 0 16px; }
  button { padding: 6px 16px; font: inherit; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
<main><h1>${words.title}</h1>${content}</main>
`.toString(),
      )
    if (request.method !== 'POST')
      return send(200, html`<p>${words.what}</p><form method="post"><button>${words.restart}</button></form>`)
    // Another site in the same browser must not.
    if (request.headers['sec-fetch-site'] !== 'same-origin') return send(403, html`<p>403</p>`)
    try {
      return send(
        200,
        html`<p role="status">${words.done} <a href="${await restart()}">${words.open}</a>${words.end}</p>`,
      )
    } catch (error) {
      return send(500, html`<p role="alert">${words.failed}</p><pre>${String(error)}</pre>`)
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
