import { credulousDirectory } from './directory.ts'
import { profileHash } from './hash.ts'
import { expect, install, layers, test } from './test.ts'

/** Plugins whose browser half is broken, and what the harness's page says then. */
const BREAKERS = {
  'dsh-plugin-bad-client-syntax': /dsh-plugin-bad-client-syntax/,
  'dsh-plugin-bad-client-load': /dsh-plugin-bad-client-load/,
  'dsh-plugin-bad-client-factory': /dsh-plugin-bad-client-factory/,
  'dsh-plugin-bad-client-apply': /dsh-plugin-bad-client-apply/,
}

test.use({ directory: { catalogue: credulousDirectory([...Object.keys(BREAKERS), 'dsh-plugin-tide-table']) } })
test.setTimeout(120_000)

for (const [name, words] of Object.entries(BREAKERS)) {
  test(`${name} is found out by the page that is open, and the profile is as it was`, async ({ store, home }) => {
    const before = await profileHash(home)
    const job = await install(store, name)
    await expect(job.getByRole('status').first()).toContainText('Breaks the web page')
    await expect(job).toContainText(words)
    await expect(job).toContainText('The profile is as it was.')
    await expect(job).toContainText('this command takes it out:')
    await expect(job.getByRole('code')).toHaveText(`dsh plugin --profile web remove ${name}`)
    expect(await profileHash(home)).toBe(before)
  })
}

test('a browser half that works passes', async ({ store, home }) => {
  const job = await install(store, 'dsh-plugin-tide-table')
  await expect(job.getByRole('status').first()).toContainText('Registered')
  await expect(job).toContainText('The harness and its web page came up with it in a copy of the profile.')
  await expect(job.locator('iframe')).toHaveCount(0)
  expect(await layers(home)).toEqual(['dsh-plugin-tide-table'])
})
