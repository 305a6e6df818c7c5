import type { Locator, Page } from 'playwright/test'
import { addByHand, removeByHand, STORE } from '../harness/home.ts'
import { rowsOf } from '../store/test.ts'
import { expect, openSettings, openTab, test } from './screen.ts'

test.describe.configure({ mode: 'default' })

const LISTED = 'dsh-plugin-harbor-notes'
const linkOf = (web: Page) => web.getByRole('button', { name: 'View in plugin store' })

/** Opens the harness's own page of an installed plugin. */
async function openBundle(web: Page, name: string): Promise<void> {
  await web.getByRole('button', { name: 'Plugins', exact: true }).click()
  await web.getByText(name, { exact: true }).first().click()
  await web.getByRole('button', { name: 'Uninstall' }).waitFor()
}

const scrolls = (place: Locator) =>
  place.evaluate((node) => {
    for (let at = node.parentElement; at; at = at.parentElement) if (at.scrollHeight > at.clientHeight) return true
    return false
  })

test('the store’s tab is only on the Plugins page, and fills it', async ({ web }) => {
  const tab = await openTab(web)
  for (const height of [720, 1000]) {
    await web.setViewportSize({ width: 1280, height })
    const { x = 0, y = 0, width = 0, height: high = 0 } = (await tab.boundingBox()) ?? {}
    expect({ width, isWithin: x + width <= 1280, below: height - y - high }).toEqual({
      width: 904,
      isWithin: true,
      below: 48,
    })
    expect(await scrolls(tab)).toBe(false)
  }
  await rowsOf(tab).first().getByRole('button').first().click()
  await expect(tab.getByRole('article').getByRole('button', { name: /^All plugins of |的全部插件$/ })).toBeVisible()
  const settings = await openSettings(web)
  await settings.getByRole('button', { name: 'Built-in plugins' }).click()
  await expect(settings.getByRole('tab', { name: 'Plugin store' })).toHaveCount(0)
})

test('the menu beside “Add plugin” leads to the store, by keyboard too', async ({ web }) => {
  await web.getByRole('button', { name: 'Plugins', exact: true }).click()
  await web.getByRole('button', { name: 'Choose how to add a plugin' }).click()
  const entry = web.getByRole('menuitem', { name: /^Plugin store/ })
  await expect(entry).toBeVisible()
  await web.keyboard.press('ArrowDown')
  await expect(entry).toBeFocused()
  await web.keyboard.press('Enter')
  await expect(web.getByRole('dialog', { name: 'Plugin store' })).toBeVisible()
  await expect(entry).toHaveCount(0)
})

test('the harness’s page of a plugin leads to its listing, unless the plugin is unlisted', { tag: '@matrix' }, async ({
  web,
  site,
}) => {
  await addByHand(site.home, LISTED)
  try {
    await openBundle(web, LISTED)
    await linkOf(web).click()
    const store = web.getByRole('dialog', { name: 'Plugin store' })
    await expect(store.getByRole('article')).toContainText(`lanternworks/${LISTED}`)
    await store.getByRole('button', { name: 'Close' }).click()
    await web.getByRole('button', { name: 'Back to plugins' }).click()
    const answered = web.waitForResponse('**/plugmark/installed')
    await openBundle(web, STORE)
    await (await answered).finished()
    await expect(linkOf(web)).toHaveCount(0)
  } finally {
    await removeByHand(site.home, LISTED)
  }
})
