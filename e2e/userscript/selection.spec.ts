import { html } from '../pages/html.ts'
import { repositoryPage } from '../pages/repository.ts'
import { page as shell } from '../pages/shell.ts'
import { comment } from '../pages/text.ts'
import { BAD, GOOD, openList } from './listings.ts'
import { BADGE, expect, ORIGIN, test } from './test.ts'

/** A user selects and copies only what the page itself has. */
const ISSUE = '/wren-abbot/teapot/issues/1'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

for (const touchesBadges of [false, true]) {
  test.describe(touchesBadges ? 'with badges that were used' : 'with badges that were not used', () => {
    test.use({ touchesBadges })

    test('a whole list that is selected and copied has nothing of the summary or the badges', async ({
      page,
      codeHost,
    }) => {
      await openList(page, codeHost, GOOD, BAD)
      await expect(page.locator('.plugmark-summary')).toContainText('2 of 2')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.press('ControlOrMeta+c')
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(copied).toContain('night-shift')
      expect(copied).not.toMatch(/are listed plugins|Workflow/)
    })

    test('a triple click beside a badge at the end of a paragraph selects this paragraph', async ({
      page,
      codeHost,
    }) => {
      const text = html`<p id="one">Look at <a href="/${GOOD}">this one</a></p><p id="two">Another paragraph.</p>`
      codeHost.pages.set(ISSUE, shell({ title: 'teapot', content: comment('wren-abbot', text) }))
      await page.goto(ORIGIN + ISSUE)
      const badge = page.locator(BADGE)
      await expect(badge).toBeVisible()
      const { x, y, width, height } = (await badge.boundingBox())!
      await page.mouse.click(x + width + 40, y + height / 2, { clickCount: 3 })
      expect(await page.evaluate(() => String(getSelection()).trim())).toBe('Look at this one')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.press('ControlOrMeta+c')
      const copied = await page.evaluate(async () => {
        const [item] = await navigator.clipboard.read()
        return (await item!.getType('text/html')).text()
      })
      expect(copied).toContain('this one')
      expect(copied, 'nor is a badge in what a rich editor pastes').not.toContain('plugmark')
    })
  })
}

test('the page of a plugin is selected, copied and printed without the card', async ({ page, codeHost }) => {
  codeHost.pages.set(`/${GOOD}`, repositoryPage([], { fullName: GOOD }))
  await page.goto(`${ORIGIN}/${GOOD}`)
  const card = page.locator('.plugmark-repository')
  await expect(card).toContainText('Installs')
  await page.mouse.move(0, 0)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('ControlOrMeta+c')
  expect(await page.evaluate(() => navigator.clipboard.readText())).not.toMatch(/Install check|dsh plugin/)
  await page.emulateMedia({ media: 'print' })
  for (const button of await card.getByRole('button').all()) await expect(button).toBeHidden()
  await expect(card.locator('code').first()).toBeVisible()
})
