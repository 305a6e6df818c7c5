import type { Locator, Page } from 'playwright/test'
import { repositoryPage } from '../pages/repository.ts'
import { searchPage } from '../pages/search.ts'
import { topicPage } from '../pages/topic.ts'
import { badgedRows, expectedRows, listedRows, mixedRows } from './listings.ts'
import {
  answered,
  BADGE,
  type CodeHost,
  expect,
  ORIGIN,
  runMenuCommand,
  test,
  turboScript,
  twoFrames,
  visit,
} from './test.ts'

/** Badges while Turbo itself, as the code host runs it, changes the page. */
const TOPIC = '/topics/harness-plugin'
const OTHER = '/topics/agents'
const SEARCH = '/search?q=harness&type=repositories'

let turbo: string
test.beforeAll(async () => {
  turbo = await turboScript()
})

test('keeps badges right over visits, back and forward, without a reload', async ({ page, codeHost, built }) => {
  const api = built.mock.url
  const rows = mixedRows(await listedRows(api))
  const shown = { [TOPIC]: rows.slice(0, 9), [OTHER]: rows.slice(5, 14), [SEARCH]: rows.slice(8) }
  codeHost.pages.set(TOPIC, topicPage(shown[TOPIC]!, { next: SEARCH }))
  codeHost.pages.set(OTHER, topicPage(shown[OTHER]!))
  codeHost.pages.set(SEARCH, searchPage(shown[SEARCH]!))
  codeHost.pages.set('/topics', topicPage([]))
  await page.addInitScript({ content: turbo })
  await page.goto(ORIGIN + TOPIC)
  await page.evaluate(() => Object.assign(window, { stayed: true }))

  const expectBadges = async (path: keyof typeof shown, what: string) => {
    await expect(page).toHaveURL(ORIGIN + path)
    const expected = await expectedRows(api, shown[path]!)
    const settled = () => expect.poll(() => badgedRows(page), what).toEqual(expected)
    await settled()
    await answered(page, what)
    await settled()
    await twoFrames(page)
    expect(await badgedRows(page), what).toEqual(expected)
  }
  await expectBadges(TOPIC, 'first')
  await visit(page, OTHER)
  await expectBadges(OTHER, 'a page of the same kind')
  await visit(page, SEARCH)
  await expectBadges(SEARCH, 'a page of another kind')
  await page.goBack()
  await expectBadges(OTHER, 'back, from the cache')
  await page.goBack()
  await expectBadges(TOPIC, 'back again')
  await page.goForward()
  await expectBadges(OTHER, 'forward')
  await visit(page, '/topics')
  await expect(page.locator('article')).toHaveCount(0)
  await visit(page, TOPIC)
  await expectBadges(TOPIC, 'by way of a page without a list, with a preview from the cache')
  await page.getByRole('link', { name: 'Load more…' }).click()
  await expectBadges(SEARCH, 'a link')
  await page
    .locator(BADGE)
    .first()
    .getByRole('button', { name: /^Copy / })
    .click()
  await expect(page.locator('[role=status]').first()).toHaveText(/^Copied: /)
  expect(await page.evaluate(() => 'stayed' in window), 'the document is the first one').toBe(true)
})

test('keeps the badges of a page until Turbo shows the one before it', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  const expected = await expectedRows(built.mock.url, rows)
  codeHost.pages.set(TOPIC, topicPage(rows))
  codeHost.pages.set(SEARCH, searchPage(rows))
  await page.addInitScript({ content: turbo })
  await page.goto(ORIGIN + TOPIC)
  await visit(page, SEARCH)
  await expect(page.getByTestId('results-list')).toBeVisible()
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await page.evaluate(() => (window as unknown as { Turbo: { cache: { clear(): void } } }).Turbo.cache.clear())
  const slow = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route(ORIGIN + TOPIC, async (route) => {
    asked.resolve()
    await slow.promise
    await route.fallback()
  })
  await page.evaluate(() => history.back())
  await asked.promise
  await expect(page).toHaveURL(ORIGIN + TOPIC)
  await twoFrames(page)
  await expect(page.getByTestId('results-list')).toBeVisible()
  expect(await badgedRows(page)).toEqual(expected)
  slow.resolve()
  await expect(page.locator('article').first()).toBeVisible()
  await expect.poll(() => badgedRows(page)).toEqual(expected)
})

/** Opens the page of a repository that is a plugin. @returns its card */
async function openRepository(page: Page, codeHost: CodeHost): Promise<Locator> {
  const fullName = 'emberline/night-shift'
  codeHost.pages.set(`/${fullName}`, repositoryPage([], { fullName }))
  codeHost.pages.set('/topics', topicPage([]))
  await page.addInitScript({ content: turbo })
  await page.goto(`${ORIGIN}/${fullName}`)
  return page.locator('.plugmark-repository')
}

test('a repository page that is visited again has one working card', async ({ page, codeHost }) => {
  const card = await openRepository(page, codeHost)
  for (const time of ['first', 'second', 'third']) {
    // Turbo's snapshot of the page has a copy of the card, with the mark of the one that was left, until the real one is
    // inserted.
    const real = page.locator('.plugmark-repository:not([data-left])')
    await real.getByRole('button', { name: /^Copy/ }).first().click()
    await expect(page.locator('[data-plugmark-live]'), time).toContainText('dsh plugin')
    await expect(card, time).toHaveCount(1)
    await real.evaluate((left) => left.setAttribute('data-left', ''))
    await visit(page, '/topics')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('harness-plugin')
    await answered(page, time)
    await expect(card).toHaveCount(0)
    await page.goBack()
    await answered(page, time)
  }
})

test('removes a card from a cached page where cards were switched off meanwhile', async ({ page, codeHost }) => {
  const card = await openRepository(page, codeHost)
  await expect(card).toHaveCount(1)
  await visit(page, '/topics')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('harness-plugin')
  await answered(page)
  await runMenuCommand(page, 'Plugmark settings')
  await page.getByRole('checkbox', { name: 'Cards on the pages of plugins' }).uncheck()
  await page.keyboard.press('Escape')
  await page.goBack()
  await expect(page.locator('.BorderGrid')).toBeVisible()
  await answered(page)
  await expect(card).toHaveCount(0)
})
