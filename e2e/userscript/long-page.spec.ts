import type { Page } from 'playwright/test'
import { html } from '../pages/html.ts'
import { page as shell } from '../pages/shell.ts'
import { comment } from '../pages/text.ts'
import { badgedRows, listedRows, repositoryOf } from './listings.ts'
import { BADGE, expect, ORIGIN, test, twoFrames } from './test.ts'

/** Text with hundreds of links: those near the window are marked, the others before they come into view. */
const ADDRESS = '/wren-abbot/teapot/issues/1'
const TEAPOT = 'cobalt-moth/kettle'
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
  await expect(page.locator('.plugmark-summary')).toHaveText(`Links to ${different} listed plugins`)
}

const unfold = (page: Page) =>
  page.locator('details').evaluateAll((all) => {
    for (const one of all) (one as HTMLDetailsElement).open = true
  })

test('counts all plugins, marks those near the window, and others before they come into view', async ({ page }) => {
  await expectAllCounted(page)
  expect(await bare(page, 'in view')).toBe(0)
  expect(await bare(page, 'anywhere'), 'layout of a badge in every paragraph is what costs').toBeGreaterThan(50)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  for (let top = 0; top < height; top += 600) {
    await page.evaluate((top) => scrollTo(0, top), top)
    await twoFrames(page)
    expect(await bare(page, 'in view'), `at ${top} px`).toBe(0)
  }
  await unfold(page)
  await page.locator('details a').last().scrollIntoViewIfNeeded()
  await expect.poll(() => bare(page, 'in view')).toBe(0)
  await expectRight(page)
})

test('marks a hidden page before the user returns to it', async ({ page }) => {
  // As it is for a page in the background: there are no frames.
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'hidden', { get: () => true })
    window.requestAnimationFrame = () => 0
  })
  await page.reload()
  await expect(page.locator(BADGE).first()).toBeVisible()
  await expect.poll(() => bare(page, 'in view')).toBe(0)
})
