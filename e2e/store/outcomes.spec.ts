import { createCatalogue, EMBEDDED_REPOSITORIES } from '@plugmark/mock-api'
import { dependencies, expect, install, layers, test } from './test.ts'

// A directory whose install checks are out of date: it says that everything passed.
const lanternworks = EMBEDDED_REPOSITORIES.filter(({ repository }) => repository.startsWith('lanternworks/'))
const repositories = lanternworks.map((facts) => ({
  ...facts,
  packages: facts.packages.map((pack) => ({
    ...pack,
    check: { verdict: 'passed' as const, at: '2026-08-20T14:05:11.000Z' },
  })),
}))
test.use({ directory: { catalogue: createCatalogue({ repositories }) } })
test.setTimeout(120_000)

test('a package without a layer is installed, and not called a plugin', async ({ store, home }) => {
  const job = await install(store, 'dsh-plugin-dry-well')
  await expect(job.getByRole('status')).toContainText('Installed, but not a plugin')
  await expect(job).toContainText('It is a dependency of the profile now, but not registered.')
  expect(await dependencies(home)).toEqual(['dsh-plugin-dry-well'])
  expect(await layers(home)).toEqual([])
  await expect(store.getByRole('button', { name: 'Install dsh-plugin-dry-well', exact: true })).toBeVisible()
})

test('a blocked build script is named, although the profile lists the layer', async ({ store, home }) => {
  const job = await install(store, 'dsh-plugin-copper-bell')
  await expect(job.getByRole('status')).toContainText('Build script blocked')
  await expect(job).toContainText('dsh-plugin-copper-bell@0.4.1')
  await expect(job).toContainText('registered unbuilt, and the harness may not start with it')
  expect(await layers(home)).toEqual(['dsh-plugin-copper-bell'])
})

test('a blocked git prepare names the exact key that allows it', async ({ store, home }) => {
  const job = await install(store, 'dsh-plugin-slate-mill')
  await expect(job.getByRole('status')).toContainText('Must be built first')
  await expect(job).toContainText(
    /“dsh-plugin-slate-mill@git\+https:\/\/github\.com\/lanternworks\/dsh-plugin-slate-mill\.git#[0-9a-f]{40}”/,
  )
  await expect(job).toContainText('The profile is as it was.')
  expect(await layers(home)).toEqual([])
})

test('another failure says that it failed and shows the output', async ({ store, home }) => {
  const job = await install(store, 'dsh-plugin-broken-mast')
  await expect(job.getByRole('status')).toContainText('Failed')
  await expect(job.getByRole('log')).toContainText('ERR_PNPM_WORKSPACE_PKG_NOT_FOUND')
  expect(await layers(home)).toEqual([])
})

test('the output names no directory of the person', async ({ store, home }) => {
  const job = await install(store, 'dsh-plugin-broken-mast')
  await expect(job.getByRole('log')).not.toContainText(home.home)
  const failed = await install(store, 'dsh-plugin-lost-ferry')
  await expect(failed.getByRole('log')).toContainText('$DSH_HOME/profiles/web')
})
