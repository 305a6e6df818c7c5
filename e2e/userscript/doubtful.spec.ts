import type { Page } from 'playwright/test'
import { BAD, cardOf, copyOf, GOOD, labelOf, openList } from './cards.ts'
import { expect, test } from './test.ts'

/** A command that is known to have failed takes a deliberate step. */
const LIVE = '[data-plugmark-live]'
const ANYWAY = 'Show the command anyway'

/** Opens its card, which tells this browser that it failed. */
async function learn(page: Page): Promise<void> {
  await labelOf(page, BAD).click()
  await expect(cardOf(page, BAD)).toContainText('Does not install')
}

/** The button of its badge was pressed. */
async function expectNotCopied(page: Page): Promise<void> {
  await expect(cardOf(page, BAD)).toContainText(ANYWAY)
  await expect(page.locator(LIVE).filter({ hasText: /./ })).toHaveCount(0)
}

test('a badge does not copy a command whose failure another tab has learned of', async ({ context, codeHost }) => {
  const [one, two] = [await context.newPage(), await context.newPage()]
  await openList(one, codeHost, BAD, GOOD)
  await labelOf(one, GOOD).click()
  await expect(cardOf(one, GOOD), 'it has read what there is').toContainText('Installs')
  await one.keyboard.press('Escape')
  await openList(two, codeHost, BAD)
  await learn(two)
  await one.bringToFront()
  await copyOf(one, BAD).click()
  await expectNotCopied(one)
})
