import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { startConsole } from '../console/console.ts'
import { expect, find, rowsOf, searchBox, test } from './test.ts'

const chips = (store: Page) => store.getByRole('list', { name: 'Active filters' })
const chip = (store: Page, name: string) => store.getByRole('button', { name: `Remove filter: ${name}` })

test('a view has an address: a link opens it again, and Back goes back', async ({ store }) => {
  await store.getByRole('checkbox', { name: /^Memory/ }).check()
  await expect(store).toHaveURL(/\?category=memory$/)
  await store.getByRole('radio', { name: /^All plugins/ }).check()
  await rowsOf(store).getByRole('button', { name: 'dsh-plugin-harbor-notes lanternworks' }).click()
  const details = store.getByRole('article', { name: 'dsh-plugin-harbor-notes' })
  await expect(details).toBeVisible()
  await expect(store).toHaveURL(/plugin=lanternworks\/dsh-plugin-harbor-notes/)

  const link = store.url()
  await store.goBack()
  await expect(details).toBeHidden()
  await expect(chips(store)).toContainText('All plugins')
  await store.goBack()
  await expect(chip(store, 'Memory')).toBeVisible()
  await expect(chip(store, 'All plugins')).toBeHidden()

  await store.goto(link)
  await expect(details).toBeVisible()
  await expect(chip(store, 'All plugins')).toBeVisible()
  await expect(searchBox(store)).toHaveValue('')
  await details.getByRole('button', { name: 'Back to the list' }).click()
  await expect(details).toBeHidden()
})

test('words that no name has are found by category, in either language, and with a slip', async ({ store }) => {
  await expect(rowsOf(store).first()).toBeVisible()
  for (const word of ['memory', 'workflow', 'vision', 'fun', 'notifications', '记忆']) {
    await searchBox(store).fill(word)
    await expect(rowsOf(store).first(), word).toBeVisible()
    await expect(store.getByText('Did you mean')).toBeHidden()
  }
  await searchBox(store).fill('memroy')
  await expect(rowsOf(store).first()).toContainText('Memory')
  await store.getByText('Did you mean').getByRole('button', { name: 'memory' }).click()
  await expect(searchBox(store)).toHaveValue('memory')
  for (const [typed, name] of [
    ['rubberduck', 'rubber-duck'],
    ['pdfdesk', 'pdf-desk'],
  ] as const) {
    await searchBox(store).fill(typed)
    const everywhere = store.getByRole('button', { name: /^Search all plugins/ })
    await expect(rowsOf(store).filter({ hasText: name }).or(everywhere).first()).toBeVisible()
    if (await everywhere.isVisible()) await everywhere.click()
    await expect(rowsOf(store).first()).toContainText(name)
    await store.goto(store.url().split('?')[0]!)
    await expect(rowsOf(store).first()).toBeVisible()
  }
})

test('filters are typed by id or label, stay while words change, and go one by one', async ({ store }) => {
  await expect(rowsOf(store).first()).toBeVisible()
  await searchBox(store).pressSequentially('分类:记忆 category:interface notes')
  await expect(searchBox(store)).toHaveValue('notes')
  await expect(chip(store, 'Memory')).toBeVisible()
  await expect(chip(store, 'Interface')).toBeVisible()
  await expect(store).toHaveURL(/\?q=notes&category=memory,ui$/)
  await searchBox(store).fill('')
  await chip(store, 'Interface').click()
  await expect(chip(store, 'Interface')).toBeHidden()
  await expect(store.getByRole('checkbox', { name: /^Memory/ })).toBeChecked()
  await searchBox(store).fill('category:tool ')
  await searchBox(store).press('Tab')
  await expect(store.getByText('Unknown category “tool”, ignored.')).toBeVisible()
})

test('where nothing matches, what can be done is a click away', async ({ store }) => {
  await expect(rowsOf(store).first()).toBeVisible()
  await searchBox(store).fill('dsh-long-memory')
  await expect(store.getByText('No plugin matches')).toBeVisible()
  await store.getByRole('button', { name: 'Search all plugins (1)' }).click()
  await expect(rowsOf(store).first()).toContainText('dsh-long-memory')
  await expect(chip(store, 'All plugins')).toBeVisible()
  await searchBox(store).fill('zzzz')
  await store.getByRole('button', { name: 'Clear search' }).click()
  await expect(rowsOf(store).first()).toBeVisible()
  await store.getByRole('button', { name: 'Clear filters' }).click()
  await expect(chips(store)).toBeHidden()
})

test('what is typed in one go is one step of Back', async ({ store }) => {
  await expect(rowsOf(store).first()).toBeVisible()
  await searchBox(store).pressSequentially('kite')
  await expect(store).toHaveURL(/\?q=kite$/)
  await searchBox(store).pressSequentially(' paper')
  await expect(store).toHaveURL(/\?q=kite\+paper$/)
  await store.goBack()
  await expect(searchBox(store)).toHaveValue('')
})

test('a search finds what the directory has, in both languages and with a typing error', async ({ store, api }) => {
  await expect(rowsOf(store).first()).toBeVisible()
  await searchBox(store).fill('harbour ntes')
  await expect(rowsOf(store).first()).toContainText('dsh-plugin-harbor-notes')
  await searchBox(store).fill('会话 is:all')
  await expect.poll(() => api.requests.some(({ path }) => path.includes(`q=${encodeURIComponent('会话')}`))).toBe(true)
  await expect(rowsOf(store).first()).toBeVisible()
})

test('rows that only the index knows get their records as they come into sight, some dozens a request', async ({
  store,
  api,
}) => {
  await expect(rowsOf(store).first()).toBeVisible()
  const before = api.requests.length
  await store.getByRole('radio', { name: /^All plugins/ }).check()
  await searchBox(store).fill('sort:name ')
  const asked = () => api.requests.slice(before).filter(({ path }) => path.includes('/plugins'))
  await expect.poll(() => asked().length).toBeGreaterThan(0)
  await expect(rowsOf(store).locator('.waits')).toHaveCount(0)
  // A page, and the empty one behind it: never one for each row.
  expect(asked().length).toBeLessThanOrEqual(2)
})

test('a command is copied as it is shown', async ({ store, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await (await find(store, 'dsh-plugin-harbor-notes')).getByRole('button').first().click()
  const details = store.getByRole('article')
  await details.getByRole('button', { name: 'Copy' }).first().click()
  await expect(details.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await store.evaluate(() => navigator.clipboard.readText())).toBe(
    'dsh plugin --profile web add dsh-plugin-harbor-notes',
  )
})

test('the whole catalogue is downloaded, and a console started without the network shows it', async ({
  page,
  api,
  home,
  tarball,
}) => {
  const directory = await mkdtemp(join(tmpdir(), 'plugmark-kept-'))
  const options = { api: api.url, home: home.home, command: home.command, env: home.env, tarball, directory }
  const all = `${api.catalogue.listings.length} plugins`
  await page.addInitScript(() => localStorage.setItem('koishi.console.config', '{"locale":"en-US"}'))
  const online = await startConsole(options)
  await page.goto(`${online.url}/plugmark?q=is:all`)
  await page.getByRole('button', { name: 'Download the directory for offline use' }).click()
  await expect(page.getByText(/^The whole directory is available offline, as of/)).toBeVisible()
  await expect(page.locator('.waits')).toHaveCount(0)
  // What passed is read at the same time; the copy is whole when that is here too.
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled()
  await online.close()

  await api.close()
  const offline = await startConsole(options)
  await page.goto(`${offline.url}/plugmark?q=is:all`)
  await expect(page.getByText(all, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText(/^Offline\. Showing the list from this minute/)).toBeVisible()
  await searchBox(page).fill('harbor')
  await expect(rowsOf(page).first()).toContainText('dsh-plugin-harbor-notes')
  await offline.close()
  await rm(directory, { recursive: true })
})
