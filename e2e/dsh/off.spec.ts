import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startMockServer } from '@plugmark/mock-api/node'
import { parse } from 'yaml'
import { dsh, STORE } from '../harness/home.ts'
import { startHarness } from '../harness/running.ts'
import { rowsOf } from '../store/test.ts'
import { expect, openPage, openStore } from './screen.ts'
import { packFork, storeHome, test } from './test.ts'

test('the store reports an invalid configuration, applies a valid one at once, and changes it on its screen', async ({
  page,
  registry,
  tarball,
  harnessVersion,
}) => {
  const api = await startMockServer()
  const home = await storeHome({ registry, tarball, harnessVersion }, { api: api.url, trail: true })
  const harness = await startHarness(home)
  try {
    await openPage(page, harness)
    await page.getByRole('button', { name: 'Plugin store' }).click()
    const store = page.getByRole('dialog', { name: 'Plugin store' })
    await expect(store.getByRole('alert')).toContainText('The plugin store is off.')
    await expect(store.getByRole('alert')).toContainText('"trail" is not a configuration key.')
    await expect(store.getByRole('alert')).toContainText('cordis.patch.yml')

    const patch = [{ id: STORE, config: { api: api.url } }]
    // The harness misses a change that comes right after another, so this saves again after increasing pauses, as a
    // person
    // would.
    let timeout = 0
    await expect(async () => {
      timeout += 5_000
      await writeFile(join(home.home, 'profiles', 'web', 'cordis.patch.yml'), JSON.stringify(patch))
      await expect(rowsOf(store).first()).toBeVisible({ timeout })
    }).toPass()

    await store.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Installed' }).click()
    await store.getByRole('button', { name: 'Maintenance' }).click()
    await store.getByRole('button', { name: 'Settings…' }).click()
    const settings = store.getByRole('dialog', { name: 'Settings of the store' })
    await settings.getByRole('button', { name: 'Check: Directory' }).click()
    await expect(settings.getByRole('status')).toContainText('It answers.')
    await settings.getByRole('checkbox', { name: 'Test before installing' }).uncheck()
    await settings.getByText('More settings').click()
    await settings.getByRole('spinbutton', { name: 'Time limit of an install' }).fill('900')
    await settings.getByRole('button', { name: 'Save' }).click()
    await expect(settings).toBeHidden()
    const written = parse(await readFile(join(home.home, 'profiles', 'web', 'cordis.patch.yml'), 'utf8'))
    expect(written).toEqual([{ id: STORE, config: { api: api.url, trial: false, timeLimit: 900 } }])
  } finally {
    expect(await harness.close()).toBe(0)
    await Promise.all([home.dispose(), api.close()])
  }
})

/** A third-party plugin that uses our names. */
const TAKER = `
export const name = 'taker'
export const inject = ['tools', 'commands']
export function apply(ctx) {
  ctx.commands.register({ name: 'plugins', description: 'Somebody else’s', handler: () => ({ kind: 'success' }) })
  ctx.tools.register({
    name: 'plugmark_search',
    description: 'Somebody else’s',
    parameters: { type: 'object', properties: {} },
    output: { schema: { type: 'object', properties: {} }, render: () => [] },
    execute: async () => ({}),
  })
}`

test('the harness works as usual without a directory and with our names taken, and the store says what is wrong', {
  tag: ['@only-0.2', '@matrix'],
}, async ({ page, registry, tarball, harnessVersion }) => {
  const api = await startMockServer()
  await api.close()
  const home = await storeHome({ registry, tarball, harnessVersion })
  const taker = join(home.home, 'taker.mjs')
  await writeFile(taker, TAKER)
  const patch = [
    { id: STORE, config: { api: api.url } },
    { insert: [{ id: 'taker', name: pathToFileURL(taker).href }] },
  ]
  await writeFile(join(home.home, 'profiles', 'web', 'cordis.patch.yml'), JSON.stringify(patch))
  const harness = await startHarness(home)
  try {
    await openPage(page, harness)
    await page.getByRole('button', { name: 'Plugin store' }).click()
    const store = page.getByRole('dialog', { name: 'Plugin store' })
    await expect(store.getByText('Directory not reachable')).toBeVisible()
    await expect(store.getByText('another plugin has a tool with the same name')).toBeVisible()
    await store.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('button', { name: 'New session' }).first()).toBeEnabled()
    expect(harness.isAlive()).toBe(true)
  } finally {
    expect(await harness.close()).toBe(0)
    await home.dispose()
  }
})

test('two copies show one store, which names the other copy', { tag: ['@only-0.2', '@matrix'] }, async ({
  page,
  registry,
  tarball,
  harnessVersion,
}) => {
  const api = await startMockServer()
  const home = await storeHome({ registry, tarball, harnessVersion }, { api: api.url })
  await dsh(home, 'plugin', '--profile', 'web', 'add', await packFork(tarball, 'a-fork-of-plugmark', home.home))
  const harness = await startHarness(home)
  try {
    await openPage(page, harness)
    const store = await openStore(page)
    await expect(store).toContainText('This profile has another plugin store, which is inactive')
    await expect(store.getByRole('list', { name: 'Plugins' })).toHaveCount(1)
  } finally {
    expect(await harness.close()).toBe(0)
    await Promise.all([home.dispose(), api.close()])
  }
})
