import type { Page } from 'playwright/test'
import { html } from '../pages/html.ts'
import { page as shell } from '../pages/shell.ts'
import { comment } from '../pages/text.ts'
import { listedRows, repositoryOf } from './listings.ts'
import { badgedRows } from './rows.ts'
import { hasBadgeCache } from './stored.ts'
import { BADGE, drawnText, expect, ORIGIN, test } from './test.ts'

/** Text with hundreds of links: those in view are marked first, the others while the page goes on. */
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

/** Expects each badge to stand for the repository that its link leads to. */
const expectRight = async (page: Page) => {
  for (const { link, badge } of await badgedRows(page)) expect(link.toLowerCase()).toBe(`${ORIGIN}/${badge}`.slice(1))
}

/** The summary has the number of all plugins: each is known by then. */
async function expectAllCounted(page: Page) {
  const named = (links: Element[]) => new Set(links.map((link) => link.textContent!.toLowerCase())).size
  const different = await page.locator(`${PLUGINS}:not(details a)`).evaluateAll(named)
  await expect.poll(() => drawnText(page.locator('.plugmark-summary'))).toBe(`${different} plugins on this page`)
}

const unfold = (page: Page) =>
  page.locator('details').evaluateAll((all) => {
    for (const one of all) (one as HTMLDetailsElement).open = true
  })

test('marks links in view first, then all others, and counts them all', async ({ page }) => {
  await expect.poll(() => hasBadgeCache(page)).toBe(true)
  await page.addInitScript((badge) => {
    const order: boolean[] = []
    Object.assign(globalThis, { order })
    new MutationObserver((records) => {
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof Element && node.matches(badge))) continue
        order.push(node.checkVisibility() && node.getBoundingClientRect().top < innerHeight)
      }
    }).observe(document, { subtree: true, childList: true })
  }, BADGE)
  await page.reload()
  await expectAllCounted(page)
  expect(await bare(page, 'anywhere')).toBe(0)
  const order = await page.evaluate(() => (globalThis as unknown as { order: boolean[] }).order)
  const firstBelow = order.indexOf(false)
  expect(firstBelow).toBeGreaterThan(5)
  expect(order.slice(firstBelow), 'when one below the view is marked, all in view are').not.toContain(true)
  await expectRight(page)
})

test('moves the focus to the last plugin of a long text by keys', async ({ page }) => {
  await expectAllCounted(page)
  await page.keyboard.press('Alt+Shift+P')
  await expect(page.locator(`${BADGE}:has(:focus)`)).toBeInViewport()
  const last = page.locator(PLUGINS).last()
  expect(await last.evaluate((link) => link.nextElementSibling?.contains(document.activeElement))).toBe(true)
})

test('has all badges when the page is printed, however early', async ({ page }) => {
  await expect.poll(() => hasBadgeCache(page)).toBe(true)
  // Printed in the task that puts the first badge there.
  await page.addInitScript(
    ([plugins, badge]) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector(badge!)) return
        observer.disconnect()
        dispatchEvent(new Event('beforeprint'))
        const bare = [...document.querySelectorAll(plugins!)].filter(
          (link) => !link.nextElementSibling?.matches(badge!),
        )
        Object.assign(globalThis, { bare: bare.length })
      })
      observer.observe(document, { subtree: true, childList: true })
    },
    [PLUGINS, BADGE],
  )
  await page.reload()
  await expect.poll(() => page.evaluate(() => (globalThis as { bare?: number }).bare)).toBe(0)
  await expectRight(page)
})

test('keeps badges right while the links of a long page change', async ({ page }) => {
  await expect(page.locator('.plugmark-summary')).toBeVisible()
  await page.locator(LINKS).evaluateAll((links, plugin) => {
    const item = (at: number) => links[at]!.parentElement!
    // Another address, a copy, a move, a removed sibling, and a text that is rendered again.
    links[150]!.setAttribute('href', `/${plugin}`)
    links[151]!.setAttribute('href', '/cobalt-moth/kettle')
    item(160).after(item(160).cloneNode(true))
    item(10).after(item(180))
    for (let at = 100; at < 120; at++) if (at % 2 === 0) item(at).remove()
    const text = links[299]!.closest('.markdown-body')!
    text.replaceWith(text.cloneNode(true))
  }, plugins[0]!)
  await unfold(page)
  await expect.poll(() => bare(page, 'anywhere')).toBe(0)
  await expect(page.locator(`a[href$="/kettle"] + ${BADGE}`)).toHaveCount(0)
})

test('marks a hidden page before a person returns to it', async ({ page }) => {
  // As it is for a page in the background: there are no frames.
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'hidden', { get: () => true })
    window.requestAnimationFrame = () => 0
  })
  await page.reload()
  await expect(page.locator(BADGE).first()).toBeVisible()
  await expect.poll(() => bare(page, 'in view')).toBe(0)
})
