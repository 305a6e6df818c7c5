import { faultyRegistry } from '../registry/faulty.ts'
import { credulousDirectory } from '../store/directory.ts'
import { profileHash } from '../store/hash.ts'
import { install, outcomeOf, review } from '../store/test.ts'
import { expect, openStore, test } from './screen.ts'

// One harness for all, which runs from the very profile that is installed into, and stays as it was.
test.describe.configure({ mode: 'default' })
test.use({ directory: { catalogue: credulousDirectory(['dsh-plugin-bad-apply', 'dsh-plugin-bad-client-apply']) } })

const REFUSED: readonly [name: string, title: string, says: RegExp][] = [
  ['dsh-plugin-dry-well', 'Not a plugin', /dsh-plugin-dry-well/],
  ['dsh-plugin-bad-apply', 'Breaks the harness', /dsh-plugin-bad-apply/],
  ['dsh-plugin-bad-client-apply', 'Breaks the web page', /dsh-plugin-bad-client-apply/],
]
for (const [name, title, says] of REFUSED) {
  test(`${name} is refused: ${title.toLowerCase()}; the profile is as it was, and the harness goes on`, async ({
    web,
    site,
  }) => {
    const before = await profileHash(site.home)
    const store = await openStore(web)
    const job = await install(store, name)
    await expect(outcomeOf(job)).toContainText(title)
    await expect(job).toContainText(says)
    await expect(job).toContainText('The profile is unchanged.')
    expect(await profileHash(site.home)).toBe(before)
    expect(site.harness.isAlive()).toBe(true)
    await store.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(web.getByRole('button', { name: 'New session' }).first()).toBeEnabled()
  })
}

test('a job that is cancelled leaves the profile as it was', async ({ web, site, registry }) => {
  const stalled = await faultyRegistry(registry, 'stalls')
  try {
    await site.home.setRegistry(stalled.url)
    const before = await profileHash(site.home)
    const store = await openStore(web)
    const sheet = await review(store, 'dsh-plugin-harbor-notes')
    await sheet.getByRole('button', { name: 'Install' }).click()
    const job = store.getByRole('region', { name: 'dsh-plugin-harbor-notes into profile web' })
    // The package manager waits for the plugin's files, and goes on doing so.
    await stalled.asked
    await job.getByRole('button', { name: 'Cancel' }).click()
    await expect(outcomeOf(job)).toContainText('Cancelled')
    expect(await profileHash(site.home)).toBe(before)
  } finally {
    await site.home.setRegistry(registry.url)
    await stalled.close()
  }
})
