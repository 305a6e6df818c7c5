import { faultHandler } from '@plugmark/mock-api'
import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { badgedRows, expectedRows, listedRows, mixedRows } from './listings.ts'
import { failuresNoted, storageIsQuiet } from './stored.ts'
import { BADGE, type CodeHost, expect, ORIGIN, test, twoFrames } from './test.ts'

/** A page that could not be marked is, as soon as there is a copy, without a reload. */
const TOPIC = '/topics/harness-plugin'

/** Before there is a copy, the first failure is waited out for a minute. ms */
const AFTER_BACK_OFF = 2 * 60_000

type Rows = Awaited<ReturnType<typeof badgedRows>>

const unmarked = test.extend<{ expected: Rows }>({
  /** The badges of a marked page. The directory is down until `resetHandlers`. */
  expected: async ({ built, codeHost }, use) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    const expected = await expectedRows(built.mock.url, rows)
    codeHost.pages.set(TOPIC, topicPage(rows))
    built.mock.use(faultHandler('500'))
    await use(expected)
  },
})

async function openUnmarked(page: Page, codeHost: CodeHost): Promise<void> {
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(codeHost.answered).toBe(1)
  await expect.poll(() => failuresNoted(page)).toBe(1)
  await storageIsQuiet(page)
  await twoFrames(page)
  await expect(page.locator(BADGE)).toHaveCount(0)
}

/** A second tab, in which the back-off is over. */
async function openLater(page: Page): Promise<Page> {
  const later = await page.context().newPage()
  await later.addInitScript((ms) => {
    const now = Date.now
    Date.now = () => now() + ms
  }, AFTER_BACK_OFF)
  await later.goto(ORIGIN + TOPIC)
  return later
}

unmarked('when the storage could not be read for a while', async ({ page, codeHost, built, expected }) => {
  await page.clock.install()
  await page.addInitScript(() => {
    const { get, put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (value, ...rest) {
      if (value?.failure) {
        IDBObjectStore.prototype.get = () => {
          throw new DOMException('The disk is gone.', 'UnknownError')
        }
        window.addEventListener('repaired', () => Object.assign(IDBObjectStore.prototype, { get }), { once: true })
      }
      return put.call(this, value, ...rest)
    }
  })
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => page.evaluate(() => String(IDBObjectStore.prototype.get))).toContain('The disk is gone.')
  await page.evaluate(() => navigator.locks.request('plugmark-index', () => {}))
  await page.evaluate(() => window.dispatchEvent(new Event('repaired')))
  await storageIsQuiet(page)
  built.mock.resetHandlers()
  await page.clock.runFor(65_000)
  await storageIsQuiet(page)
  await page.clock.fastForward(AFTER_BACK_OFF)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  expect(codeHost.carried).toHaveLength(2)
})

unmarked('when another tab has got the catalogue', async ({ page, codeHost, built, expected }) => {
  await openUnmarked(page, codeHost)
  built.mock.resetHandlers()
  await openLater(page)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
})

unmarked('when the user asks again, from the line that says it', async ({ page, codeHost, built, expected }) => {
  await openUnmarked(page, codeHost)
  const summary = page.getByRole('region', { name: 'Plugins on this page' })
  await expect(summary).toHaveText('Plugin directory not reachable. Retry · Settings')
  await summary.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(codeHost.answered).toBe(2)
  await expect(summary, 'in vain').toHaveText('Plugin directory not reachable. Retry · Settings')
  await summary.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('dialog', { name: 'Plugmark settings' })).toBeVisible()
  await page.keyboard.press('Escape')
  built.mock.resetHandlers()
  await summary.getByRole('button', { name: 'Retry' }).press('Enter')
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await expect(summary).not.toContainText('Plugin directory not reachable')
})
