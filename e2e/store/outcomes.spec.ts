import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from '../harness/home.ts'
import { addByHand } from '../harness/store.ts'
import { credulousDirectory } from './directory.ts'
import { profileHash } from './hash.ts'
import { expect, install, layers, openDetails, outcomeOf, test } from './test.ts'

// Without a trial a failure is undone in the profile itself.
test.use({ directory: { catalogue: credulousDirectory() }, settings: { trial: false } })

const workspaceFile = ({ home, profile }: Home) => join(home, 'profiles', profile, 'pnpm-workspace.yaml')

/** With a plugin in it there is a node_modules and a lock to put back. */
async function withPlugin(home: Home): Promise<string> {
  await addByHand(home, 'dsh-plugin-harbor-notes')
  expect(await layers(home)).toEqual(['dsh-plugin-harbor-notes'])
  return profileHash(home)
}

test('a package without a layer is not called a plugin, and does not stay', async ({ store, home }) => {
  const before = await withPlugin(home)
  const job = await install(store, 'dsh-plugin-dry-well')
  await expect(outcomeOf(job)).toContainText('Not a plugin')
  await expect(job).toContainText('The profile is unchanged.')
  expect(await profileHash(home)).toBe(before)
  await expect(store.getByRole('button', { name: 'Install dsh-plugin-dry-well', exact: true })).toBeVisible()
})

test('a blocked build script is undone, shown, approved by its key, and lets the plugin through', async ({
  store,
  home,
}) => {
  const before = await withPlugin(home)
  const job = await install(store, 'dsh-plugin-copper-bell')
  await expect(outcomeOf(job)).toContainText('Build script blocked')
  await expect(job).toContainText('dsh-plugin-copper-bell@0.4.1')
  await expect(job).toContainText('The profile is unchanged.')
  expect(await profileHash(home)).toBe(before)

  await job.getByRole('button', { name: 'Approve…' }).click()
  const sheet = store.getByRole('dialog', { name: 'Approve and install dsh-plugin-copper-bell' })
  await expect(sheet).toContainText(/postinstall\s*node build\.js/)
  await expect(sheet.getByText('dsh-plugin-copper-bell@0.4.1', { exact: true })).toBeVisible()
  await expect(sheet).toContainText('under onlyBuiltDependencies')
  const approve = sheet.getByRole('button', { name: 'Approve and install' })
  await expect(approve).toBeDisabled()
  await sheet.getByRole('checkbox').check()
  await approve.click()
  await expect(outcomeOf(job)).toContainText('Installed')
  expect(await layers(home)).toEqual(['dsh-plugin-harbor-notes', 'dsh-plugin-copper-bell'])
  expect(await readFile(workspaceFile(home), 'utf8')).toContain('- dsh-plugin-copper-bell@0.4.1')
})

test('a blocked git prepare is undone, and names the exact key that allows it', async ({ store, home }) => {
  const before = await withPlugin(home)
  const job = await install(store, 'dsh-plugin-slate-mill')
  await expect(outcomeOf(job)).toContainText('Build needs approval')
  await expect(job).toContainText(
    /“dsh-plugin-slate-mill@git\+https:\/\/github\.com\/lanternworks\/dsh-plugin-slate-mill\.git#[0-9a-f]{40}”/,
  )
  await expect(job).toContainText('The profile is unchanged.')
  expect(await profileHash(home)).toBe(before)
})

test('the first install of a profile that fails leaves no node_modules and no lock', async ({ store, home }) => {
  const before = await profileHash(home)
  await install(store, 'dsh-plugin-copper-bell')
  expect(await profileHash(home)).toBe(before)
})

test('another failure says that it failed and shows the output', async ({ store, home }) => {
  const job = await install(store, 'dsh-plugin-broken-mast')
  await expect(outcomeOf(job)).toContainText('Failed')
  await openDetails(job)
  await expect(job.getByRole('log')).toContainText('ERR_PNPM_WORKSPACE_PKG_NOT_FOUND')
  await expect(job).toContainText('The profile is unchanged.')
  expect(await layers(home)).toEqual([])
})

test('the output names no directory of the person', async ({ store, home }) => {
  const job = await install(store, 'dsh-plugin-broken-mast')
  await openDetails(job)
  await expect(job.getByRole('log')).not.toContainText(home.home)
  const failed = await install(store, 'dsh-plugin-lost-ferry')
  await openDetails(failed)
  await expect(failed.getByRole('log')).toContainText(/\$DSH_HOME\/\S*profiles\/web/)
})
