import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConsole } from '../console/console.ts'
import { expect, find, rowsOf, searchBox, test } from './test.ts'

test('a view has an address: a link opens it again, and Back goes back', async ({ store }) => {
  await store.getByRole('checkbox', { name: /^Memory/ }).check()
  await expect(store).toHaveURL(/\?q=category:memory$/)
  await store.getByRole('radio', { name: /^All plugins/ }).check()
  await rowsOf(store).getByRole('button', { name: 'dsh-plugin-harbor-notes lanternworks' }).click()
  const details = store.getByRole('article', { name: 'dsh-plugin-harbor-notes' })
  await expect(details).toBeVisible()
  await expect(store).toHaveURL(/plugin=lanternworks\/dsh-plugin-harbor-notes/)

  const link = store.url()
  await store.goBack()
  await expect(details).toBeHidden()
  await expect(searchBox(store)).toHaveValue('category:memory is:all')
  await store.goBack()
  await expect(searchBox(store)).toHaveValue('category:memory')

  await store.goto(link)
  await expect(details).toBeVisible()
  await expect(searchBox(store)).toHaveValue('category:memory is:all')
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

test('a listing that only the index knows is asked about when it is opened', async ({ store, api }) => {
  await store.getByRole('radio', { name: /^All plugins/ }).check()
  await searchBox(store).fill('is:all sort:name')
  const undescribed = rowsOf(store).filter({ hasText: 'Known by its name alone' }).first()
  await undescribed.getByRole('button').first().click()
  const details = store.getByRole('article')
  await expect(details.getByText('Install check', { exact: true })).toBeVisible()
  await expect(details.getByText('Looking it up…')).toBeHidden()
  expect(api.requests.some(({ path }) => /plugins\?q=/.test(path))).toBe(true)
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
  await page.getByRole('button', { name: 'Download the catalogue for offline use' }).click()
  await expect(page.getByText(/^Every plugin is here, as of/)).toBeVisible()
  await expect(page.getByText('Known by its name alone')).toHaveCount(0)
  // What passed is read at the same time; the copy is whole when that is here too.
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled()
  await online.close()

  await api.close()
  const offline = await startConsole(options)
  await page.goto(`${offline.url}/plugmark?q=is:all`)
  await expect(page.getByText(all, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText(/^Offline\. Showing the copy from this minute/)).toBeVisible()
  await searchBox(page).fill('harbor')
  await expect(rowsOf(page).first()).toContainText('dsh-plugin-harbor-notes')
  await offline.close()
  await rm(directory, { recursive: true })
})
