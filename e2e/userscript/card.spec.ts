import { faultHandler } from '@plugmark/mock-api'
import { http } from 'msw'
import { html } from '../pages/html.ts'
import { page as shell } from '../pages/shell.ts'
import { comment } from '../pages/text.ts'
import { topicPage } from '../pages/topic.ts'
import { BAD, badgeOf, cardOf, copyOf, GOOD, labelOf, openList, TOPIC } from './cards.ts'
import { rowFor } from './listings.ts'
import { type CodeHost, drawnText, expect, ORIGIN, test, twoFrames } from './test.ts'

const COMMAND = 'dsh plugin --profile web add @emberline/night-shift'
const MONOREPO = 'brasswork/workshop'

const asksFor = ({ carried }: CodeHost) => carried.filter((url) => url.includes('/plugins'))

test('a card shows what the directory knows, and requests it once a day', async ({ page, codeHost }) => {
  await openList(page, codeHost, GOOD)
  expect(asksFor(codeHost), 'nothing is asked for a row').toEqual([])
  await labelOf(page, GOOD).click()
  const card = cardOf(page, GOOD)
  await expect(card).toContainText('Plugin for DeepSeek Harness')
  await expect(card).toContainText('Installs, checked')
  await expect(card).toContainText('Licence MIT')
  await expect(card).toContainText('Terminal access Can run commands in a terminal on your machine.')
  await expect(card).toContainText('A listing is not a security review.')
  await expect(card.getByRole('link', { name: 'Source' })).toHaveAttribute('href', `${ORIGIN}/${GOOD}`)
  await expect(card.locator('code').first()).toHaveText(COMMAND)
  const asked = asksFor(codeHost).length
  expect(asked).toBe(1)

  await page.reload()
  await labelOf(page, GOOD).click()
  await expect(card).toContainText('Installs, checked')
  expect(asksFor(codeHost)).toHaveLength(asked)
})

test('a badge keeps its size and the place of its button, whatever a person does with it', async ({
  page,
  codeHost,
}) => {
  await openList(page, codeHost, GOOD)
  const boxes = async () => [await badgeOf(page, GOOD).boundingBox(), await copyOf(page, GOOD).boundingBox()]
  const before = await boxes()
  await labelOf(page, GOOD).click()
  await expect(cardOf(page, GOOD)).toContainText('Installs')
  expect(await boxes()).toEqual(before)
  await page.keyboard.press('Escape')
  await copyOf(page, GOOD).click()
  await expect(page.locator('[data-plugmark-live]')).toHaveText(/^Copied: /)
  expect(await boxes()).toEqual(before)
  await page.reload()
  await labelOf(page, GOOD).hover()
  await expect(cardOf(page, GOOD)).toContainText('Installs')
  expect(await boxes()).toEqual(before)
})

test('another way to install says that it was not checked', async ({ page, codeHost }) => {
  await openList(page, codeHost, GOOD)
  await labelOf(page, GOOD).click()
  await cardOf(page, GOOD).getByText('Another way to install it').click()
  const other = cardOf(page, GOOD).locator('.plugmark-other')
  await expect(other.getByRole('button', { name: `Copy: dsh plugin --profile web add github:${GOOD}` })).toBeVisible()
  await expect(other).toContainText('Installs the latest commit.')
  await expect(other).toContainText('The install check did not run this command.')
})

test('a command that failed takes a deliberate step, on the card and on the badge', async ({ page, codeHost }) => {
  await openList(page, codeHost, BAD)
  const card = cardOf(page, BAD)
  await labelOf(page, BAD).click()
  await expect(card).toContainText('Does not install, checked')
  const copy = card.getByRole('button', { name: /^Copy: dsh / }).first()
  await expect(copy).toBeHidden()
  await card.getByText('Show the command anyway').click()
  await expect(copy).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)
  await copyOf(page, BAD).click()
  await expect(card, 'the badge opens the card instead of copying').toBeVisible()
  await expect(page.locator('[data-plugmark-live]')).toHaveText('')
})

test('a card is complete without the directory, and says that it cannot be reached', async ({
  page,
  codeHost,
  built,
}) => {
  await openList(page, codeHost, GOOD, 'gannet/weather-in-context')
  built.mock.use(faultHandler('malformed'))
  const card = cardOf(page, GOOD)
  await labelOf(page, GOOD).click()
  await expect.poll(() => drawnText(card)).toBe('Directory not reachable. Retry Settings')
  await expect(card).not.toContainText('Install check unknown')
  await expect(card.locator('code').first()).toHaveText(COMMAND)
  await expect(card.getByRole('link', { name: 'Source' })).toBeVisible()
  await card.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => drawnText(card)).toBe('Directory not reachable. Retry Settings')
  built.mock.resetHandlers()
  await card.getByRole('button', { name: 'Retry' }).click()
  await expect(card).toContainText('Installs')
  await expect.poll(() => drawnText(card)).toBe('')
  await page.keyboard.press('Escape')
  await labelOf(page, 'gannet/weather-in-context').click()
  await expect(cardOf(page, 'gannet/weather-in-context')).toContainText(
    'Cannot be installed with one command. It is not on a package',
  )
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

test('a card of several listings shows one in full and folds the others, each with its command', async ({
  page,
  codeHost,
}) => {
  await openList(page, codeHost, MONOREPO)
  await labelOf(page, MONOREPO).click()
  const card = cardOf(page, MONOREPO)
  await expect(card).toContainText('packages/clock')
  const others = card.locator('.plugmark-other')
  await expect(others).toHaveCount(11)
  await expect(others.first()).toBeHidden()
  await card.getByText('11 more plugins in this repository').click()
  await expect(others.filter({ hasText: 'packages/dice' }).locator('code')).toHaveText(/ add @brasswork\/dice$/)
  await expect(others.filter({ hasText: 'whistle' })).toContainText('Cannot be installed with one command.')

  await card.getByRole('button', { name: 'dice', exact: true }).press('Enter')
  await expect(card.locator('.plugmark-listing')).toContainText('packages/dice')
  await expect(card.locator('.plugmark-listing')).toBeFocused()
  await expect(card.getByRole('link', { name: 'Source' })).toHaveAttribute('href', /\/tree\/HEAD\/packages\/dice$/)
  await expect(card.getByText('11 more plugins in this repository')).toBeVisible()
  await expect(others.first()).toBeHidden()
  await card.getByText('11 more plugins in this repository').click()
  await card.getByRole('button', { name: 'tray', exact: true }).click()
  await expect(card.locator('.plugmark-listing')).toContainText('Does not install')
  await card.getByText('11 more plugins in this repository').click()
  await card.getByRole('button', { name: 'dice', exact: true }).click()
  await card.getByText('11 more plugins in this repository').click()
  const tray = others.filter({ hasText: 'packages/tray' })
  await expect(tray, 'the record of one that failed is fetched first').toContainText('Does not install')
  await expect(tray.locator('code')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)
  await expect(labelOf(page, MONOREPO)).toBeFocused()
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

test('a card opens under a pointer that rests, not under one that passes, and closes when it leaves', async ({
  page,
  codeHost,
}) => {
  await page.clock.install()
  await openList(page, codeHost, GOOD, BAD)
  await page.clock.pauseAt(Date.now() + 60_000)
  const card = cardOf(page, GOOD)
  await labelOf(page, BAD).hover()
  await page.clock.runFor(100)
  await labelOf(page, GOOD).hover()
  await page.clock.runFor(299)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(card).toBeVisible()
  await card.hover()
  await page.clock.runFor(1000)
  await expect(card, 'it stays under the pointer').toBeVisible()
  await page.locator('h1').hover()
  await page.clock.runFor(250)
  await expect(card).toHaveCount(0)

  await labelOf(page, GOOD).click()
  await page.locator('h1').hover()
  await page.clock.runFor(1000)
  await expect(card, 'one that was asked for stays').toBeVisible()
  await page.locator('h1').click()
  await expect(card).toHaveCount(0)
})

test('a card closes with its row, and stays when the row is rendered again', async ({ page, codeHost }) => {
  await page.clock.install()
  await openList(page, codeHost, GOOD, BAD)
  await labelOf(page, GOOD).click()
  await expect(cardOf(page, GOOD)).toContainText('Installs')
  const row = page.locator('article').first()
  await row.evaluate((node) => node.querySelector('[data-plugmark-badge]')!.remove())
  await expect(badgeOf(page, GOOD)).toBeVisible()
  await page.clock.runFor(1000)
  await expect(cardOf(page, GOOD)).toBeVisible()
  await row.evaluate((node) => node.remove())
  await page.clock.runFor(1000)
  await expect(cardOf(page, GOOD)).toHaveCount(0)
})

test('a card in a modal dialog of the page can be used, and Escape closes only the card', async ({
  page,
  codeHost,
}) => {
  const path = '/wren-abbot/teapot/issues/1'
  const text = comment('wren-abbot', html`<p><a href="/${GOOD}">a plugin</a></p>`)
  codeHost.pages.set(path, shell({ title: 'teapot', content: html`<dialog class="container">${text}</dialog>` }))
  await page.goto(ORIGIN + path)
  const dialog = page.locator('dialog.container')
  await dialog.evaluate((node: HTMLDialogElement) => node.showModal())
  await labelOf(page, GOOD).click()
  await cardOf(page, GOOD).getByText('Another way to install it').click()
  await expect(cardOf(page, GOOD).locator('.plugmark-other')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(cardOf(page, GOOD)).toHaveCount(0)
  await expect(dialog).toBeVisible()
})

test.describe('by touch', () => {
  test.use({ hasTouch: true })

  test('a tap and a long press open a card', async ({ page, codeHost }) => {
    await page.clock.install()
    await openList(page, codeHost, GOOD)
    const card = cardOf(page, GOOD)
    await labelOf(page, GOOD).tap()
    await expect(card).toBeVisible()
    await page.locator('h1').tap()
    await expect(card).toHaveCount(0)

    const touch = { pointerType: 'touch', bubbles: true }
    await labelOf(page, GOOD).dispatchEvent('pointerdown', touch)
    await page.clock.runFor(500)
    await expect(card).toBeVisible()
    await labelOf(page, GOOD).dispatchEvent('click', { detail: 1 })
    await expect(card, 'the end of the press closes nothing').toBeVisible()
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

test.describe('in a manager that has only GM.*, for a person who reads Chinese', () => {
  test.use({ manager: 'greasemonkey', locale: 'zh-CN', policy: { 'require-trusted-types-for': "'script'" } })

  test('a card is in Chinese for a person who reads Chinese', async ({ page, codeHost }) => {
    await openList(page, codeHost, GOOD)
    await labelOf(page, GOOD).click()
    const card = cardOf(page, GOOD)
    await expect(card).toContainText('可以安装，')
    await expect(card).toContainText('终端权限 可以在你的电脑上运行终端命令。')
    await expect(card).toContainText('被收录不代表已通过安全审查。')
    await expect(card.locator('.plugmark-summary-text')).toContainText(/\p{Script=Han}/u)
  })
})

test('keeps a record for the page where IndexedDB is denied', async ({ page, codeHost }) => {
  await page.addInitScript(() => {
    indexedDB.open = () => {
      throw new DOMException('not here', 'SecurityError')
    }
  })
  await openList(page, codeHost, GOOD)
  for (const _ of [1, 2]) {
    await labelOf(page, GOOD).click()
    await expect(cardOf(page, GOOD)).toContainText('Installs')
    await page.keyboard.press('Escape')
  }
  expect(asksFor(codeHost)).toHaveLength(1)
})
