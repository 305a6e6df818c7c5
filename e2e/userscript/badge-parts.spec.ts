import { html } from '../pages/html.ts'
import { page as shell } from '../pages/shell.ts'
import { comment } from '../pages/text.ts'
import { topicPage } from '../pages/topic.ts'
import { BAD, cardOf, GOOD, openList, rowFor, TOPIC } from './listings.ts'
import { BADGE, expect, ORIGIN, test } from './test.ts'

/** A badge is one element until the user points at it or focuses it, and then has a label and a copy button. */
const LIVE = '[data-plugmark-live]'

test.use({ touchesBadges: false, permissions: ['clipboard-read', 'clipboard-write'] })

test('a badge without its word stays in its place when it gets its buttons', async ({ page, codeHost }) => {
  const path = '/wren-abbot/teapot/issues/1'
  const text = html`<p>Look at <a href="/${GOOD}">this one</a> in a text.</p>`
  codeHost.pages.set(path, shell({ title: 'teapot', content: comment('wren-abbot', text) }))
  await page.goto(ORIGIN + path)
  const badge = page.locator(BADGE)
  const before = (await badge.boundingBox())!
  await badge.hover()
  await expect(badge.getByRole('button')).toHaveCount(2)
  const after = (await badge.boundingBox())!
  expect(after).toMatchObject({ x: before.x, width: before.width, height: before.height })
  expect(Math.abs(after.y - before.y)).toBeLessThan(1)
})

test('a mouse that goes straight to the copy side of a badge copies, and to its word opens the card', async ({
  page,
  codeHost,
}) => {
  await openList(page, codeHost, GOOD, BAD)
  const badge = page.locator(BADGE).first()
  const { width } = (await badge.boundingBox())!
  await badge.click({ position: { x: width - 10, y: 9 } })
  await expect(page.locator(LIVE)).toHaveText(/^Copied: dsh plugin /)
  await expect(cardOf(page, GOOD)).toHaveCount(0)
  await badge.click({ position: { x: 12, y: 9 } })
  await expect(cardOf(page, GOOD)).toBeVisible()
})

test('no press of a button or of a key that a badge uses reaches the row around it, and all other keys do', async ({
  page,
  codeHost,
}) => {
  codeHost.pages.set(TOPIC, topicPage([rowFor(GOOD)]))
  await page.goto(ORIGIN + TOPIC)
  await expect(page.locator(BADGE)).toHaveCount(1)
  const types = ['pointerdown', 'mousedown', 'mouseup', 'click', 'auxclick', 'dblclick', 'keydown', 'keypress', 'keyup']
  await page.locator('article').evaluate((row, types) => {
    const seen: string[] = []
    Object.assign(window, { seen })
    for (const type of types) row.addEventListener(type, () => seen.push(type))
  }, types)
  const badge = page.locator(BADGE)
  await badge.click({ button: 'middle' })
  await badge.dblclick()
  await badge.locator('.plugmark-label').press('Enter')
  await badge.locator('.plugmark-label').press('ArrowRight')
  const seen = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect(await seen()).toEqual([])
  await badge.locator('.plugmark-copy').press('j')
  expect(await seen(), 'a shortcut of the code host').toEqual(['keydown', 'keypress', 'keyup'])
})
