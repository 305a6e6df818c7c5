import { html } from '../pages/html.ts'
import { page as shell } from '../pages/shell.ts'
import { comment } from '../pages/text.ts'
import { topicPage } from '../pages/topic.ts'
import { BAD, cardOf, GOOD, openList, TOPIC } from './cards.ts'
import { rowFor } from './listings.ts'
import { BADGE, expect, ORIGIN, test } from './test.ts'

/** A badge is one element until a person points at it or focuses it, and then has a label and a copy button. */
const LIVE = '[data-plugmark-live]'

test.use({ touchesBadges: false, permissions: ['clipboard-read', 'clipboard-write'] })

test('a badge gets its two buttons when it is pointed at, without changing its size or place', async ({
  page,
  codeHost,
}) => {
  await openList(page, codeHost, GOOD, BAD)
  const badge = page.locator(BADGE).first()
  await expect(badge.locator('*')).toHaveCount(0)
  await expect(badge).toHaveRole('button')
  const before = await badge.boundingBox()
  const row = await page.locator('article').first().boundingBox()
  await badge.hover()
  await expect(badge.getByRole('button')).toHaveCount(2)
  await expect(badge).toHaveRole('group')
  expect(await badge.boundingBox()).toEqual(before)
  expect(await page.locator('article').first().boundingBox()).toEqual(row)
})

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

test('a click that a screen reader sends to a badge opens its card', async ({ page, codeHost }) => {
  await openList(page, codeHost, GOOD)
  await page.locator(BADGE).evaluate((badge: HTMLElement) => badge.click())
  await expect(cardOf(page, GOOD)).toBeVisible()
})

test('each badge is one tab stop, and the arrow keys lead to its copy button', async ({ page, codeHost }) => {
  await openList(page, codeHost, GOOD, BAD)
  const badges = page.locator(BADGE)
  await page.locator('article h3 a').nth(1).focus()
  await page.keyboard.press('Tab')
  await expect(badges.first().locator('.plugmark-label')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(badges.first().locator('.plugmark-copy')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator(LIVE)).toHaveText(/^Copied: dsh plugin /)
  await page.keyboard.press('ArrowLeft')
  await expect(badges.first().locator('.plugmark-label')).toBeFocused()
  const stops = await page.evaluate((badge) => {
    const all = [...document.querySelectorAll<HTMLElement>('*')].filter(({ tabIndex }) => tabIndex >= 0)
    return all.filter((element) => element.closest(badge)).length
  }, BADGE)
  expect(stops).toBe(2)
})

test('no press of a button or a key on a badge reaches the row around it', async ({ page, codeHost }) => {
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
  await page.keyboard.press('Escape')
  await badge.locator('.plugmark-label').press('Enter')
  await badge.locator('.plugmark-label').press('x')
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
})

test('a badge and its card spell a name as the page does', async ({ page, codeHost }) => {
  const spelled = GOOD.replace('emberline', 'EmberLine')
  codeHost.pages.set(TOPIC, topicPage([rowFor(spelled)]))
  await page.goto(ORIGIN + TOPIC)
  await page.locator(BADGE).hover()
  await expect(page.locator(BADGE).getByRole('button').first()).toHaveAccessibleName(new RegExp(spelled))
  await page.locator(`${BADGE} .plugmark-label`).click()
  await expect(cardOf(page, spelled)).toContainText('EmberLine')
  await expect(cardOf(page, spelled).locator('code').first(), 'the command stays what the directory ran').toHaveText(
    'dsh plugin --profile web add @emberline/night-shift',
  )
})
