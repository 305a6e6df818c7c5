import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { GOOD, type ListedRow, listedRows, openList, repositoryOf, rowFor, titleOf } from './listings.ts'
import { hasBadgeCache } from './stored.ts'
import { BADGE, expect, ORIGIN, test } from './test.ts'

const TOPIC = '/topics/harness-plugin'
const STATUS = '[data-plugmark-live]'
const COPY = /^Copy the install command of /

const isRoot = ({ fullName }: ListedRow) => !fullName.includes('#')
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test.describe('copying', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('copies exactly the command, by mouse and by keyboard, and announces it', async ({ page, codeHost, built }) => {
    const listings = (await listedRows(built.mock.url)).filter((row) => isRoot(row) && row.install !== null).slice(0, 4)
    codeHost.pages.set(TOPIC, topicPage(listings.map(repositoryOf).map(rowFor)))
    await page.goto(ORIGIN + TOPIC)

    for (const [index, { fullName, install }] of listings.entries()) {
      const button = page.getByRole('button', { name: `Copy the install command of ${fullName}`, exact: true })
      await button.scrollIntoViewIfNeeded()
      await expect
        .poll(() => titleOf(button))
        .toMatch(new RegExp(`\n${install}\nA listing is not a security review\\.$`))
      if (index % 2) await button.press('Enter')
      else await button.click()
      await expect(page.locator(STATUS)).toContainText(`Copied: ${install}`)
      expect(await clipboard(page)).toBe(install)
    }
  })

  test('copies at a press in the very next task after the pointer reached the badge', async ({ page, codeHost }) => {
    await openList(page, codeHost, GOOD)
    // The next visit opens nothing before it is needed.
    await expect.poll(() => hasBadgeCache(page)).toBe(true)
    await page.reload()
    const button = page.locator(BADGE).getByRole('button', { name: COPY })
    await button.evaluate((node: HTMLElement) => {
      node.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
      // Before any timer, as what the user does comes before.
      return scheduler.postTask(() => node.click(), { priority: 'user-blocking' })
    })
    await expect(page.locator(STATUS)).toHaveText('Copied: dsh plugin --profile web add @emberline/night-shift')
  })
})
