import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { listedRows, repositoryOf, rowFor } from './listings.ts'
import { hasBadgeCache } from './stored.ts'
import { BADGE, expect, ORIGIN, test } from './test.ts'

/** Most pages name no plugin: they pay for nothing that is only for badges, until there is one. */
const TOPIC = '/topics/teapots'
const LIVE = '[data-plugmark-live]'
/** Of a badge that has its styles. px */
const HEIGHT = 18

let plugin = ''

test.beforeEach(async ({ page, codeHost, built }) => {
  plugin = repositoryOf((await listedRows(built.mock.url))[0]!)
  const teapots = Array.from({ length: 8 }, (_, at) => rowFor(`wren-abbot/teapot-${at}`))
  codeHost.pages.set(TOPIC, topicPage(teapots))
  // So that the next page is marked at once.
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => hasBadgeCache(page)).toBe(true)
})

/** All that waits for the browser to have nothing else to do has had its turn, however often it waits again. */
const rested = (page: Page) =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => requestIdleCallback(resolve))
  })

const styleSheets = (page: Page) => page.evaluate(() => document.adoptedStyleSheets.length)

/** Height of the first badge that a change adds, at the end of the task that puts it on the page. */
async function heightOfNext(page: Page, change: () => Promise<unknown>): Promise<number> {
  const [height] = await Promise.all([
    page.evaluate(
      (badge) =>
        new Promise<number>((resolve) => {
          const observer = new MutationObserver(() => {
            const found = document.querySelector(badge)
            if (!found) return
            observer.disconnect()
            resolve(found.getBoundingClientRect().height)
          })
          observer.observe(document, { subtree: true, childList: true })
        }),
      BADGE,
    ),
    change(),
  ])
  return height
}

test('adds nothing to a page without a plugin, and styles the badge of a card that is added later at once', async ({
  page,
}) => {
  await page.reload()
  await rested(page)
  expect(await styleSheets(page)).toBe(0)
  await expect(page.locator(LIVE)).toHaveCount(0)
  await expect(page.locator('[class^="plugmark"]')).toHaveCount(0)

  const addCard = () =>
    page
      .locator('article')
      .first()
      .evaluate((first, href) => {
        const card = first.cloneNode(true) as Element
        card.querySelector('h3 a:nth-of-type(2)')!.setAttribute('href', href)
        first.before(card)
      }, `/${plugin}`)
  expect(await heightOfNext(page, addCard)).toBe(HEIGHT)
  await expect(page.locator(LIVE)).toHaveCount(1)
  await page.locator(`${BADGE} .plugmark-copy`).click()
  await expect(page.locator(LIVE)).toHaveText(/^Copied: /)
})
