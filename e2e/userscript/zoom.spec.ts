import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { rowFor } from './listings.ts'
import { BADGE, expect, ORIGIN, runMenuCommand, test } from './test.ts'

const TOPIC = '/topics/harness-plugin'
/** Of several plugins; passed, with risk flags. */
const REPOSITORIES = ['brasswork/workshop', 'pinwheel-hq/review-queue']

/** Text spacing that the user may set: success criterion 1.4.12 of WCAG 2.2. */
const SPACED = `* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important }
  p { margin-bottom: 2em !important }`

/** Parts that are wider than there is room for. */
const spilling = (page: Page, part: string) =>
  page.locator(part).evaluateAll((roots) =>
    roots
      .flatMap((root) => [root, ...root.querySelectorAll('*')])
      .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.localName}.${one.className}`),
  )

for (const [what, css] of [
  ['', '/* as it is */'],
  [', with the text spaced', SPACED],
] as const) {
  test.describe(`at 400 % of a window of 1280 by 1024${what}`, () => {
    test.use({ viewport: { width: 320, height: 256 } })

    test('everything is inside the window, and nothing overflows', async ({ page, codeHost }) => {
      codeHost.pages.set(TOPIC, topicPage(REPOSITORIES.map(rowFor)))
      await page.goto(ORIGIN + TOPIC)
      await page.addStyleTag({ content: css })
      await expect(page.locator(BADGE)).toHaveCount(REPOSITORIES.length)
      const width = () => page.evaluate(() => document.documentElement.scrollWidth)
      const plain = await width()
      expect(await spilling(page, BADGE)).toEqual([])

      await page.locator('.plugmark-summary [aria-expanded]').click()
      await expect(page.locator('.plugmark-summary')).toBeInViewport({ ratio: 1 })
      expect(await spilling(page, '.plugmark-summary')).toEqual([])
      await page.locator('.plugmark-summary [aria-expanded]').click()

      const card = page.locator('.plugmark-card')
      for (const badge of await page.locator(`${BADGE} [aria-haspopup]`).all()) {
        await badge.press('Enter')
        await expect(card.locator('.plugmark-facts, .plugmark-list')).toBeVisible()
        await expect(card).toBeInViewport({ ratio: 1 })
        for (const fold of await card.locator('summary').all()) await fold.click()
        expect(await spilling(page, '.plugmark-card')).toEqual([])
        await page.keyboard.press('Escape')
      }

      await runMenuCommand(page, 'Plugmark settings')
      const dialog = page.locator('.plugmark-dialog')
      await expect(dialog.getByRole('button', { name: 'Refresh now' })).toBeAttached()
      await expect(dialog).toBeInViewport({ ratio: 1 })
      for (const fold of await dialog.locator('summary').all()) await fold.click()
      expect(await spilling(page, '.plugmark-dialog')).toEqual([])
      expect(await width()).toBe(plain)
    })
  })
}
