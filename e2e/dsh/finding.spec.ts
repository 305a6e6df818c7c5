import type { Locator } from 'playwright/test'
import { rowsOf, searchBox } from '../store/test.ts'
import { expect, openStore, openTab, test } from './screen.ts'

const chip = (store: Locator, name: string) => store.getByRole('button', { name: `Remove filter: ${name}` })

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
