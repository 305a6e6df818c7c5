import type { Locator, Page } from 'playwright/test'
import { html } from '../pages/html.ts'
import { page as shell } from '../pages/shell.ts'
import { comment } from '../pages/text.ts'
import type { Theme } from '../pages/theme.ts'
import { topicPage } from '../pages/topic.ts'
import { addAxe, complaints, withoutPopovers } from './axe.ts'
import { rowFor } from './listings.ts'
import { BADGE, type CodeHost, expect, ORIGIN, runMenuCommand, test } from './test.ts'

const TOPIC = '/topics/harness-plugin'
/** Passed, with risk flags; and without a command. */
const REPOSITORIES = ['emberline/night-shift', 'gannet/weather-in-context']

async function open(page: Page, codeHost: CodeHost, theme: Theme = 'auto'): Promise<void> {
  codeHost.pages.set(TOPIC, topicPage(REPOSITORIES.map(rowFor), { theme }))
  await page.goto(ORIGIN + TOPIC)
  await expect(page.locator(BADGE)).toHaveCount(REPOSITORIES.length)
}

const styleOf = (locator: Locator, property: string) =>
  locator.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property)

/** Resolves a colour of the page: a custom property or a system colour. */
const colourOf = (page: Page, colour: string) =>
  page.evaluate((value) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = value
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, colour)

for (const theme of ['light', 'dark', 'dark_dimmed', 'dark_high_contrast'] as const) {
  test(`badge and card have the colours of the theme ${theme}, with enough contrast`, async ({ page, codeHost }) => {
    await addAxe(page)
    await withoutPopovers(page)
    await open(page, codeHost, theme)
    const badge = page.locator(BADGE).first()
    expect(await styleOf(badge, 'color')).toBe(await colourOf(page, 'var(--fgColor-muted)'))
    expect(await styleOf(badge, 'border-top-color')).toBe(await colourOf(page, 'var(--borderColor-default)'))
    expect(await complaints(page, BADGE)).toEqual([])
    const label = badge.locator('[aria-haspopup]')
    await label.hover()
    await expect(label).toHaveCSS('color', await colourOf(page, 'var(--fgColor-default)'))
    expect(await complaints(page, BADGE), 'hovered').toEqual([])
    await label.click()
    const card = page.getByRole('dialog')
    await expect(card).toContainText('Installs')
    expect(await styleOf(card, 'background-color')).toBe(await colourOf(page, 'var(--overlay-bgColor)'))
    expect(await styleOf(card, 'color')).toBe(await colourOf(page, 'var(--fgColor-default)'))
    // There the code host's own link on its own overlay has a contrast of 3.8; badge and page are not concerned.
    if (theme !== 'dark_dimmed') expect(await complaints(page, '.plugmark-card')).toEqual([])
  })
}

test('a badge in a text from right to left is left of its link, and reads from left to right', async ({
  page,
  codeHost,
}) => {
  const path = '/wren-abbot/teapot/issues/1'
  const text = html`<p dir="auto">רשימה: <a href="/${REPOSITORIES[0]!}">משמרת לילה</a>, ועוד.</p>`
  codeHost.pages.set(path, shell({ title: 'teapot', content: comment('wren-abbot', text) }))
  await page.goto(ORIGIN + path)
  const badge = page.locator(BADGE)
  await expect(badge).toBeVisible()
  const [link, whole, label, copy] = await Promise.all(
    [page.locator(`a:has(+ ${BADGE})`), badge, badge.locator('.plugmark-label'), badge.locator('.plugmark-copy')].map(
      async (part) => (await part.boundingBox())!,
    ),
  )
  expect(whole!.x + whole!.width + 8).toBeCloseTo(link!.x, 0)
  expect(label!.x).toBeLessThan(copy!.x)
  expect(copy!.x + copy!.width).toBeLessThanOrEqual(whole!.x + whole!.width)
})

test('a command on a page from right to left reads from left to right', async ({ page, codeHost }) => {
  codeHost.pages.set(TOPIC, topicPage(REPOSITORIES.map(rowFor)).replace('<html ', '<html dir="rtl" '))
  await page.goto(ORIGIN + TOPIC)
  await page.locator(`${BADGE} [aria-haspopup]`).first().click()
  const words = page.getByRole('dialog').locator('code').first().locator('span')
  await expect(words.first()).toHaveText('dsh')
  const lines = await words.evaluateAll((all) => {
    const boxes = all.map((word) => word.getBoundingClientRect())
    return [...Map.groupBy(boxes, ({ top }) => Math.round(top)).values()].map((line) => line.map(({ left }) => left))
  })
  expect(Math.max(...lines.map((line) => line.length))).toBeGreaterThan(1)
  for (const line of lines) expect(line).toEqual(line.toSorted((a, b) => a - b))
})

test('prints a badge as its word, and nothing of the summary and the card', async ({ page, codeHost }) => {
  const path = '/wren-abbot/teapot/issues/1'
  const text = html`<p>This is <a href="/${REPOSITORIES[0]!}">one</a>, and <a href="/${REPOSITORIES[1]!}">two</a>.</p>`
  codeHost.pages.set(path, shell({ title: 'teapot', content: comment('wren-abbot', text) }))
  await open(page, codeHost)
  for (const address of [TOPIC, path]) {
    await page.goto(ORIGIN + address)
    await expect(page.locator('.plugmark-summary')).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('.plugmark-summary')).toBeHidden()
    for (const [at, word] of ['Workflow', 'Skills'].entries()) {
      const badge = page.locator(BADGE).nth(at)
      for (const part of await badge.locator('> *').all()) await expect(part).toBeHidden()
      const said = await badge.evaluate((one) => getComputedStyle(one, '::before').content)
      // As the browser computes it, or as it was written.
      expect([`"${word}"`, 'attr(data-plugmark-word)']).toContain(said)
      await expect(badge).toHaveAttribute('data-plugmark-word', word)
    }
    await page.emulateMedia({ media: null })
  }
})

test.describe('in forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } })

  test('a badge keeps its outline, its line and its focus ring', async ({ page, codeHost }) => {
    await open(page, codeHost)
    const text = await colourOf(page, 'CanvasText')
    for (const badge of await page.locator(BADGE).all()) {
      expect(await styleOf(badge, 'border-top-color')).toBe(text)
      expect(await styleOf(badge.locator('.plugmark-label'), 'color')).toBe(text)
      expect(await styleOf(badge, 'background-image')).toContain('url("data:image/webp')
    }
    expect(await styleOf(page.locator(BADGE).first(), 'background-image')).toContain(`linear-gradient(${text}`)
    await page.locator(BADGE).first().locator('.plugmark-label').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    expect(await styleOf(page.locator(':focus'), 'outline-style')).toBe('solid')
  })

  test('a card opened by key has an outline, and its controls have system colours', async ({ page, codeHost }) => {
    await open(page, codeHost)
    await page.locator(BADGE).first().locator('.plugmark-label').press('Enter')
    const card = page.getByRole('dialog')
    await expect(card).toBeFocused()
    expect(await styleOf(card, 'border-top')).toBe(`1px solid ${await colourOf(page, 'CanvasText')}`)
    const copy = card.getByRole('button', { name: /^Copy/ })
    expect(await styleOf(copy, 'color')).toBe(await colourOf(page, 'ButtonText'))
    await page.locator('.plugmark-summary [aria-expanded]').click()
    const link = page.getByRole('button', { name: 'Always hide' })
    expect(await styleOf(link, 'color')).toBe(await colourOf(page, 'LinkText'))
    await runMenuCommand(page, 'Plugmark settings')
    const dialog = page.locator('.plugmark-dialog')
    expect(await styleOf(dialog, 'border-top')).toBe(`1px solid ${await colourOf(page, 'CanvasText')}`)
  })
})

test('badges and box keep their styles when the page replaces its style sheets', async ({ page, codeHost }) => {
  await open(page, codeHost)
  await expect(page.locator('.plugmark-summary')).toBeVisible()
  await page.evaluate(() => {
    document.adoptedStyleSheets = [new CSSStyleSheet()]
    const row = document.querySelector('article')!
    row.after(row.cloneNode(true))
  })
  await expect(page.locator(BADGE)).toHaveCount(REPOSITORIES.length + 1)
  await expect.poll(() => styleOf(page.locator(BADGE).first(), 'height')).toBe('18px')
  expect(await styleOf(page.locator('.plugmark-summary'), 'position')).toBe('fixed')
  expect(await page.evaluate(() => document.adoptedStyleSheets.length), 'the page keeps its own').toBeGreaterThan(1)
})

const WITHOUT: Readonly<Record<string, string>> = {
  'adopted style sheets': 'delete Document.prototype.adoptedStyleSheets',
  'constructable style sheets': 'window.CSSStyleSheet = function () { throw new TypeError("Illegal constructor") }',
  'a list of style sheets that can be set': `Object.defineProperty(Document.prototype, 'adoptedStyleSheets', {
    get: () => [], set() { throw new DOMException('not from here', 'NotAllowedError') } })`,
}
for (const [what, missing] of Object.entries(WITHOUT)) {
  test.describe(`under the policy and Trusted Types, without ${what}`, () => {
    test.use({ policy: { 'require-trusted-types-for': "'script'" } })

    test('falls back to style elements, each of them once', async ({ page, codeHost }) => {
      await page.addInitScript(missing)
      await open(page, codeHost)
      expect(await styleOf(page.locator(BADGE).first(), 'height')).toBe('18px')
      await page.locator(`${BADGE} [aria-haspopup]`).first().click()
      expect(await styleOf(page.getByRole('dialog'), 'width')).toBe('340px')
      const sheets = await page.locator('html > style').allTextContents()
      expect(sheets).toHaveLength(new Set(sheets).size)
      const saved = await page.context().newPage()
      await saved.setContent(await page.content())
      await expect(saved.locator('body'), 'they are none of the text of a page that is saved').not.toContainText('px;')
    })
  })
}
