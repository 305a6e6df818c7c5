import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addByHand, type Home, profileHash } from '../harness/home.ts'
import { credulousDirectory } from '../registry/plugins.ts'
import { expect, install, layers, openDetails, outcomeOf, review, test } from './test.ts'

// Without a trial, a failure is rolled back in the profile itself.
test.use({ directory: { catalogue: credulousDirectory() }, settings: { trial: false } })

const workspaceFile = ({ home, profile }: Home) => join(home, 'profiles', profile, 'pnpm-workspace.yaml')

/** Adds a plugin, so that a rollback has a node_modules and a lockfile to restore. */
async function withPlugin(home: Home): Promise<string> {
  await addByHand(home, 'dsh-plugin-harbor-notes')
  expect(await layers(home)).toEqual(['dsh-plugin-harbor-notes'])
  return profileHash(home)
}

test('a package without a layer is reported as no plugin and removed', async ({ store, home }) => {
  const before = await withPlugin(home)
  const job = await install(store, 'dsh-plugin-dry-well')
  await expect(outcomeOf(job)).toContainText('Not a plugin')
  await expect(job).toContainText('The profile is unchanged.')
  expect(await profileHash(home)).toBe(before)
  await expect(store.getByRole('button', { name: 'Install dsh-plugin-dry-well', exact: true })).toBeVisible()
})

test('an install with a blocked build script is undone, and succeeds after the script was approved by its key', {
  tag: '@matrix',
}, async ({ store, home }) => {
  const before = await withPlugin(home)
  const job = await install(store, 'dsh-plugin-copper-bell')
  await expect(outcomeOf(job)).toContainText('Build script blocked')
  await expect(job).toContainText('The build script of dsh-plugin-copper-bell did not run.')
  await expect(job).toContainText('The profile is unchanged.')
  expect(await profileHash(home)).toBe(before)

  await job.getByRole('button', { name: 'Approve…' }).click()
  const sheet = store.getByRole('dialog', { name: 'Approve and install dsh-plugin-copper-bell' })
  await expect(sheet).toContainText(/postinstall\s*node build\.js/)
  await sheet.locator('.procedure summary').click()
  await expect(
    sheet.getByText(/Written into the profile’s pnpm-workspace\.yaml: dsh-plugin-copper-bell@0\.4\.1/),
  ).toBeVisible()
  const approve = sheet.getByRole('button', { name: 'Approve and install' })
  await expect(approve).toBeDisabled()
  await sheet.getByRole('checkbox').check()
  await approve.click()
  await expect(outcomeOf(job)).toContainText('Installed')
  expect(await layers(home)).toEqual(['dsh-plugin-harbor-notes', 'dsh-plugin-copper-bell'])
  expect(await readFile(workspaceFile(home), 'utf8')).toContain(
    home.pnpm === 10 ? '- dsh-plugin-copper-bell@0.4.1' : 'dsh-plugin-copper-bell@0.4.1: true',
  )
})

test('an install with a blocked git prepare is undone and names its package', async ({ store, home }) => {
  const before = await withPlugin(home)
  const job = await install(store, 'dsh-plugin-slate-mill')
  await expect(outcomeOf(job)).toContainText('Build script blocked')
  await expect(job).toContainText('The build script of dsh-plugin-slate-mill did not run.')
  await expect(job).toContainText('The profile is unchanged.')
  expect(await profileHash(home)).toBe(before)
})

test('a failed first install shows its output without folders of the user, and leaves no node_modules', async ({
  store,
  home,
}) => {
  const before = await profileHash(home)
  const job = await install(store, 'dsh-plugin-broken-mast')
  await expect(outcomeOf(job)).toContainText('Failed')
  await openDetails(job)
  await expect(job.getByRole('log')).toContainText('broken-mast-rigging@workspace:*')
  await expect(job.getByRole('log')).toContainText(/\$DSH_HOME\/\S*profiles\/web/)
  await expect(job.getByRole('log')).not.toContainText(home.home)
  await expect(job).toContainText('The profile is unchanged.')
  expect(await profileHash(home)).toBe(before)
  const sheet = await review(store, 'dsh-plugin-lost-ferry')
  await expect(sheet).toContainText('so it cannot be installed.')
  await expect(sheet.getByRole('button', { name: 'Install' })).toHaveCount(0)
  await store.keyboard.press('Escape')
  await install(store, 'dsh-plugin-copper-bell')
  expect(await profileHash(home)).toBe(before)
})
