import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import { renderToString } from 'react-dom/server'
import { build, type Rolldown } from 'vite'
import { html, raw } from '../pages/html.ts'
import { type ListState, list } from '../pages/react/list.ts'
import { page as shell } from '../pages/shell.ts'
import { topicPage } from '../pages/topic.ts'
import { badgedRows, expectedRows, listedRows, mixedRows, rowFor } from './listings.ts'
import { type CodeHost, expect, ORIGIN, test, twoFrames } from './test.ts'

/** Badges in a list that React draws, with React itself. */
const PATH = '/orgs/lanternworks/repositories'
const TOPIC = '/topics/harness-plugin'

let reactList: string
test.beforeAll(async () => {
  reactList = await bundleReactList()
})

/** Opens a page for the list, still empty; gives the repositories there are for it. */
async function openList(page: Page, codeHost: CodeHost, api: string): Promise<string[]> {
  const content = html`<div class="container" data-react-root></div>`
  codeHost.pages.set(PATH, shell({ title: 'Repositories', content }))
  await page.addInitScript({ content: reactList })
  await page.goto(ORIGIN + PATH)
  return mixedRows(await listedRows(api)).map(({ fullName }) => fullName)
}

for (const keys of ['name', 'place'] as const) {
  test(`rows keyed by ${keys} have the right badges, however React renders them again`, async ({
    page,
    codeHost,
    built,
  }) => {
    const names = await openList(page, codeHost, built.mock.url)

    const draw = async (what: string, now: readonly string[], state: Partial<ListState> = {}) => {
      await page.evaluate((next) => window.reactList.show(next), { names: now, keys, ...state })
      const expected = await expectedRows(built.mock.url, now.map(rowFor))
      await expect.poll(() => badgedRows(page), what).toEqual(expected)
      await twoFrames(page)
      expect(await badgedRows(page), what).toEqual(expected)
    }
    await draw('first', names.slice(0, 8))
    await draw('sorted', names.slice(0, 8).toReversed())
    await draw(
      'filtered',
      names.slice(0, 8).filter((_, index) => index % 2),
    )
    await draw('shuffled, with rows that come and go', [names[9]!, names[1]!, names[12]!, names[0]!])
    await draw('another page', names.slice(10, 18))
    await draw('scrolled on', names.slice(10, 20))
    await draw('without labels', names.slice(10, 20), { labels: false })
    await draw('with labels again', names.slice(10, 20))
    await draw('all nodes made again', names.slice(10, 20), { generation: 1 })
    await draw('empty', [], { generation: 1 })
    await draw('back', names.slice(0, 4), { generation: 1 })
  })
}

test.describe('a list that the code host’s servers have drawn', () => {
  async function openDrawn(page: Page, codeHost: CodeHost, api: string) {
    const names = mixedRows(await listedRows(api)).map(({ fullName }) => fullName)
    const state: ListState = { names, keys: 'name' }
    const drawn = raw(renderToString(list(state)))
    const content = html`<react-app data-ssr="true"><div class="container" data-react-root>${drawn}</div></react-app>`
    codeHost.pages.set(PATH, shell({ title: 'Repositories', content }))
    await page.addInitScript({ content: reactList })
    // Not the first visit: nothing has to be waited for.
    codeHost.pages.set(TOPIC, topicPage(names.map(rowFor)))
    await page.goto(ORIGIN + TOPIC)
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage).length)).toBeGreaterThan(300)
    await page.goto(ORIGIN + PATH)
    return { state, expected: await expectedRows(api, names.map(rowFor)) }
  }

  test('gets its badges once React has hydrated it', async ({ page, codeHost, built }) => {
    const { state, expected } = await openDrawn(page, codeHost, built.mock.url)
    await expect(page.locator('[data-plugmark]')).toBeAttached()
    await twoFrames(page)
    expect(await page.evaluate((now) => window.reactList.hydrate(now), state), 'React rendered it again').toBe(false)
    await expect.poll(() => badgedRows(page)).toEqual(expected)
  })

  test('gets its badges when it is never hydrated, and right ones when that is late', async ({
    page,
    codeHost,
    built,
  }) => {
    await page.clock.install()
    const { state, expected } = await openDrawn(page, codeHost, built.mock.url)
    await page.clock.runFor(6000)
    await expect.poll(() => badgedRows(page)).toEqual(expected)
    await page.evaluate((now) => window.reactList.hydrate(now), state)
    await page.clock.runFor(1000)
    await expect.poll(() => badgedRows(page)).toEqual(expected)
  })
})

/** The list and React itself as one script, to be run in a page that has an element with `data-react-root`. */
async function bundleReactList(): Promise<string> {
  const entry = fileURLToPath(new URL('../pages/react/app.ts', import.meta.url))
  const [output] = (await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry, formats: ['iife'], name: 'reactListApp' } },
  })) as Rolldown.RolldownOutput[]
  return output!.output[0].code
}
