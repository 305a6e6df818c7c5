import { faultHandler } from '@plugmark/mock-api'
import type { Page } from 'playwright/test'
import { issuePage } from '../pages/discussion.ts'
import { topicPage } from '../pages/topic.ts'
import { byRepository, listedRows, mixedRows, repositoryOf, rowFor } from './listings.ts'
import { badgedRows, expectedRows } from './rows.ts'
import { hasBadgeCache, hasCopy } from './stored.ts'
import { BADGE, type CodeHost, expect, ORIGIN, runMenuCommand, test, twoFrames } from './test.ts'

/** A page visited again is marked from the badge cache, before anything is read from the database. */
const TOPIC = '/topics/harness-plugin'
const ISSUE = '/lanternworks/harness/issues/12'

async function visitOnce(page: Page, codeHost: CodeHost, api: string) {
  const rows = mixedRows(await listedRows(api))
  codeHost.pages.set(TOPIC, topicPage(rows))
  const expected = await expectedRows(api, rows)
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await expect.poll(() => hasBadgeCache(page)).toBe(true)
  await expect.poll(() => hasCopy(page)).toBe(true)
  return expected
}

/** The databases of this visit never open. */
const silence = (page: Page) =>
  page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  })

test('shows the right badges although the database does not answer', async ({ page, codeHost, built }) => {
  const expected = await visitOnce(page, codeHost, built.mock.url)
  await silence(page)
  await page.clock.install()
  await page.reload()
  // Its clock stands: nothing that waits has come yet.
  await page.clock.pauseAt(Date.now() + 60_000)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
})

test('shows badges of links into repositories that are a plugin themselves although the database does not answer', async ({
  page,
  codeHost,
  built,
}) => {
  await visitOnce(page, codeHost, built.mock.url)
  const alone = [...byRepository(await listedRows(built.mock.url)).values()].filter(
    ([listing, ...others]) => others.length === 0 && !listing!.fullName.includes('#'),
  )
  const rows = alone.slice(0, 14).map(([listing]) => rowFor(repositoryOf(listing!)))
  codeHost.pages.set(ISSUE, issuePage(rows))
  await silence(page)
  await page.goto(ORIGIN + ISSUE)
  const badges = page.locator(`[href$="${rows[6]!.fullName}/tree/main/docs"] + ${BADGE}`)
  await expect(badges).toHaveCount(1)
  await expect(badges).toHaveAttribute('data-plugmark-badge', rows[6]!.fullName.toLowerCase())
})

test('removes the badge of a repository that the index no longer has when a person points at it', async ({
  page,
  codeHost,
  built,
}) => {
  const { length } = await visitOnce(page, codeHost, built.mock.url)
  await page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result)
      })
    for (const { name } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name!))
      if (!database.objectStoreNames.contains('index')) continue
      const store = database.transaction('index', 'readwrite').objectStore('index')
      for (const key of await settled(store.getAllKeys())) {
        if (key !== 0) await settled(store.put([], key))
      }
    }
  })
  await page.reload()
  const badges = page.locator(BADGE)
  await expect(badges).toHaveCount(length)
  await badges.first().hover()
  await expect(badges).toHaveCount(length - 1)
})

test('keeps a badge whose rows can be neither read nor fetched, and opens the settings instead of copying', async ({
  page,
  codeHost,
  built,
}) => {
  const { length } = await visitOnce(page, codeHost, built.mock.url)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The disk is gone.', 'UnknownError')
    }
  })
  built.mock.use(faultHandler('500'))
  await page.reload()
  const badges = page.locator(BADGE)
  await expect(badges).toHaveCount(length)
  await badges.first().getByRole('button').last().click()
  await expect.poll(() => codeHost.answered(), 'it is asked for, in vain').toBe(2)
  const dialog = page.getByRole('dialog', { name: 'Plugmark settings' })
  await expect(dialog).toContainText('The list has not been downloaded yet.')
  await expect(dialog.getByRole('status')).toHaveText('Failed: the directory answered with status 500.')
  await expect(dialog.getByRole('status')).toBeInViewport({ ratio: 1 })
  await dialog.getByRole('combobox').selectOption('zh')
  await expect(page.locator('.plugmark-dialog [role=status]')).toHaveText('失败：插件目录返回了状态 500。')
  await page.keyboard.press('Escape')
  await badges.nth(1).getByRole('button').first().click()
  await twoFrames(page)
  await expect(badges).toHaveCount(length)
})

test('keeps the badge cache where the index can be neither read nor refreshed', async ({ page, codeHost, built }) => {
  const expected = await visitOnce(page, codeHost, built.mock.url)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The disk is gone.', 'UnknownError')
    }
    const { now } = Date
    Date.now = () => now() + 7 * 3_600_000
  })
  built.mock.use(faultHandler('500'))
  await page.reload()
  await expect.poll(() => codeHost.answered(), 'it is due').toBe(2)
  await twoFrames(page)
  await page.reload()
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  expect(await hasBadgeCache(page)).toBe(true)
})

test('keeps the badge cache when a refresh that a person asked for fails', async ({ page, codeHost, built }) => {
  const expected = await visitOnce(page, codeHost, built.mock.url)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The disk is gone.', 'UnknownError')
    }
  })
  built.mock.use(faultHandler('500'))
  await page.reload()
  await runMenuCommand(page, 'Plugmark settings')
  const dialog = page.getByRole('dialog', { name: 'Plugmark settings' })
  await dialog.getByRole('button', { name: 'Refresh now' }).click()
  await expect(dialog.getByRole('status')).toHaveText(/ answered with status 500/)
  await twoFrames(page)
  expect(await hasBadgeCache(page)).toBe(true)
  await page.reload()
  await expect.poll(() => badgedRows(page)).toEqual(expected)
})

test('copies at a click without any pointer event before it, as other programs send it', async ({
  page,
  codeHost,
  built,
}) => {
  await visitOnce(page, codeHost, built.mock.url)
  await page.reload()
  await page.evaluate(() => {
    document.querySelector('article')!.parentElement!.addEventListener('click', () => location.assign('/lost'))
  })
  const copy = page.getByRole('button', { name: /^Copy the install command of / }).first()
  await copy.evaluate((button: HTMLElement) => button.click())
  await expect(page.locator('[data-plugmark-live]')).toHaveText(/^Copied: dsh plugin --profile web add /)
  expect(page.url()).toBe(ORIGIN + TOPIC)
})

for (const damage of [
  '',
  '4 dsh',
  '3 dsh 2026-08-20T00:00:00.000Z\na/b tools 1 copy\n',
  '4 dsh 2026-08-20T00:00:00.000Z\nabc',
]) {
  test(`a cache that reads ${JSON.stringify(damage)} is replaced`, async ({ page, codeHost, built }) => {
    const expected = await visitOnce(page, codeHost, built.mock.url)
    await page.evaluate((text) => {
      const key = Object.keys(localStorage).find((key) => key.startsWith('plugmark badges'))!
      localStorage.setItem(key, text)
    }, damage)
    await page.reload()
    await expect.poll(() => badgedRows(page)).toEqual(expected)
    await expect.poll(() => hasBadgeCache(page)).toBe(true)
  })
}
