import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright'
import { contentSecurityPolicy } from '../../pages/csp.ts'
import { shimSource } from '../../pages/shims.ts'
import { launchOptions } from '../../setup/chromium.mjs'
import type { Copy } from './copies.ts'
import { RECORDER, type Recorder, recorderSource, type Way } from './recorder.ts'

export interface Site {
  readonly api: string
  /** Source of each script. */
  readonly scripts: Readonly<Record<Exclude<Way, 'none'>, string>>
  /** Markup by path. */
  readonly pages: ReadonlyMap<string, string>
  readonly index: string
  readonly copies: readonly Copy[]
}

/** A tab of the code host, settled, in which no script has been started. */
export interface Tab {
  readonly page: Page
  readonly session: CDPSession
  /** Calls the recorder in the page. */
  call<K extends keyof Recorder>(what: K, ...given: Parameters<Recorder[K]>): Promise<Awaited<ReturnType<Recorder[K]>>>
  /** Slows the page's processor down this many times. */
  throttle(rate: number): Promise<void>
}

export interface BenchBrowser {
  /** Opens a page of the site in a new tab, in place of the one before. */
  visit(path: string): Promise<Tab>
  /** Puts both copies of the index where the scripts read them. */
  fill(): Promise<void>
  /** Takes everything away that the scripts have stored. */
  empty(): Promise<void>
  restart(): Promise<void>
  /** Times the index was asked for. */
  readonly requests: () => number
  close(): Promise<void>
}

const ORIGIN = 'https://github.com'
const INDEX = '/__index'
const COPIES = '/__copies'
const BLANK = '/__blank'

/** With these, the clock of a page is exact to 5 µs. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }

/** What a manager does for the index request, without the work a stand-in has with bytes in texts. */
const REQUEST = `window.GM_xmlhttpRequest = ({ url, onload }) => {
  fetch('${INDEX}').then(async (answer) => onload({
    status: 200, statusText: 'OK', finalUrl: url, readyState: 4,
    responseHeaders: 'content-type: application/json\\r\\n', response: await answer.blob(),
  }))
  return { abort() {} }
};`

/** A browser with a profile on the disk, so that storage is what it is for a person. */
export async function openBrowser(site: Site): Promise<BenchBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
  let requests = 0
  const bodies: Readonly<Record<string, [type: string, body: () => string]>> = {
    [BLANK]: ['text/html', () => '<!doctype html>'],
    [COPIES]: ['application/json', () => JSON.stringify(site.copies)],
    [INDEX]: [
      'application/json',
      () => {
        requests++
        return site.index
      },
    ],
  }

  const launch = async () => {
    const context = await chromium.launchPersistentContext(profile, launchOptions())
    const shims = shimSource({ manager: 'violentmonkey', carrier: { kind: 'address', path: INDEX } })
    await context.addInitScript({ content: recorderSource(site.scripts) + shims + REQUEST })
    await context.route(`${ORIGIN}/**`, (route) => {
      const { pathname } = new URL(route.request().url())
      const [type, body] = bodies[pathname] ?? ['text/html', () => site.pages.get(pathname) ?? '']
      const headers = { ...ISOLATED, 'content-security-policy': contentSecurityPolicy() }
      return route.fulfill({ contentType: `${type}; charset=utf-8`, headers, body: body() })
    })
    return context
  }

  let context = await launch()
  let tab = await openTab(context)
  const visit = async (path: string) => {
    const before = tab
    tab = await openTab(context)
    await before.page.close()
    await tab.page.goto(ORIGIN + path)
    await tab.page.evaluate(settle)
    return tab
  }

  return {
    requests: () => requests,
    visit,
    fill: async () => (await visit(BLANK)).page.evaluate(fill, COPIES),
    empty: async () => (await visit(BLANK)).page.evaluate(empty),
    async restart() {
      await context.close()
      context = await launch()
      tab = await openTab(context)
    },
    async close() {
      await context.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  return {
    page,
    session,
    call: (what, ...given) =>
      page.evaluate(
        ([name, what, given]) =>
          (globalThis as unknown as Record<string, Record<string, (...given: unknown[]) => unknown>>)[name]![what]!(
            ...given,
          ),
        [RECORDER, what as string, given as unknown[]] as const,
      ) as Promise<never>,
    throttle: async (rate) => void (await session.send('Emulation.setCPUThrottlingRate', { rate })),
  }
}

/** Runs in the page: waits until it is drawn and idle. */
const settle = () =>
  new Promise<void>((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve()))),
  )

/** Runs in the page. */
async function fill(address: string): Promise<void> {
  const copies = (await (await fetch(address)).json()) as Copy[]
  for (const { database, entries } of copies) {
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open(database)
      opening.onupgradeneeded = () => opening.result.createObjectStore('index')
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const writing = opening.result.transaction('index', 'readwrite')
        for (const [key, value] of entries) writing.objectStore('index').put(value, key)
        writing.onerror = () => reject(writing.error)
        writing.oncomplete = () => {
          opening.result.close()
          resolve()
        }
      }
    })
  }
}

/** Runs in the page. */
async function empty(): Promise<void> {
  localStorage.clear()
  for (const { name } of await indexedDB.databases()) {
    await new Promise((resolve, reject) => {
      const deleting = indexedDB.deleteDatabase(name!)
      deleting.onsuccess = resolve
      deleting.onerror = reject
    })
  }
}
