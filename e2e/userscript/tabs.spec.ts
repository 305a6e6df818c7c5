import { faultHandler } from '@plugmark/mock-api'
import type { BrowserContext, Page } from 'playwright/test'
import { gistPage } from '../pages/discussion.ts'
import { topicPage } from '../pages/topic.ts'
import { badgedRows, expectedRows, listedRows, mixedRows } from './listings.ts'
import { hasCopy } from './stored.ts'
import { BADGE, type CodeHost, expect, ORIGIN, runMenuCommand, test } from './test.ts'

/** All tabs of an origin are one asker. */
const TOPIC = '/topics/harness-plugin'
const GIST = 'https://gist.github.com/wren-abbot/0123456789abcdef'

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

test('sends one request for a cold start in ten tabs at once', async ({ context, codeHost, built }) => {
  const expected = await listOf(built.mock.url, codeHost)
  const tabs = await openTabs(context, 10)
  for (const tab of tabs) await expect.poll(() => badgedRows(tab)).toEqual(expected)
  expect(codeHost.carried).toEqual([`${built.mock.url}/api/v1/index`])
})

test('stores an index for a second origin only when the user goes there', async ({ page, codeHost, built }) => {
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

test('marks the next page at once for a user who leaves during the first request', async ({
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
