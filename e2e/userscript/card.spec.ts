import { http } from 'msw'
import { topicPage } from '../pages/topic.ts'
import { BAD, cardOf, copyOf, GOOD, labelOf, openList, rowFor, TOPIC } from './listings.ts'
import { type CodeHost, expect, ORIGIN, test, twoFrames } from './test.ts'

const COMMAND = 'dsh plugin --profile web add @emberline/night-shift'

const asksFor = ({ carried }: CodeHost) => carried.filter((url) => url.includes('/plugins'))

test('a card shows what the directory knows, and requests it once a day', async ({ page, codeHost }) => {
  await openList(page, codeHost, GOOD)
  expect(asksFor(codeHost), 'nothing is asked for a row').toEqual([])
  await labelOf(page, GOOD).click()
  const card = cardOf(page, GOOD)
  await expect(card).toContainText('Install check passed')
  await expect(card).toContainText('Licence MIT')
  await expect(card).toContainText('Terminal access Can run commands in a terminal on your machine.')
  await expect(card).toContainText('A listing is not a security review.')
  await expect(card.locator('code').first()).toHaveText(COMMAND)
  const asked = asksFor(codeHost).length
  expect(asked).toBe(1)

  await page.reload()
  await labelOf(page, GOOD).click()
  await expect(card).toContainText('Install check passed')
  expect(asksFor(codeHost)).toHaveLength(asked)
})

test('details that arrive late do not move the card away from the pointer', async ({ page, codeHost, built }) => {
  await page.setViewportSize({ width: 900, height: 1200 })
  const above = Array.from({ length: 6 }, (_, i) => `wren-abbot/teapot-${i}`)
  codeHost.pages.set(TOPIC, topicPage([...above, GOOD].map(rowFor)))
  await page.goto(ORIGIN + TOPIC)
  const late = Promise.withResolvers<void>()
  built.mock.use(http.get('*/api/v1/plugins', () => late.promise))
  const card = cardOf(page, GOOD)
  await labelOf(page, GOOD).hover()
  const { y, height } = (await card.boundingBox())!
  await page.locator('h1').hover()
  await expect(card).toHaveCount(0)
  // As high as without its details it has room for.
  await page.setViewportSize({ width: 900, height: Math.ceil(y + height) + 10 })
  await labelOf(page, GOOD).hover()
  await card.getByText('A listing is not a security review.').hover()
  late.resolve()
  await expect(card).toContainText('Licence MIT')
  await expect(card, 'it is where the pointer is').toBeInViewport({ ratio: 1 })
  expect(await card.evaluate((node) => node.matches(':hover'))).toBe(true)
})

test('a card is opened, used and closed by keys alone', async ({ page, codeHost }) => {
  await openList(page, codeHost, GOOD)
  const card = cardOf(page, GOOD)
  const label = labelOf(page, GOOD)
  await label.press('Enter')
  await expect(card).toBeFocused()
  await expect(label).toHaveAttribute('aria-expanded', 'true')
  await expect(card).toContainText('Installs')
  await page.keyboard.press('Tab')
  await expect(card.locator('code').first()).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(card.getByRole('button', { name: `Copy: ${COMMAND}` })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)
  await expect(label).toBeFocused()
  await expect(label).toHaveAttribute('aria-expanded', 'false')
  await twoFrames(page)
  await expect(card, 'the focus that came back does not open it again').toHaveCount(0)
})

test('keyboard focus opens a card without moving the focus into it', async ({ page, codeHost }) => {
  await openList(page, codeHost, GOOD)
  await page.locator('h3 a').last().focus()
  await page.keyboard.press('Tab')
  await expect(labelOf(page, GOOD)).toBeFocused()
  await expect(cardOf(page, GOOD)).toBeVisible()
  await expect(labelOf(page, GOOD)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(cardOf(page, GOOD).locator('code').first(), 'Tab leads into it').toBeFocused()
})

test.describe('by touch', () => {
  test.use({ hasTouch: true })

  test('a tap opens a card, and one beside it closes it', async ({ page, codeHost }) => {
    await openList(page, codeHost, GOOD)
    const card = cardOf(page, GOOD)
    await labelOf(page, GOOD).tap()
    await expect(card).toBeVisible()
    await page.locator('h1').tap()
    await expect(card).toHaveCount(0)
  })

  test('a card on a phone comes from below, and its badge is visible above it', async ({ page, codeHost }) => {
    await page.setViewportSize({ width: 375, height: 740 })
    codeHost.pages.set(TOPIC, topicPage([GOOD, BAD, ...Array(4).fill('wren-abbot/teapot')].map(rowFor)))
    await page.goto(ORIGIN + TOPIC)
    await labelOf(page, BAD).tap()
    const card = cardOf(page, BAD)
    await expect(card).toContainText('Show the command anyway')
    const [badge, sheet] = [await labelOf(page, BAD).boundingBox(), await card.boundingBox()]
    expect(sheet!.y + sheet!.height).toBe(740)
    expect(badge!.y + badge!.height).toBeLessThanOrEqual(sheet!.y)
    expect(badge!.y).toBeGreaterThan(0)
  })
})

test.describe('in a browser without popovers', () => {
  test('a card opens without popovers', async ({ page, codeHost }) => {
    await page.addInitScript(() => {
      // @ts-expect-error a browser of before 2024
      delete HTMLElement.prototype.showPopover
      // @ts-expect-error the same
      delete HTMLElement.prototype.popover
    })
    await openList(page, codeHost, GOOD)
    await labelOf(page, GOOD).click()
    await expect(cardOf(page, GOOD)).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(cardOf(page, GOOD)).toHaveCount(0)
  })
})

test.describe('in a window with room for a card under its badge', () => {
  test.use({ viewport: { width: 1280, height: 1200 } })

  test('a card opened by keyboard focus stays while the pointer passes over other badges', async ({
    page,
    codeHost,
  }) => {
    await page.clock.install()
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
})

test('a badge does not copy a command whose failure another tab has learned of', async ({ context, codeHost }) => {
  const [one, two] = [await context.newPage(), await context.newPage()]
  await openList(one, codeHost, BAD, GOOD)
  await labelOf(one, GOOD).click()
  await expect(cardOf(one, GOOD), 'it has read what there is').toContainText('Installs')
  await one.keyboard.press('Escape')
  await openList(two, codeHost, BAD)
  await labelOf(two, BAD).click()
  await expect(cardOf(two, BAD)).toContainText('Does not install')
  await one.bringToFront()
  await copyOf(one, BAD).click()
  await expect(cardOf(one, BAD)).toContainText('Show the command anyway')
  await expect(one.locator('[data-plugmark-live]').filter({ hasText: /./ })).toHaveCount(0)
})
