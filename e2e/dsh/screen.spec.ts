import type { Locator } from 'playwright/test'
import { expectWarningsInView, review, rowsOf, searchBox } from '../store/test.ts'
import { setLanguage } from './agent.ts'
import { chooseLanguage, expect, openStore, openTab, settingsOf, test } from './screen.ts'

test.describe.configure({ mode: 'default' })

const memory = (store: Locator) =>
  store.getByRole('toolbar', { name: 'Category' }).getByRole('button', { name: /^Memory/ })
const chip = (store: Locator, name: string) => store.getByRole('button', { name: `Remove filter: ${name}` })

test('the store is a tab and a wide dialog, and keeps its search when it moves between them', {
  tag: '@0.1.5',
}, async ({ web }) => {
  const tab = await openTab(web)
  await expect(rowsOf(tab).first()).toBeVisible()
  await expect(web.getByRole('tab', { name: 'Plugin store' })).toHaveCount(1)
  await searchBox(tab).fill('ledger')
  await expect(rowsOf(tab)).toHaveCount(1)

  await tab.getByRole('button', { name: 'Open in full width' }).click()
  const store = web.getByRole('dialog', { name: 'Plugin store' })
  await expect(searchBox(store)).toHaveValue('ledger')
  await expect(rowsOf(store)).toHaveCount(1)
  await expect(searchBox(store)).toBeFocused()
  await expect(store.getByRole('button', { name: /^Filters/ })).toBeVisible()
  await expect(web).toHaveURL(/#plugmark\?q=ledger$/)
  // Both exist, and the key must reach the visible one.
  await store.getByRole('button', { name: /^Filters/ }).focus()
  await web.keyboard.press('/')
  await expect(searchBox(store)).toBeFocused()
})

test('filters are typed by id or label, stay while words change, and move along into the wide store', {
  tag: ['@only-0.2', '@matrix'],
}, async ({ web }) => {
  const tab = await openTab(web)
  await searchBox(tab).pressSequentially('分类:记忆 is:all notes')
  await expect(searchBox(tab)).toHaveValue('notes')
  await expect(memory(tab)).toHaveAttribute('aria-pressed', 'true')
  await searchBox(tab).fill('')
  await tab.getByRole('button', { name: 'Open in full width' }).click()
  const store = web.getByRole('dialog', { name: 'Plugin store' })
  await expect(memory(store)).toHaveAttribute('aria-pressed', 'true')
  await chip(store, 'All plugins').click()
  await expect(chip(store, 'All plugins')).toBeHidden()
  await searchBox(store).fill('category:tool ')
  await searchBox(store).press('Tab')
  await expect(store.getByText('Unknown category “tool”, ignored.')).toBeVisible()
})

test('warnings are in view above the last button of a review', { tag: '@only-0.2' }, async ({ web }) => {
  const size = web.viewportSize()
  await expectWarningsInView(await review(await openStore(web), 'dsh-plugin-broken-mast'))
  if (size) await web.setViewportSize(size)
})

test('Escape closes one layer at a time: the store’s own, the store, then Settings', async ({ web }) => {
  const tab = await openTab(web)
  await tab.getByRole('button', { name: 'Open in full width' }).click()
  const store = web.getByRole('dialog', { name: 'Plugin store' })
  const settings = settingsOf(web)
  const isInSettings = await settings.isVisible()
  await searchBox(store).fill('ledger')
  await rowsOf(store)
    .getByRole('button', { name: /^Install/ })
    .click()
  const sheet = store.getByRole('dialog')
  await expect(sheet).toBeVisible()
  await web.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(searchBox(store)).toHaveValue('ledger')

  await searchBox(store).press('Escape')
  await expect(searchBox(store)).toHaveValue('')
  await expect(store).toBeVisible()
  await web.keyboard.press('Escape')
  await expect(store).toBeHidden()
  await expect(tab).toBeVisible()
  await searchBox(tab).fill('ledger')
  await web.keyboard.press('Escape')
  await expect(searchBox(tab)).toHaveValue('')
  await expect(tab).toBeVisible()
  await web.keyboard.press('Escape')
  await expect(settings).toBeHidden()
  await expect(tab).toBeVisible({ visible: !isInSettings })
})

test('two quick Escapes close the store and the Settings behind it', { tag: '@matrix' }, async ({ web }) => {
  const tab = await openTab(web)
  await tab.getByRole('button', { name: 'Open in full width' }).click()
  const store = web.getByRole('dialog', { name: 'Plugin store' })
  await expect(rowsOf(store).first()).toBeVisible()
  await Promise.all([web.keyboard.press('Escape'), web.keyboard.press('Escape')])
  await expect(store).toBeHidden()
  await expect(settingsOf(web)).toBeHidden()
})

test('the dialog traps the keyboard focus, and restores it', { tag: '@only-0.2' }, async ({ web }) => {
  const opener = web.getByRole('button', { name: 'Plugin store' })
  const store = await openStore(web)
  const isReached = await opener.evaluate((button) => {
    button.focus()
    return document.activeElement === button
  })
  expect(isReached).toBe(false)
  await searchBox(store).pressSequentially('/a')
  await expect(searchBox(store)).toHaveValue('/a')
  await store.getByRole('button', { name: 'Close' }).click()
  await expect(store).toBeHidden()
  await expect(opener).toBeFocused()
})

test('Back closes the details of a plugin, takes its search back, closes the store, and stays on the page', {
  tag: '@only-0.2',
}, async ({ web }) => {
  const store = await openStore(web)
  await searchBox(store).fill('ledger')
  await expect(web).toHaveURL(/#plugmark\?q=ledger$/)
  await rowsOf(store)
    .getByRole('button', { name: /^ledger / })
    .click()
  const details = store.getByRole('article', { name: 'ledger' })
  await expect(details).toBeVisible()
  await web.goBack()
  await expect(details).toBeHidden()
  await expect(searchBox(store)).toHaveValue('ledger')
  await web.goBack()
  await expect(searchBox(store)).toHaveValue('')
  await web.goBack()
  await expect(store).toBeHidden()
  await expect(web).toHaveURL(/\/$/)
  await expect(web.getByRole('button', { name: 'Plugin store' })).toBeFocused()
})

test('an error of the store is shown in its place, and leaves the page and a way back', {
  tag: ['@only-0.2', '@matrix'],
}, async ({ web }) => {
  await web.route('**/plugmark/about', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    await route.fulfill({ json: { ...answer, result: { ok: true, value: { problem: null } } } })
  })
  await web.getByRole('button', { name: 'Plugin store' }).click()
  const store = web.getByRole('dialog', { name: 'Plugin store' })
  await expect(store.getByRole('alert')).toContainText('Something went wrong in the plugin store.')
  await web.unroute('**/plugmark/about')
  await store.getByRole('button', { name: 'Try again' }).click()
  await expect(rowsOf(store).first()).toBeVisible()
  await store.getByRole('button', { name: 'Close' }).click()
  await expect(web.getByRole('button', { name: 'New session' }).first()).toBeEnabled()
})

test('the slash command opens the store with the words after it', { tag: '@only-0.2' }, async ({ web }) => {
  const composer = web.getByRole('textbox', { name: 'Describe what you want to build' })
  await composer.pressSequentially('/plugin')
  await expect(web.getByText('Open the plugin store')).toBeVisible()
  await composer.pressSequentially('s ledger')
  await composer.press('Enter')
  const store = web.getByRole('dialog', { name: 'Plugin store' })
  await expect(searchBox(store)).toHaveValue('ledger')
  await expect(rowsOf(store)).toHaveCount(1)
})

test.describe('settings of the harness', () => {
  // The other tests need English, even if this one fails.
  test.afterEach(({ site }) => setLanguage(site.harness, 'en'))

  test('set the store’s theme and language, and change them while it is open', { tag: '@matrix' }, async ({ web }) => {
    const store = await openStore(web)
    const row = rowsOf(store).first()
    const colours = () => row.evaluate((node) => getComputedStyle(node).color)
    const light = await colours()
    await web.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(colours).not.toBe(light)

    await store.getByRole('button', { name: 'Close' }).click()
    const tab = web.getByRole('tab', { name: /^(Plugin store|插件商店)$/ })
    await openTab(web)
    const heading = web.getByRole('tabpanel').getByRole('heading', { level: 2 })
    await expect(heading).toHaveText('Plugin store')
    const isInSettings = await settingsOf(web).isVisible()
    if (isInSettings) await web.keyboard.press('Escape')
    await chooseLanguage(web, '中文')
    await expect(web.getByRole('button', { name: '插件商店' })).toBeVisible()
    // A tab of the Plugins page stayed open.
    if (isInSettings) await openTab(web)
    await expect(tab).toHaveText('插件商店')
    await expect(heading).toHaveText('插件商店')

    if (isInSettings) await web.keyboard.press('Escape')
    await web.getByRole('button', { name: '新建会话' }).first().click()
    const composer = web.getByRole('textbox', { name: '描述你想要构建的内容' })
    await composer.pressSequentially('/plugin')
    await expect(web.getByText('打开插件商店')).toBeVisible()
    await composer.clear()

    await chooseLanguage(web, 'English')
    await expect(web.getByRole('button', { name: 'Plugin store' })).toBeVisible()
  })
})

test('a page that the harness no longer accepts says how to get back', { tag: '@only-0.2' }, async ({ web }) => {
  await web.route('**/plugmark/**', (route) => route.fulfill({ status: 401, body: 'unauthorized' }))
  await web.getByRole('button', { name: 'Plugin store' }).click()
  const store = web.getByRole('dialog', { name: 'Plugin store' })
  await expect(store.getByRole('alert')).toContainText('at the address the harness prints')
})
