import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { badgedRows, expectedRows, listedRows, mixedRows } from './listings.ts'
import { hasBadgeCache, hasCopy } from './stored.ts'
import { BADGE, type CodeHost, expect, ORIGIN, test, twoFrames } from './test.ts'

/** Storages that fail in every way there is: the page is marked all the same, from what the tab has in memory. */
const TOPIC = '/topics/harness-plugin'

type Rows = Awaited<ReturnType<typeof badgedRows>>

async function listOf(api: string, codeHost: CodeHost): Promise<Rows> {
  const rows = mixedRows(await listedRows(api))
  codeHost.pages.set(TOPIC, topicPage(rows))
  return expectedRows(api, rows)
}

/** Waits for the badges while the clock of the page runs fast, but not while it has a request: that would be too slow. */
async function expectInTime(page: Page, codeHost: CodeHost, expected: Rows): Promise<void> {
  const look = async () => {
    if (codeHost.carried.length === codeHost.answered()) await page.clock.fastForward(1000)
    return badgedRows(page)
  }
  await expect.poll(look, { intervals: [50] }).toEqual(expected)
}

/** Changes to IndexedDB in the page before the script runs. */
const BROKEN: Readonly<Record<string, () => void>> = {
  'is denied': () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The user denied permission to access the database.', 'SecurityError')
    }
  },
  'never opens': () => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  },
}

for (const [how, breaks] of Object.entries(BROKEN)) {
  test(`marks the page with IndexedDB that ${how}`, async ({ page, codeHost, built }) => {
    const expected = await listOf(built.mock.url, codeHost)
    await page.clock.install()
    await page.addInitScript(breaks)
    await page.goto(ORIGIN + TOPIC)
    const began = await page.evaluate(() => Date.now())
    await expectInTime(page, codeHost, expected)
    const tookMs = (await page.evaluate(() => Date.now())) - began
    expect(tookMs, 'a silent one is given up').toBeLessThan(40_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.clock.fastForward(10_000)
    await twoFrames(page)
    expect(await badgedRows(page)).toEqual(expected)
    expect(codeHost.carried, 'a page asks once, whatever its storage forgets').toHaveLength(1)
  })
}

test('marks pages with a full disk, and stores the index once there is room again', async ({
  page,
  codeHost,
  built,
}) => {
  const expected = await listOf(built.mock.url, codeHost)
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: ORIGIN, quotaSize: 1 })
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await expect.poll(() => hasBadgeCache(page)).toBe(true)

  await session.send('Storage.overrideQuotaForOrigin', { origin: ORIGIN })
  await page.reload()
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await expect(page.locator('.plugmark-summary')).toBeVisible()
  expect(codeHost.carried, 'it was asked a moment ago').toHaveLength(1)
  await page.locator(BADGE).first().hover()
  await expect.poll(() => hasCopy(page), 'the rows are read when somebody points at a badge').toBe(true)
  const indexes = () => codeHost.carried.filter((url) => url.endsWith('/index'))
  expect(indexes()).toHaveLength(2)
  await page.reload()
  await page.locator(BADGE).first().hover()
  await expect(page.locator('.plugmark-card')).toBeVisible()
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  expect(indexes(), 'what could be kept at last is not asked for again').toHaveLength(2)
})
