import type { Page } from 'playwright/test'
import { html } from '../pages/html.ts'
import { page as shell } from '../pages/shell.ts'
import { comment } from '../pages/text.ts'
import { listedRows, repositoryOf } from './listings.ts'
import { badgedRows } from './rows.ts'
import { hasCopy } from './stored.ts'
import { BADGE, expect, ORIGIN, test } from './test.ts'

/** Text with hundreds of links: badges are put where somebody can see them. */
const ADDRESS = '/wren-abbot/teapot/issues/1'
const TEAPOT = 'cobalt-moth/kettle'
const LINKS = '.markdown-body li > a'
const PLUGINS = '.markdown-body li > a:not([href$="/kettle"])'
const ROWS = 420

let plugins: string[] = []

/** Two of three are plugins; some are folded up between others, and the second comment is a text of its own. */
test.beforeEach(async ({ page, codeHost, built }) => {
  plugins = [...new Set((await listedRows(built.mock.url)).map(repositoryOf))]
  const names = Array.from({ length: ROWS }, (_, row) => (row % 3 === 2 ? TEAPOT : plugins[row % plugins.length]!))
  const list = (from: number, to: number) => html`
    <ul>${names.slice(from, to).map((name) => html`<li><a href="${ORIGIN}/${name}">${name}</a></li>`)}</ul>`
  const folded = Array.from({ length: 8 }, (_, at) => {
    const row = 200 + at * 12
    return html`<details><summary>More</summary>${list(row, row + 6)}</details>${list(row + 6, row + 12)}`
  })
  const first = html`${list(0, 200)}${folded}${list(296, 300)}`
  const content = html`<div class="container">
    ${comment('wren-abbot', first)}${comment('cobalt-moth', list(300, ROWS))}
  </div>`
  codeHost.pages.set(ADDRESS, shell({ title: 'Lists', content }))
  await page.goto(ORIGIN + ADDRESS)
})

/** Links to plugins without a badge, to be seen in view or anywhere. */
const bare = (page: Page, where: 'in view' | 'anywhere') =>
  page.locator(PLUGINS).evaluateAll(
    (links, [badge, where]) =>
      links.filter((link) => {
        const { top, bottom } = link.getBoundingClientRect()
        const isSeen = bottom > 0 && top < innerHeight && link.checkVisibility()
        return !link.nextElementSibling?.matches(badge!) && (where === 'anywhere' || isSeen)
      }).length,
    [BADGE, where] as const,
  )

/** What badges stand for must be what their links lead to. */
const expectRight = async (page: Page) => {
  for (const { link, badge } of await badgedRows(page)) expect(link.toLowerCase()).toBe(`${ORIGIN}/${badge}`.slice(1))
}

/** The summary has the number of all plugins: each is known by then. */
async function expectAllCounted(page: Page) {
  const named = (links: Element[]) => new Set(links.map((link) => link.textContent!.toLowerCase())).size
  const different = await page.locator(`${PLUGINS}:not(details a)`).evaluateAll(named)
  await expect(page.locator('.plugmark-summary')).toHaveText(`${different} plugins on this page`)
}

const unfold = (page: Page) =>
  page.locator('details').evaluateAll((all) => {
    for (const one of all) (one as HTMLDetailsElement).open = true
  })

async function scrollThrough(page: Page) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  for (let top = 0; top < height; top += 600) {
    await page.evaluate((y) => scrollTo(0, y), top)
    await expect.poll(() => bare(page, 'in view')).toBe(0)
  }
}

test('badges come where they are seen, and the summary counts them all', async ({ page }) => {
  await expect(page.locator(BADGE).first()).toBeVisible()
  await expect.poll(() => bare(page, 'in view')).toBe(0)
  await expect(page.locator('.plugmark-summary')).toHaveText(/^\d+ plugins on this page$/)
  expect(await bare(page, 'anywhere')).toBeGreaterThan(100)
  await expectAllCounted(page)

  await page.locator(LINKS).last().scrollIntoViewIfNeeded()
  await expect.poll(() => bare(page, 'in view')).toBe(0)
  await scrollThrough(page)
  await unfold(page)
  await scrollThrough(page)
  await expect.poll(() => bare(page, 'anywhere')).toBe(0)
  await expectRight(page)
})

test('keys go to plugins whose badge is still to come', async ({ page }) => {
  await expectAllCounted(page)
  await page.keyboard.press('Alt+Shift+P')
  const last = page.locator(`${PLUGINS}`).last()
  await expect(page.locator(`${BADGE}:has(:focus)`)).toBeInViewport()
  expect(await last.evaluate((link) => link.nextElementSibling?.contains(document.activeElement))).toBe(true)
})

test('a jump in a low window passes no link by', async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 })
  await expect.poll(() => hasCopy(page)).toBe(true)
  await page.reload()
  await expectAllCounted(page)
  for (const row of [50, 103, 157, 350]) {
    await page
      .locator(LINKS)
      .nth(row)
      .evaluate((link) => link.scrollIntoView())
    await expect.poll(() => bare(page, 'in view'), `below row ${row}`).toBe(0)
  }
})

test('all are there when the page is printed', async ({ page }) => {
  await expect.poll(() => hasCopy(page)).toBe(true)
  await page.reload()
  await expectAllCounted(page)
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  expect(await bare(page, 'anywhere')).toBe(0)
  await expectRight(page)
})

test('badges to come follow what becomes of their links', async ({ page }) => {
  await expect(page.locator('.plugmark-summary')).toBeVisible()
  await page.locator(LINKS).evaluateAll((links, plugin) => {
    const item = (at: number) => links[at]!.parentElement!
    // Another address, a copy, a move, the loss of what stood before, and a text that is drawn anew.
    links[150]!.setAttribute('href', `/${plugin}`)
    links[151]!.setAttribute('href', '/cobalt-moth/kettle')
    item(160).after(item(160).cloneNode(true))
    item(10).after(item(180))
    for (let at = 100; at < 120; at++) if (at % 2 === 0) item(at).remove()
    const text = links[299]!.closest('.markdown-body')!
    text.replaceWith(text.cloneNode(true))
  }, plugins[0]!)
  await unfold(page)
  await scrollThrough(page)
  await expect.poll(() => bare(page, 'anywhere')).toBe(0)
  await expect(page.locator(`a[href$="/kettle"] + ${BADGE}`)).toHaveCount(0)
})

test('a hidden page is ready when it is turned to', async ({ page }) => {
  // As it is for a page in the background: there are no frames, and nothing is seen to come near.
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'hidden', { get: () => true })
    window.requestAnimationFrame = () => 0
    window.IntersectionObserver = class {
      observe() {}
      disconnect() {}
      unobserve() {}
    } as unknown as typeof IntersectionObserver
  })
  await page.reload()
  await expect(page.locator(BADGE).first()).toBeVisible()
  await expect.poll(() => bare(page, 'in view')).toBe(0)
})
