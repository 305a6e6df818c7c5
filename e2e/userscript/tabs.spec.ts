import { faultHandler } from '@plugmark/mock-api'
import { HttpResponse, http } from 'msw'
import type { BrowserContext, Page } from 'playwright/test'
import { gistPage } from '../pages/discussion.ts'
import { topicPage } from '../pages/topic.ts'
import { listedRows, mixedRows } from './listings.ts'
import { badgedRows, expectedRows } from './rows.ts'
import { failuresNoted, hasCopy, storageIsQuiet } from './stored.ts'
import { BADGE, type CodeHost, expect, ORIGIN, runMenuCommand, test, twoFrames } from './test.ts'

/** All tabs of an origin are one asker. */
const TOPIC = '/topics/harness-plugin'
const GIST = 'https://gist.github.com/wren-abbot/0123456789abcdef'

const MINUTE = 60_000

async function listOf(api: string, codeHost: CodeHost) {
  const rows = mixedRows(await listedRows(api))
  for (const path of [TOPIC, `${TOPIC}?page=1`]) codeHost.pages.set(path, topicPage(rows))
  codeHost.pages.set(GIST, gistPage(rows))
  return expectedRows(api, rows)
}

const openTabs = async (context: BrowserContext, count: number): Promise<Page[]> => {
  const tabs = await Promise.all(Array.from({ length: count }, () => context.newPage()))
  await Promise.all(tabs.map((tab) => tab.goto(ORIGIN + TOPIC)))
  return tabs
}

for (const manager of ['violentmonkey', 'greasemonkey'] as const) {
  test.describe(`in ${manager}`, () => {
    test.use({ manager })

    test('sends one request for a cold start in ten tabs at once', async ({ context, codeHost, built }) => {
      const expected = await listOf(built.mock.url, codeHost)
      const tabs = await openTabs(context, 10)
      for (const tab of tabs) await expect.poll(() => badgedRows(tab)).toEqual(expected)
      expect(codeHost.carried).toEqual([`${built.mock.url}/api/v1/index`])
    })
  })
}

test('stores an index for a second origin only when a person goes there', async ({ page, codeHost, built }) => {
  const expected = await listOf(built.mock.url, codeHost)
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await expect.poll(() => hasCopy(page)).toBe(true)
  await page.reload()
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  expect(codeHost.carried).toHaveLength(1)

  await page.goto(GIST)
  await expect(page.locator(BADGE)).toHaveCount(expected.length)
  expect(codeHost.carried).toHaveLength(2)
  await expect.poll(() => hasCopy(page)).toBe(true)
  await page.reload()
  await expect(page.locator(BADGE)).toHaveCount(expected.length)
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  expect(codeHost.carried).toHaveLength(2)
})

test('requests nothing on a page that is not marked', async ({ page, codeHost }) => {
  codeHost.pages.set('/settings/profile', topicPage([]))
  await page.goto(`${ORIGIN}/settings/profile`)
  await expect(page.locator('[data-plugmark]')).toBeAttached()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await runMenuCommand(page, 'Plugmark settings')
  await expect(page.getByRole('dialog')).toContainText('The list has not been downloaded yet.')
  expect(codeHost.carried).toEqual([])
})

test('asks a failing server from one tab at a time, with a growing back-off', async ({ context, codeHost, built }) => {
  const expected = await listOf(built.mock.url, codeHost)
  built.mock.use(faultHandler('500'))
  await context.clock.install()
  const tabs = await openTabs(context, 3)
  const settle = () => Promise.all(tabs.map((tab) => twoFrames(tab).then(() => storageIsQuiet(tab))))
  const pass = async (ms: number) => {
    await context.clock.fastForward(ms)
    // A person returns to each tab, too.
    for (const tab of tabs) await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await settle()
  }
  const isNoted = async (failures: number) => {
    await expect.poll(() => failuresNoted(tabs[0]!)).toBe(failures)
    await settle()
  }
  await isNoted(1)

  for (const [failures, pause] of [1, 2, 5, 15, 30, 60, 120, 240, 360, 360].entries()) {
    await pass((pause - 0.5) * MINUTE)
    expect(codeHost.carried, `within the ${pause} minutes after failure ${failures + 1}`).toHaveLength(failures + 1)
    await pass(MINUTE)
    await expect.poll(codeHost.answered).toBe(failures + 2)
    await isNoted(failures + 2)
  }

  built.mock.resetHandlers()
  const asked = codeHost.carried.length
  await pass(361 * MINUTE)
  for (const tab of tabs) await expect.poll(() => badgedRows(tab)).toEqual(expected)
  expect(codeHost.carried).toHaveLength(asked + 1)
})

test('tabs that are closed in the first request delay the next page by seconds, and cost one request each', async ({
  context,
  codeHost,
  built,
}) => {
  const expected = await listOf(built.mock.url, codeHost)
  built.mock.use(faultHandler('hang'))
  await context.clock.install()
  for (const asked of [1, 2]) {
    const [closed] = await openTabs(context, 1)
    await expect.poll(() => codeHost.carried.length).toBe(asked)
    await closed!.close()
  }
  built.mock.resetHandlers()

  const others = await openTabs(context, 3)
  const settle = () => Promise.all(others.map((tab) => twoFrames(tab).then(() => storageIsQuiet(tab))))
  await settle()
  await context.clock.fastForward(MINUTE / 6)
  for (const tab of others) await expect.poll(() => badgedRows(tab)).toEqual(expected)
  expect(codeHost.carried).toHaveLength(3)
})

test('marks the next page at once for a person who leaves during the first request', async ({
  page,
  codeHost,
  built,
}) => {
  const expected = await listOf(built.mock.url, codeHost)
  built.mock.use(faultHandler('hang'))
  await page.goto(`${ORIGIN}${TOPIC}?page=1`)
  await expect.poll(() => codeHost.carried.length).toBe(1)
  built.mock.resetHandlers()
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  expect(codeHost.carried).toHaveLength(2)
})

test('shows a newer index in all tabs after a person refreshed it in one', async ({ context, codeHost, built }) => {
  const api = built.mock.url
  const expected = await listOf(api, codeHost)
  const index = await (await fetch(`${api}/api/v1/index`)).json()
  const { badge: added } = expected[0]!
  const plugins = index.plugins.filter(([name]: string[]) => name!.split('#')[0]!.toLowerCase() !== added)
  const before = { ...index, generated: '2026-08-20T00:00:00.000Z', count: plugins.length, plugins }
  built.mock.use(http.get('*/api/v1/index', () => HttpResponse.json(before)))
  const tabs = await openTabs(context, 3)
  for (const tab of tabs) await expect.poll(() => badgedRows(tab)).toEqual(expected.slice(1))
  await expect.poll(() => hasCopy(tabs[0]!)).toBe(true)

  built.mock.resetHandlers()
  await runMenuCommand(tabs[0]!, 'Plugmark settings')
  await tabs[0]!.getByRole('button', { name: 'Refresh now' }).click()
  for (const tab of tabs) await expect.poll(() => badgedRows(tab)).toEqual(expected)
  expect(codeHost.carried).toHaveLength(2)
})
