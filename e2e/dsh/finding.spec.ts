import type { Locator } from 'playwright/test'
import { rowsOf, searchBox } from '../store/test.ts'
import { expect, openStore, openTab, test } from './screen.ts'

test.describe.configure({ mode: 'default' })

const chip = (store: Locator, name: string) => store.getByRole('button', { name: `Remove filter: ${name}` })

test('words that no name has are found by category, in either language, and with a slip', async ({ web }) => {
  const store = await openStore(web)
  for (const word of ['memory', 'workflow', 'vision', 'fun', 'notifications', '通知']) {
    await searchBox(store).fill(word)
    await expect(rowsOf(store).first(), word).toBeVisible()
  }
  await searchBox(store).fill('memroy')
  await expect(rowsOf(store).first()).toContainText('Memory')
  await store.getByText('Did you mean').getByRole('button', { name: 'memory' }).click()
  await expect(searchBox(store)).toHaveValue('memory')
})

test('filters are typed by id or label, stay while words change, and go along into the wide store', async ({ web }) => {
  const tab = await openTab(web)
  await searchBox(tab).pressSequentially('分类:记忆 is:all notes')
  await expect(searchBox(tab)).toHaveValue('notes')
  await expect(chip(tab, 'Memory')).toBeVisible()
  await searchBox(tab).fill('')
  await tab.getByRole('button', { name: 'Open in full width' }).click()
  const store = web.getByRole('dialog', { name: 'Plugin store' })
  await expect(chip(store, 'Memory')).toBeVisible()
  await expect(store.getByRole('checkbox', { name: /^Memory/ })).toBeChecked()
  await chip(store, 'All plugins').click()
  await expect(chip(store, 'All plugins')).toBeHidden()
  await searchBox(store).fill('category:tool ')
  await searchBox(store).press('Tab')
  await expect(store.getByText('Unknown category “tool”, ignored.')).toBeVisible()
})

test('where nothing matches, what can be done is a click away', async ({ web }) => {
  const store = await openStore(web)
  await searchBox(store).fill('long-memory')
  await expect(store.getByText('No plugin matches')).toBeVisible()
  await store.getByRole('button', { name: 'Search all plugins (1)' }).click()
  await expect(rowsOf(store).first()).toContainText('long-memory')
  await searchBox(store).fill('zzzz')
  await store.getByRole('button', { name: 'Clear search' }).click()
  await expect(rowsOf(store).first()).toBeVisible()
  await store.getByRole('button', { name: 'Clear filters' }).click()
  await expect(chip(store, 'All plugins')).toBeHidden()
})
