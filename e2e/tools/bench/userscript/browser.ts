import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CDPSession, chromium, type Page } from 'playwright'
import { contentSecurityPolicy } from '../../../pages/csp.ts'
import { type CarriedAnswer, type CarriedRequest, shimSource } from '../../../pages/shims.ts'
import { launchOptions } from '../../../setup/chromium.mjs'

const ORIGIN = 'https://github.com'
const MANAGER = '/__manager'

/** A page that is drawn and idle, in which no script has been started. */
export interface Tab extends AsyncDisposable {
  readonly page: Page
  readonly session: CDPSession
}

interface BenchBrowser extends AsyncDisposable {
  visit(path: string): Promise<Tab>
}

/**
 * Opens a browser that keeps its storage on disk, as the user's does, with a site on which a stand-in for a userscript
 * manager is ready.
 *
 * @param site.index body of the index, the only answer of the directory
 * @param site.pages markup by path
 * @param site.script source that runs before anything else in every page
 */
export async function openBrowser(site: {
  index: string
  pages: ReadonlyMap<string, string>
  script: string
}): Promise<BenchBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
  // The policy would block the script element with which the recorder starts a script.
  const context = await chromium.launchPersistentContext(profile, { ...launchOptions(), bypassCSP: true })
  const answer = ({ url }: CarriedRequest): CarriedAnswer => {
    const [status, statusText, body] = url.endsWith('/index') ? [200, 'OK', site.index] : [404, 'Not Found', '']
    const headers = 'content-type: application/json\r\n'
    return { status, statusText, headers, body: Buffer.from(body).toString('base64'), finalUrl: url }
  }
  await context.addInitScript({
    content: site.script + shimSource({ manager: 'violentmonkey', carrier: { kind: 'address', path: MANAGER } }),
  })
  await context.route(`${ORIGIN}/**`, (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (pathname === MANAGER) {
      return route.fulfill({ json: answer(JSON.parse(request.headers()['x-manager-request']!) as CarriedRequest) })
    }
    const headers = { 'content-security-policy': contentSecurityPolicy() }
    return route.fulfill({ contentType: 'text/html; charset=utf-8', headers, body: site.pages.get(pathname) ?? '' })
  })
  return {
    async visit(path) {
      const page = await context.newPage()
      await page.goto(ORIGIN + path)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve))))
      const session = await context.newCDPSession(page)
      return { page, session, [Symbol.asyncDispose]: () => page.close() }
    },
    async [Symbol.asyncDispose]() {
      await context.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
