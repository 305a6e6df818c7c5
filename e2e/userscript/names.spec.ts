import { topicPage } from '../pages/topic.ts'
import { rowFor } from './listings.ts'
import { BADGE, expect, ORIGIN, test, twoFrames } from './test.ts'

const TOPIC = '/topics/harness-plugin'
const REPOSITORY = 'pinwheel-hq/review-queue'

test('names a heading by its text and the word of its badge, and the buttons by their repository', async ({
  page,
  codeHost,
}) => {
  codeHost.pages.set(TOPIC, topicPage([rowFor(REPOSITORY)]))
  await page.goto(ORIGIN + TOPIC)
  const badge = page.locator(BADGE)
  await expect(badge).toHaveText('Development')
  await expect(page.locator(`h3:has(${BADGE})`)).toHaveAccessibleName('pinwheel-hq / review-queue Development')
  await expect(badge.getByRole('button')).toHaveCount(2)
  for (const button of await badge.getByRole('button').all()) {
    await expect(button).toHaveAccessibleName(new RegExp(REPOSITORY))
  }
})

test('keeps badges and commands intact under a translator', async ({ page, codeHost }) => {
  codeHost.pages.set(TOPIC, topicPage([rowFor(REPOSITORY)]))
  await page.goto(ORIGIN + TOPIC)
  await page.locator(`${BADGE} [aria-haspopup]`).click()
  const command = page.getByRole('dialog').locator('code').first()
  await expect(command).toHaveText(/^dsh plugin/)
  const written = await command.textContent()
  // As they do it: each text is put into elements of theirs, but where the page says that it is not for translation.
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (!text.parentElement?.translate || text.parentElement.closest('style, script')) continue
      const font = document.createElement('font')
      text.replaceWith(font)
      font.textContent = `¿${text.data}?`
    }
    document.documentElement.lang = 'es'
  })
  await twoFrames(page)
  await expect(page.locator(BADGE)).toHaveText('¿Development?')
  await expect(command).toHaveText(written!)
  await page.keyboard.press('Escape')
  await page.locator(BADGE).getByRole('button').last().click()
  await expect(page.locator('[data-plugmark-live]')).toHaveText(`Copied: ${written}`)
})
