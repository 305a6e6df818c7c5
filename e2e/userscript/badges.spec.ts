import { faultHandler } from '@plugmark/mock-api'
import type { Row } from '../pages/row.ts'
import { searchPage } from '../pages/search.ts'
import { topicPage } from '../pages/topic.ts'
import { listedRows, mixedRows } from './listings.ts'
import { badgedRows, expectedRows } from './rows.ts'
import { BADGE, expect, ORIGIN, test, twoFrames } from './test.ts'

const TOPIC = '/topics/harness-plugin'
const SEARCH = '/search?q=harness&type=repositories'

for (const { kind, path, markup } of [
  { kind: 'topic', path: TOPIC, markup: (rows: readonly Row[]) => topicPage(rows) },
  { kind: 'search', path: SEARCH, markup: (rows: readonly Row[]) => searchPage(rows) },
]) {
  test(`a ${kind} page has one badge a plugin, after the link that names it`, async ({ page, codeHost, built }) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    codeHost.pages.set(path, markup(rows))
    await page.goto(ORIGIN + path)

    const expected = await expectedRows(built.mock.url, rows)
    expect(expected.length).toBeGreaterThan(10)
    expect(expected.length).toBeLessThan(rows.length)
    await expect(page.locator(BADGE)).toHaveCount(expected.length)
    expect(await badgedRows(page)).toEqual(expected)
    await expect(page.locator(BADGE).first()).toBeVisible()
  })

  test(`a ${kind} page keeps the height of its rows`, async ({ page, codeHost, built }) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    codeHost.pages.set(path, markup(rows))
    const heights = () => page.locator('h3').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))

    await page.goto(`${ORIGIN}${path}`)
    await expect(page.locator(BADGE).first()).toBeVisible()
    const marked = await heights()
    await page.locator(BADGE).evaluateAll((badges) => {
      for (const badge of badges) (badge as HTMLElement).style.display = 'none'
    })
    expect(marked).toEqual(await heights())
  })
}

test('a page of another kind is left alone', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  codeHost.pages.set('/search?q=harness&type=issues', searchPage(rows))
  codeHost.pages.set(TOPIC, topicPage(rows))
  await page.goto(`${ORIGIN}/search?q=harness&type=issues`)
  await twoFrames(page)
  await expect(page.locator(BADGE)).toHaveCount(0)
  expect(codeHost.carried).toEqual([])
})

test('several pages and tabs of one browser ask for the index once', async ({ context, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  const expected = await expectedRows(built.mock.url, rows)
  codeHost.pages.set(TOPIC, topicPage(rows))
  codeHost.pages.set(SEARCH, searchPage(rows))
  const tabs = await Promise.all([context.newPage(), context.newPage(), context.newPage()])

  await Promise.all(tabs.map((tab, index) => tab.goto(ORIGIN + (index === 1 ? SEARCH : TOPIC))))
  for (const tab of tabs) await expect(tab.locator(BADGE)).toHaveCount(expected.length)
  await tabs[0]!.goto(ORIGIN + SEARCH)
  await expect(tabs[0]!.locator(BADGE)).toHaveCount(expected.length)
  await tabs[1]!.reload()
  await expect(tabs[1]!.locator(BADGE)).toHaveCount(expected.length)

  expect(codeHost.carried).toEqual([`${built.mock.url}/api/v1/index`])
})

test('a directory that is down leaves the page as it was', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  codeHost.pages.set(TOPIC, topicPage(rows))
  built.mock.use(faultHandler('500'))
  await page.clock.install()
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(codeHost.answered).toBe(1)
  await twoFrames(page)
  await page.clock.runFor(5000)
  await twoFrames(page)

  const untouched = /<main.*?<\/main>/s.exec(topicPage(rows))![0]
  const now = await page.locator('main').evaluate((main, markup) => {
    const before = new DOMParser().parseFromString(markup, 'text/html').querySelector('main')!
    return { before: before.outerHTML, after: main.outerHTML }
  }, untouched)
  expect(now.after).toBe(now.before)
  await page.reload()
  await twoFrames(page)
  expect(codeHost.carried, 'and it is not asked again so soon').toHaveLength(1)
})

test.describe('under Trusted Types', () => {
  test.use({ policy: { 'require-trusted-types-for': "'script'" } })

  test('badges appear and copy', async ({ page, codeHost, built }) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    codeHost.pages.set(SEARCH, searchPage(rows))
    await page.goto(ORIGIN + SEARCH)
    await page.locator(BADGE).first().getByRole('button').click()
    await expect(page.locator('[role=status]')).toHaveText(/^Copied: /)
  })
})

test.describe('in a manager that has only GM.*', () => {
  test.use({ dialect: 'GM.' })

  test('badges appear', async ({ page, codeHost, built }) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    codeHost.pages.set(TOPIC, topicPage(rows))
    await page.goto(ORIGIN + TOPIC)
    await expect(page.locator(BADGE)).toHaveCount((await expectedRows(built.mock.url, rows)).length)
  })
})

test('two copies of the script double nothing', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  codeHost.pages.set(TOPIC, topicPage(rows))
  await page.addInitScript({ content: `addEventListener('DOMContentLoaded', () => {${built.source}})` })
  await page.goto(ORIGIN + TOPIC)
  const expected = await expectedRows(built.mock.url, rows)
  await expect(page.locator(BADGE)).toHaveCount(expected.length)
  await twoFrames(page)
  expect(await badgedRows(page)).toEqual(expected)
})
