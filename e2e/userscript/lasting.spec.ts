import { cardOf, GOOD, labelOf, openList } from './cards.ts'
import { expect, test } from './test.ts'

/** Time for which a card stays open. There is room for it under its badge, so that it covers no other. */
test.use({ viewport: { width: 1280, height: 1200 } })
test.beforeEach(({ page }) => page.clock.install())

test('a card opened by keyboard focus stays while the pointer passes over other badges', async ({ page, codeHost }) => {
  await openList(page, codeHost, GOOD)
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.locator('h3 a').last().focus()
  await page.keyboard.press('Tab')
  await page.clock.runFor(300)
  const card = cardOf(page, GOOD)
  for (const passed of [labelOf(page, GOOD), card]) {
    await passed.hover()
    await page.locator('h1').hover()
    await page.clock.runFor(1000)
    await expect(card).toBeVisible()
  }
  await expect(labelOf(page, GOOD)).toBeFocused()
  await page.getByRole('searchbox').focus()
  await page.clock.runFor(1000)
  await expect(card, 'and goes with it').toHaveCount(0)
})
