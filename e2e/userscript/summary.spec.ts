import { PAGE_KINDS } from '@plugmark/userscript/github/page-kinds'
import type { Page } from 'playwright/test'
import { html } from '../pages/html.ts'
import { page as shell } from '../pages/shell.ts'
import { comment } from '../pages/text.ts'
import { topicPage } from '../pages/topic.ts'
import { listedRows, mixedRows, repositoryOf, rowFor } from './listings.ts'
import { expectedRows } from './rows.ts'
import { hasBadgeCache, hasCopy, storageIsQuiet } from './stored.ts'
import { BADGE, type CodeHost, drawnText, expect, ORIGIN, test, twoFrames } from './test.ts'

const TOPIC = '/topics/harness-plugin'
const ISSUE = '/wren-abbot/teapot/issues/3'
const DIMMED = '[data-plugmark-dim]'

async function openTopic(page: Page, codeHost: CodeHost, api: string) {
  const rows = mixedRows(await listedRows(api))
  codeHost.pages.set(TOPIC, topicPage(rows))
  await page.goto(ORIGIN + TOPIC)
  return { rows: rows.length, plugins: (await expectedRows(api, rows)).length }
}

const summaryOf = (page: Page) => page.getByRole('region', { name: 'Plugins on this page' })
const moreOf = (page: Page) => summaryOf(page).getByRole('button', { expanded: false })

test('counts plugins, explains a missing badge, and follows the page', async ({ page, codeHost, built }) => {
  const { rows, plugins } = await openTopic(page, codeHost, built.mock.url)
  await expect.poll(() => drawnText(moreOf(page))).toBe(`${plugins} of ${rows} are plugins`)
  await moreOf(page).press('Enter')
  await expect(summaryOf(page).getByRole('button', { expanded: true }), 'the focus stays').toBeFocused()
  await expect.poll(() => drawnText(summaryOf(page))).toContain('No badge only means that a repository is not')
  await page
    .locator(`article:has(${BADGE})`)
    .first()
    .evaluate((row) => row.remove())
  await expect.poll(() => drawnText(summaryOf(page))).toContain(`${plugins - 1} of ${rows - 1} are plugins`)
})

test('counts added rows in the frame that marks them, unless the last count was just before', async ({
  page,
  codeHost,
  built,
}) => {
  await openTopic(page, codeHost, built.mock.url)
  await expect(moreOf(page)).toBeVisible()
  const addRow = async () => {
    const rows = document.querySelectorAll('article')
    const row = [...rows].find((row) => !row.querySelector('[data-plugmark-badge]'))!.cloneNode(true) as HTMLElement
    row.querySelector('h3 a:nth-of-type(2)')!.setAttribute('href', `/wren-abbot/kettle-${rows.length}`)
    rows[0]!.after(row)
    // The script has asked for its frame by then.
    await null
    await new Promise(requestAnimationFrame)
    return document.querySelector(`.plugmark-summary [data-plugmark-text*=' of ${rows.length + 1} are']`) !== null
  }
  // Further and further apart: a slow machine rests for longer.
  await expect.poll(() => page.evaluate(addRow), { intervals: [500, 2_000, 4_000, 8_000] }).toBe(true)
})

test('counts no rows that the page hides', async ({ page, codeHost, built }) => {
  await openTopic(page, codeHost, built.mock.url)
  await expect(moreOf(page)).toBeVisible()
  const [rows, plugins] = await page.locator('article').evaluateAll((all, badge) => {
    const shown = all.slice(0, 6)
    for (const row of all.slice(6)) (row as HTMLElement).style.display = 'none'
    // Only a change of what is on the page is followed.
    all.at(-1)!.remove()
    return [shown.length, shown.filter((row) => row.querySelector(badge)).length]
  }, BADGE)
  await expect.poll(() => drawnText(moreOf(page))).toBe(`${plugins} of ${rows} are plugins`)
})

test('counts folded rows once they are opened', async ({ page, codeHost, built }) => {
  const plugins = [...new Set((await listedRows(built.mock.url)).map(repositoryOf))].slice(0, 7)
  const list = html`<ul>${plugins.map((name) => html`<li><a href="${ORIGIN}/${name}">${name}</a></li>`)}</ul>`
  const text = html`<details><summary>What we use</summary>${list}</details>`
  codeHost.pages.set(
    ISSUE,
    shell({ title: 'Teapots', content: html`<div class="container">${comment('wren-abbot', text)}</div>` }),
  )
  await page.clock.install()
  await page.goto(ORIGIN + ISSUE)
  await expect.poll(() => hasBadgeCache(page)).toBe(true)
  await page.reload()
  await expect(page.locator(BADGE)).toHaveCount(plugins.length)
  await expect(page.locator('[data-plugmark-live]')).toBeAttached()
  await storageIsQuiet(page)
  // The last count that the badges themselves asked for is over.
  await page.clock.runFor(5_000)
  await expect(summaryOf(page)).toHaveCount(0)
  await page.getByText('What we use').click()
  await expect.poll(() => drawnText(summaryOf(page))).toBe(`${plugins.length} plugins on this page`)
  await page.getByText('What we use').click()
  await expect(summaryOf(page)).toHaveCount(0)
})

test('is not shown on a page without a plugin', async ({ page, codeHost, built }) => {
  codeHost.pages.set(TOPIC, topicPage([rowFor('wren-abbot/teapot')]))
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => hasCopy(page)).toBe(true)
  await expect(page.locator('.plugmark-summary')).toHaveCount(0)
  await openTopic(page, codeHost, built.mock.url)
  await expect(summaryOf(page)).toBeVisible()
})

test('moves from plugin to plugin by buttons and keys', async ({ page, codeHost, built }) => {
  const { plugins } = await openTopic(page, codeHost, built.mock.url)
  await expect(moreOf(page)).toBeVisible()
  const label = (at: number) => page.locator(`${BADGE} [aria-haspopup]`).nth(at)
  const next = summaryOf(page).getByRole('button', { name: 'Next plugin' })
  await next.click()
  await expect(label(0)).toBeFocused()
  await expect(label(0), 'and is seen to be').toHaveCSS('outline-style', 'solid')
  await next.click()
  await expect(label(1), 'from where it was').toBeFocused()
  await page.keyboard.press('Alt+Shift+N')
  await expect(label(2)).toBeFocused()
  await page.keyboard.press('Alt+Shift+P')
  await page.keyboard.press('Alt+Shift+P')
  await page.keyboard.press('Alt+Shift+P')
  await expect(label(plugins - 1), 'round the end').toBeFocused()
  await label(3).press('Enter')
  await expect(page.locator('.plugmark-card')).toBeFocused()
  await page.keyboard.press('Alt+Shift+N')
  await expect(label(4), 'from the badge the card is of').toBeFocused()
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Alt+Shift+N')
  await expect(page.getByRole('searchbox'), 'not while somebody writes').toBeFocused()
})

test('moves to a plugin by keys from its own checkbox', async ({ page, codeHost, built }) => {
  await openTopic(page, codeHost, built.mock.url)
  await moreOf(page).click()
  const dim = summaryOf(page).getByRole('checkbox', { name: 'Dim other repositories' })
  const label = page.locator(`${BADGE} [aria-haspopup]`)
  await dim.focus()
  await page.keyboard.press('Alt+Shift+N')
  await expect(label.first()).toBeFocused()
  await dim.focus()
  await page.keyboard.press('Alt+Shift+P')
  await expect(label.last(), 'from where it was').toBeFocused()
})

test('dims the other rows, those that are added later too', async ({ page, codeHost, built }) => {
  const { rows, plugins } = await openTopic(page, codeHost, built.mock.url)
  await moreOf(page).click()
  await summaryOf(page).getByRole('checkbox', { name: 'Dim other repositories' }).check()
  await expect(page.locator(`article${DIMMED}`)).toHaveCount(rows - plugins)
  await expect(page.locator(`${DIMMED} ${BADGE}`)).toHaveCount(0)
  await page
    .locator(`article${DIMMED}`)
    .first()
    .evaluate((row) => {
      const copy = row.cloneNode(true) as HTMLElement
      copy.removeAttribute('data-plugmark-dim')
      row.after(copy)
    })
  await expect(page.locator(`article${DIMMED}`)).toHaveCount(rows - plugins + 1)
  await summaryOf(page).getByRole('checkbox', { name: 'Dim other repositories' }).uncheck()
  await expect(page.locator(DIMMED)).toHaveCount(0)
})

test('opens the settings', async ({ page, codeHost, built }) => {
  await openTopic(page, codeHost, built.mock.url)
  await moreOf(page).click()
  await summaryOf(page).getByRole('button', { name: 'Settings' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Plugmark settings' })).toBeVisible()
})

test('pauses the site and resumes it', async ({ page, codeHost, built }) => {
  const { plugins } = await openTopic(page, codeHost, built.mock.url)
  await moreOf(page).click()
  await summaryOf(page).getByRole('button', { name: 'Pause on this site' }).click()
  await expect(page.locator(BADGE)).toHaveCount(0)
  await page.reload()
  await expect.poll(() => drawnText(summaryOf(page))).toBe('Plugmark is paused on this site. Resume Settings')
  await expect(page.locator(BADGE)).toHaveCount(0)
  await summaryOf(page).getByRole('button', { name: 'Resume' }).click()
  await expect(page.locator(BADGE)).toHaveCount(plugins)
})

test('stays hidden until the settings show it again', async ({ page, codeHost, built }) => {
  await openTopic(page, codeHost, built.mock.url)
  await moreOf(page).click()
  await summaryOf(page).getByRole('checkbox', { name: 'Dim other repositories' }).check()
  await summaryOf(page).getByRole('button', { name: 'Hide', exact: true }).click()
  await expect(summaryOf(page)).toHaveCount(0)
  await expect(page.locator(DIMMED), 'what nothing would bring back').toHaveCount(0)
  await page.reload()
  await expect(page.locator(BADGE).first()).toBeVisible()
  await expect(summaryOf(page)).toHaveCount(0)
  await page.locator(`${BADGE} [aria-haspopup]`).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Plugmark settings' }).click()
  await page.getByRole('checkbox', { name: 'Number of plugins in the corner of lists' }).check()
  await page.keyboard.press('Escape')
  await expect(summaryOf(page)).toBeVisible()
})

test.describe('a paused site, with the summary hidden', () => {
  test.use({ values: { settings: JSON.stringify({ pausedOn: ['github.com'], summaryHidden: true }) } })

  test('shows nothing where the manager’s menu leads to the settings', async ({ page, codeHost, built }) => {
    await openTopic(page, codeHost, built.mock.url)
    await expect(page.locator('[data-plugmark]')).toBeAttached()
    await twoFrames(page)
    await expect(page.locator('.plugmark-summary')).toHaveCount(0)
  })

  test('leaves a way back to the settings where the menu refuses', async ({ page, codeHost, built }) => {
    await page.addInitScript('window.GM_registerMenuCommand = () => { throw new Error("no menu") }')
    await openTopic(page, codeHost, built.mock.url)
    await expect(summaryOf(page).getByRole('button', { name: 'Settings' })).toBeVisible()
  })

  test.describe('in a manager without a menu', () => {
    test.use({ manager: 'userscripts' })

    test('leaves a way back to the settings', async ({ page, codeHost, built }) => {
      const { plugins } = await openTopic(page, codeHost, built.mock.url)
      await summaryOf(page).getByRole('button', { name: 'Settings' }).press('Enter')
      const settings = page.getByRole('dialog', { name: 'Plugmark settings' })
      await settings.getByRole('checkbox', { name: /^Paused/ }).press('Space')
      await page.keyboard.press('Escape')
      await expect(page.locator(BADGE)).toHaveCount(plugins)
      await expect(page.locator('.plugmark-summary'), 'hidden as it was').toHaveCount(0)
    })
  })
})

test.describe('every kind of page switched off, in a manager without a menu', () => {
  const settings = { pagesOff: [...PAGE_KINDS.map(({ name }) => name), 'repository'], summaryHidden: true }
  test.use({ manager: 'userscripts', values: { settings: JSON.stringify(settings) } })

  test('treats a site with every kind of page off as paused, and switches all on again', async ({
    page,
    codeHost,
    built,
  }) => {
    const { plugins } = await openTopic(page, codeHost, built.mock.url)
    await expect(page.locator(BADGE)).toHaveCount(0)
    await summaryOf(page).getByRole('button', { name: 'Resume' }).click()
    await expect(page.locator(BADGE)).toHaveCount(plugins)
    await page.reload()
    await expect(page.locator(BADGE)).toHaveCount(plugins)
  })
})
