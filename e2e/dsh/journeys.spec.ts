import type { Locator } from 'playwright/test'
import { boots } from '../harness/boot.ts'
import { addByHand, removeByHand } from '../harness/store.ts'
import { packVersion } from '../registry/packages.ts'
import { credulousDirectory } from '../store/directory.ts'
import { install, outcomeOf } from '../store/test.ts'
import { expect, openStore, openTab, passQuestions, test } from './screen.ts'
import { STORE } from './test.ts'

// One harness for all, which runs from the very profile that is installed into: what a test adds, it takes out again.
test.describe.configure({ mode: 'default' })
test.use({ directory: { catalogue: credulousDirectory(['dsh-plugin-tide-table']) } })

/** Removes a plugin through the screen. */
async function remove(store: Locator, name: string): Promise<void> {
  await store.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Installed' }).click()
  const plugins = store.getByRole('region', { name: 'Installed in profile web' }).getByRole('listitem')
  await plugins
    .filter({ hasText: name })
    .getByRole('button', { name: `Remove ${name}` })
    .click()
  const sheet = store.getByRole('dialog', { name: `Remove ${name}` })
  await sheet.getByRole('button', { name: 'Remove' }).click()
  const job = store.getByRole('region', { name: `${name} from profile web` })
  await expect(outcomeOf(job)).toContainText('Removed')
}

test('a plugin is installed from the wide store, tried with its page, and removed again', async ({ web, site }) => {
  const store = await openStore(web)
  const job = await install(store, 'dsh-plugin-tide-table')
  await expect(outcomeOf(job)).toContainText('Registered')
  await expect(job).toContainText('The harness and its web page came up in a copy of the profile first.')
  await expect(job).toContainText('Restart the harness to use it.')
  await expect(job.getByRole('code')).toHaveText('dsh web --no-open --port 0')
  expect(await site.home.bundles()).toContain('dsh-plugin-tide-table')
  expect(site.harness.isAlive()).toBe(true)
  expect(await boots(site.home)).toBe(true)

  await remove(store, 'dsh-plugin-tide-table')
  expect(await site.home.bundles()).not.toContain('dsh-plugin-tide-table')
})

test('a plugin is installed from Settings, and a page that is loaded again knows of it', async ({ web, site }) => {
  const tab = await openTab(web)
  const job = await install(tab, 'dsh-plugin-harbor-notes')
  await expect(outcomeOf(job)).toContainText('Registered')
  expect(await site.home.bundles()).toContain('dsh-plugin-harbor-notes')

  await web.reload()
  await passQuestions(web, site.harness)
  const store = await openStore(web)
  await expect(outcomeOf(store.getByRole('region', { name: /into profile web/ }))).toContainText('Registered')
  await removeByHand(site.home, 'dsh-plugin-harbor-notes')
})

test('a newer version takes the place of the old one', async ({ web, site, registry }) => {
  const name = 'dsh-plugin-tide-table'
  await addByHand(site.home, name)
  const store = await openStore(web)
  registry.publish(await packVersion(name, { version: '9.0.0' }))
  await store.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Installed' }).click()
  const view = store.getByRole('region', { name: 'Installed in profile web' })
  await view.getByRole('button', { name: 'Check for updates' }).click()
  await view.getByRole('button', { name: `Update ${name}` }).click()
  const sheet = store.getByRole('dialog', { name: `Update ${name}` })
  await sheet.getByRole('button', { name: 'Update' }).click()
  const job = store.getByRole('region', { name: `${name} in profile web` })
  await expect(outcomeOf(job)).toContainText('Updated')
  await expect(job).toContainText('to 9.0.0. Restart the harness to use the new version.')
  expect(site.harness.isAlive()).toBe(true)
  await removeByHand(site.home, name)
})

test('the store itself is among the installed, and is left alone', async ({ web }) => {
  const store = await openStore(web)
  await store.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Installed' }).click()
  const plugin = store.getByRole('region', { name: 'Installed in profile web' }).getByRole('listitem')
  await expect(plugin.filter({ hasText: STORE })).toBeVisible()
  await expect(plugin.getByRole('button', { name: `Remove ${STORE}` })).toHaveCount(0)
})
