import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConsole } from '../console/console.ts'
import { expect, find, test } from './test.ts'

// A console on a machine without the harness.
test.use({
  koishi: async ({ api, tarball }, use) => {
    const home = await mkdtemp(join(tmpdir(), 'plugmark-nothing-'))
    const { PATH = '' } = process.env
    const env = { PATH, HOME: home }
    const koishi = await startConsole({ api: api.url, home: join(home, 'dsh'), command: ['not-here'], env, tarball })
    await use(koishi)
    await koishi.close()
    await rm(home, { recursive: true })
  },
})

test('without a harness, users can find plugins and copy their commands, and read why nothing installs', async ({
  store,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await expect(
    store.getByText('“dsh” was not found on this machine, so plugins cannot be installed from here.'),
  ).toBeVisible()
  const row = await find(store, 'dsh-plugin-harbor-notes')
  await expect(row.getByRole('button', { name: /^Install/ })).toBeDisabled()
  await row.getByRole('button').first().click()
  const details = store.getByRole('article', { name: 'dsh-plugin-harbor-notes' })
  await expect(details).toContainText('Install check passed')
  await expect(details.getByRole('button', { name: 'Install…', exact: true })).toBeDisabled()
  await details.getByRole('button', { name: 'Copy' }).first().click()
  expect(await store.evaluate(() => navigator.clipboard.readText())).toBe(
    'dsh plugin --profile web add dsh-plugin-harbor-notes',
  )
  await store.getByRole('button', { name: 'Installed', exact: true }).click()
  await expect(
    store.getByText('The harness has no profile yet. Start it once, then open this page again.'),
  ).toBeVisible()
})
