import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MockServer, startMockServer } from '@plugmark/mock-api/node'
import { buildUserscript } from '@plugmark/userscript/build'
import { type BrowserContext, test as base, expect, type Locator, type Page } from 'playwright/test'
import { contentSecurityPolicy } from '../pages/csp.ts'
import {
  type CarriedRequest,
  carryOut,
  connectHosts,
  type ManagerName,
  SHIM_STATE,
  type ShimOptions,
  type ShimState,
  shimSource,
} from '../pages/shims.ts'

/** The built userscript and the API it was built for. */
interface Built {
  readonly mock: MockServer
  readonly source: string
  readonly hosts: ReadonlySet<string>
}

/** The sites of the script's header, and two that the user added in the manager. */
const SITES = 'https://(?:(?:gist\\.)?github\\.com|code\\.acme\\.example|packages\\.example)'

/** github.com as the tests have it: pages of ours under its policy, the userscript in every one of them. */
export interface CodeHost {
  /** Pages by path and query, those of other sites by their whole address; what has no entry is 404. */
  readonly pages: Map<string, string>
  /** Addresses the script's manager was asked for. */
  readonly carried: string[]
  /** Returns the number of them that have been answered. */
  answered(): number
}

interface Fixtures {
  readonly manager: ManagerName
  /** Values that the manager stores before the script first runs. */
  readonly values: Readonly<Record<string, unknown>>
  /** Directives besides the code host's own. */
  readonly policy: Readonly<Record<string, string>>
  /**
   * Dispatches a `pointerdown` on each badge as soon as it is inserted, so that it gets its two buttons.
   */
  readonly touchesBadges: boolean
  readonly codeHost: CodeHost
}

export const ORIGIN = 'https://github.com'
export const BADGE = '[data-plugmark-badge]'
const CARRIER = '__carry'

/** Every test fails on an uncaught error, on anything in the console, and when a page itself asks the API. */
export const test = base.extend<Fixtures, { built: Built }>({
  manager: ['violentmonkey', { option: true }],
  values: [{}, { option: true }],
  policy: [{}, { option: true }],
  touchesBadges: [true, { option: true }],

  built: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const mock = await startMockServer()
      await use(await buildFor(mock))
      await mock.close()
    },
    { scope: 'worker' },
  ],

  codeHost: async ({ context, built, manager, values, policy, touchesBadges }, use) => {
    const complaints = listen(context, built.mock.url)
    const pages = new Map<string, string>()
    const carried: string[] = []
    let answered = 0

    await context.exposeFunction(CARRIER, async (request: CarriedRequest) => {
      carried.push(request.url)
      const answer = await carryOut(request, built.hosts)
      answered++
      return answer
    })
    const kept = await keepValues(context, values)
    const shims = shimSource({ manager, carrier: { kind: 'function', name: CARRIER }, values: kept })
    await context.addInitScript({
      // In no frame, as the script's header says.
      content: `if (new RegExp(${JSON.stringify(`^${SITES}$`)}).test(location.origin) && top === self) {
        ${shims}
        addEventListener('DOMContentLoaded', () => {${built.source}})
      }`,
    })
    if (touchesBadges) await context.addInitScript(touchBadges, BADGE)
    const headers = { 'content-security-policy': contentSecurityPolicy(policy) }
    await context.route(new RegExp(`^${SITES}/(?!__manager)`), (route) => {
      const { origin, pathname, search } = new URL(route.request().url())
      const body = pages.get((origin === ORIGIN ? '' : origin) + pathname + search)
      return route.fulfill({
        status: body === undefined ? 404 : 200,
        contentType: 'text/html; charset=utf-8',
        headers,
        body: body ?? '',
      })
    })
    await use({ pages, carried, answered: () => answered })
    built.mock.resetHandlers()
    expect(complaints).toEqual([])
  },
})

export { expect }

/** Runs in the page. */
function touchBadges(badge: string): void {
  new MutationObserver(() => {
    for (const node of document.querySelectorAll(`${badge}[role=button]`)) {
      node.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    }
  }).observe(document, { subtree: true, childList: true })
}

/** Builds the userscript for a directory. */
export async function buildFor(mock: MockServer): Promise<Built> {
  const outDir = await mkdtemp(join(tmpdir(), 'plugmark-userscript-'))
  try {
    const { file } = await buildUserscript({ api: mock.url, outDir })
    return { mock, source: await readFile(file, 'utf8'), hosts: await connectHosts(file) }
  } finally {
    await rm(outDir, { recursive: true })
  }
}

function listen(context: BrowserContext, api: string): string[] {
  const complaints: string[] = []
  context.on('console', (message) => complaints.push(`console: ${message.text()}`))
  context.on('weberror', (error) => complaints.push(`uncaught: ${error.error()}`))
  context.on('request', (request) => {
    if (request.url().startsWith(api)) complaints.push(`the page itself asked ${request.url()}`)
  })
  return complaints
}

/** Returns the texts that the script passed to the manager's clipboard function in this page. */
export const managerClipboard = (page: Page): Promise<string[]> =>
  page.evaluate((name) => (window as unknown as Record<string, ShimState>)[name]!.clipboard, SHIM_STATE)

/** Runs a command of the manager's menu, by its caption, as soon as it is there: the script offers it when it is idle. */
export async function runMenuCommand(page: Page, caption: string): Promise<void> {
  const found = await page.waitForFunction(
    ([name, command]) => (window as unknown as Record<string, ShimState>)[name!]!.menu[command!],
    [SHIM_STATE, caption],
  )
  await found.evaluate((run) => run!())
}

/** Waits until the page has drawn whatever it was about to draw. */
export const twoFrames = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))

/** Types a name into a field of the settings, and commits it. */
export async function enterName(field: Locator, name: string): Promise<void> {
  await field.fill(name)
  await field.press('Enter')
}

/** The address at which a page reads the values when it loads, and the function by which it sets one. */
const ADDRESS = '/__manager/values'
const SETTER = '__setValue'

/** The values of the manager: one store over every page of the browser, whatever its site, as a real one has. */
async function keepValues(
  context: BrowserContext,
  start: Readonly<Record<string, unknown>>,
): Promise<NonNullable<ShimOptions['values']>> {
  const values = new Map(Object.entries(start))
  await context.exposeBinding(SETTER, async ({ page: setting }, key: string, value: unknown) => {
    values.set(key, value)
    const others = context.pages().filter((page) => page !== setting)
    await Promise.all(
      others.map((page) =>
        page
          .evaluate(([name, ...args]) => (window as unknown as Record<string, ShimState>)[name]?.receive(...args), [
            SHIM_STATE,
            key,
            value,
          ] as const)
          // A page that is on its way to another address reads the values there.
          .catch(() => {}),
      ),
    )
  })
  await context.route(`**${ADDRESS}`, (route) => route.fulfill({ json: Object.fromEntries(values) }))
  return { address: ADDRESS, setter: SETTER }
}

/** Turbo itself, as the code host runs it: the text of a script for a page. */
export async function turboScript(): Promise<string> {
  const file = fileURLToPath(import.meta.resolve('@hotwired/turbo/dist/turbo.es2017-umd.js'))
  // It looks for the head as soon as it runs.
  return `addEventListener('DOMContentLoaded', () => {${await readFile(file, 'utf8')}})`
}

export const visit = (page: Page, path: string) =>
  page.evaluate((to) => (window as unknown as { Turbo: { visit(to: string): void } }).Turbo.visit(to), path)

/**
 * Until the answer of a visit is shown, not what Turbo kept of the page. Who leaves while the answer is read has an
 * AbortError of Turbo's own, which nobody catches.
 */
export const answered = (page: Page, what?: string) =>
  expect(page.locator('html[data-turbo-preview]'), what).toHaveCount(0)
