import { faultHandler } from '@plugmark/mock-api'
import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { listedRows, mixedRows } from './listings.ts'
import { badgedRows, expectedRows } from './rows.ts'
import { hasBadgeCache, hasCopy } from './stored.ts'
import { BADGE, type CodeHost, expect, ORIGIN, test, twoFrames } from './test.ts'

/** A page visited again is marked from the badge cache, before anything is read from the database. */
const TOPIC = '/topics/harness-plugin'

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
