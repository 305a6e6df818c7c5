import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultHandler } from '@plugmark/mock-api'
import { countsAsInstallable, verdictOf } from '@plugmark/shared/contract'
import type { Page } from 'playwright/test'
import { startConsole } from '../console/console.ts'
import { expect, openDirectory, openFinder, rowsOf, searchBox, showAll, test, testOfScreen } from './test.ts'

/** Journeys of a user who searches for a plugin. Tests in `search` and `view` cover the rules of searching. */

const chips = (store: Page) => store.getByRole('list', { name: 'Active filters' })
const memory = (store: Page) =>
  store.getByRole('toolbar', { name: 'Category' }).getByRole('button', { name: /^Memory/ })
const chip = (store: Page, name: string) => store.getByRole('button', { name: `Remove filter: ${name}` })

testOfScreen('a view has an address: its link opens it again, and Back leaves it', async ({ store }) => {
  await memory(store).click()
  await expect(store).toHaveURL(/\?category=memory$/)
  await showAll(store)
  await rowsOf(store).getByRole('button', { name: 'dsh-plugin-harbor-notes lanternworks' }).click()
  const details = store.getByRole('article', { name: 'dsh-plugin-harbor-notes' })
  await expect(details).toBeVisible()
  await expect(store).toHaveURL(/plugin=lanternworks\/dsh-plugin-harbor-notes/)

  const link = store.url()
  await store.goBack()
  await expect(details).toBeHidden()
  await expect(chips(store)).toContainText('All plugins')
  await store.goBack()
  await expect(memory(store)).toHaveAttribute('aria-pressed', 'true')
  await expect(chip(store, 'All plugins')).toBeHidden()

  await store.goto(link)
  await expect(details).toBeVisible()
  await expect(chip(store, 'All plugins')).toBeVisible()
  await expect(searchBox(store)).toHaveValue('')
  await details.getByRole('button', { name: 'Back to the list' }).click()
  await expect(details).toBeHidden()
})

testOfScreen('the console serves the code that renders a README, which the page loads on demand', async ({ store }) => {
  const loaded = () =>
    store.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname))
  const scripts = (await loaded()).filter((path) => /@plugin-\w+\/index\.js$/.test(path))
  const renderers = await store.evaluate(
    (paths) =>
      Promise.all(
        paths.map((path) => import(path.replace('index.js', 'markdown.js')).then(Object.keys).catch(() => [])),
      ),
    scripts,
  )
  expect(renderers.flat()).toEqual(['renderMarkdown'])
})

testOfScreen('Back undoes in one step what was typed in one go', async ({ store }) => {
  await expect(rowsOf(store).first()).toBeVisible()
  await searchBox(store).pressSequentially('kite')
  await expect(store).toHaveURL(/\?q=kite$/)
  await searchBox(store).pressSequentially(' paper')
  await expect(store).toHaveURL(/\?q=kite\+paper$/)
  await store.goBack()
  await expect(searchBox(store)).toHaveValue('')
})

testOfScreen('a user with a keyboard alone finds, reads and reviews a plugin, and leaves', async ({ store }) => {
  const search = searchBox(store)
  await expect(rowsOf(store).first()).toBeVisible()
  await store.keyboard.press('/')
  await expect(search).toBeFocused()
  await store.keyboard.type('harbor')
  await expect(rowsOf(store)).toHaveCount(1)
  await store.keyboard.press('ArrowDown')
  await expect(store.getByRole('button', { name: 'dsh-plugin-harbor-notes lanternworks' })).toBeFocused()
  await store.keyboard.press('Enter')
  const details = store.getByRole('article', { name: 'dsh-plugin-harbor-notes' })
  await expect(details.getByRole('heading', { level: 3 })).toBeFocused()

  await details.getByRole('button', { name: 'Install' }).press('Enter')
  const sheet = store.getByRole('dialog', { name: 'Install dsh-plugin-harbor-notes' })
  await expect(sheet).toBeVisible()
  await store.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(details).toBeVisible()
  await store.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(store.getByRole('button', { name: 'dsh-plugin-harbor-notes lanternworks' })).toBeFocused()

  await search.focus()
  await store.keyboard.press('Escape')
  await expect(search).toHaveValue('')
})

testOfScreen('a search finds plugins in either language, and despite a typing error', async ({ store, api }) => {
  await expect(rowsOf(store).first()).toBeVisible()
  await searchBox(store).fill('harbour ntes')
  await expect(rowsOf(store).first()).toContainText('dsh-plugin-harbor-notes')
  await searchBox(store).fill('会话 is:all')
  await expect.poll(() => api.requests.some(({ path }) => path.includes(`q=${encodeURIComponent('会话')}`))).toBe(true)
  await expect(rowsOf(store).first()).toBeVisible()
})

testOfScreen(
  'the store fetches the records of the rows in sight, some dozens in one request',
  async ({ store, api }) => {
    await expect(rowsOf(store).first()).toBeVisible()
    const before = api.requests.length
    await showAll(store)
    await searchBox(store).fill('sort:name ')
    const asked = () => api.requests.slice(before).filter(({ path }) => path.includes('/plugins'))
    await expect.poll(() => asked().length).toBeGreaterThan(0)
    await expect(rowsOf(store).locator('.waits')).toHaveCount(0)
    // One page and the empty page after it, instead of a request for each row.
    expect(asked().length).toBeLessThanOrEqual(2)
  },
)

testOfScreen.describe('in Chinese, on a phone', () => {
  testOfScreen.use({ language: 'zh-CN', viewport: { width: 390, height: 780 } })

  testOfScreen('the details take the place of the list, and nothing overflows', async ({ store }) => {
    await expect(store.getByRole('heading', { name: '插件商店' })).toBeVisible()
    const list = store.getByRole('list', { name: '插件' })
    await list.getByRole('button').first().click()
    await expect(store.getByRole('article')).toBeVisible()
    await expect(list).toBeHidden()
    expect(await store.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await store.getByRole('button', { name: '返回列表' }).click()
    await expect(list).toBeVisible()
  })
})

testOfScreen('the store asks the directory for plugins that install, and lists only those', async ({ store, api }) => {
  const passed = api.catalogue.listings.filter(({ record }) => countsAsInstallable(verdictOf(record))).length
  await expect(store.getByText(`${passed} plugins`, { exact: true })).toBeVisible()
  expect(passed).toBeGreaterThan(0)
  const directory = await openDirectory(store)
  await expect(directory.getByRole('button', { name: 'Refresh' })).toBeEnabled()
  const verdicts = api.requests.map(({ path }) => new URL(path, api.url).searchParams.get('installCheck'))
  expect(new Set(verdicts.filter(Boolean))).toEqual(new Set(['passed', 'needs-approval']))
})

testOfScreen(
  'a directory that fails leaves the rows on the screen, and Retry reads it again',
  async ({ store, api }) => {
    // The first rows appear before the whole directory was read.
    await expect(rowsOf(store).first()).toBeVisible()
    const refresh = (await openDirectory(store)).getByRole('button', { name: 'Refresh' })
    await expect(refresh).toBeEnabled()
    api.use(faultHandler('malformed'))
    await refresh.click()
    await openFinder(store)
    await expect(store.getByText(/Could not load the directory\. Showing the list from /)).toBeVisible()
    await expect(rowsOf(store).first()).toBeVisible()
    api.resetHandlers()
    await store.getByRole('button', { name: 'Retry' }).click()
    await expect(store.getByText('Could not load the directory')).toHaveCount(0)
  },
)

test('a console without a network shows the catalogue that was stored before', async ({ page, api, home, tarball }) => {
  const kept = await mkdtemp(join(tmpdir(), 'plugmark-kept-'))
  const options = { api: api.url, home: home.home, command: home.command, env: home.env, tarball, directory: kept }
  const all = `${api.catalogue.listings.length} plugins`
  await page.addInitScript(() => localStorage.setItem('koishi.console.config', '{"locale":"en-US"}'))
  const online = await startConsole(options)
  await page.goto(`${online.url}/plugmark?q=is:all`)
  await expect(page.getByText(all, { exact: true })).toBeVisible()
  const directory = await openDirectory(page)
  // The store also reads the plugins that passed; what it stores is complete after both.
  await expect(directory.getByRole('button', { name: 'Refresh' })).toBeEnabled()
  await openFinder(page)
  await expect(page.locator('.waits')).toHaveCount(0)
  await online.close()

  await api.close()
  const offline = await startConsole(options)
  await page.goto(`${offline.url}/plugmark?q=is:all`)
  await expect(page.getByText(all, { exact: true })).toBeVisible()
  await (await openDirectory(page)).getByRole('button', { name: 'Refresh' }).click()
  await openFinder(page)
  await expect(page.getByText(/^Offline\. Showing the list from /)).toBeVisible()
  await searchBox(page).fill('harbor')
  await expect(rowsOf(page).first()).toContainText('dsh-plugin-harbor-notes')
  await offline.close()
  await rm(kept, { recursive: true })
})
