import { credulousDirectory } from './directory.ts'
import { profileHash } from './hash.ts'
import { expect, install, layers, outcomeOf, test } from './test.ts'

/** Plugins that stop the harness, or whose browser half is broken; and what is said of each. */
const HARMFUL = [
  ['dsh-plugin-bad-late', 'Breaks the harness', /the mast came down later/],
  ['dsh-plugin-bad-client-syntax', 'Breaks the web page', /dsh-plugin-bad-client-syntax/],
  ['dsh-plugin-bad-client-load', 'Breaks the web page', /dsh-plugin-bad-client-load/],
  ['dsh-plugin-bad-client-factory', 'Breaks the web page', /dsh-plugin-bad-client-factory/],
  ['dsh-plugin-bad-client-apply', 'Breaks the web page', /dsh-plugin-bad-client-apply/],
  ['dsh-plugin-bad-client-require', 'Breaks the web page', /dsh-plugin-bad-client-require/],
  ['dsh-plugin-bad-client-service', 'Breaks the web page', /dsh-plugin-bad-client-service/],
  ['dsh-plugin-bad-client-id', 'Breaks the web page', /dsh-plugin-bad-client-id/],
] as const
const GOOD = 'dsh-plugin-tide-table'

test.use({ directory: { catalogue: credulousDirectory([...HARMFUL.map(([name]) => name), GOOD]) } })

for (const [name, title, words] of HARMFUL) {
  test(`${name} is found out in the copy: ${title.toLowerCase()}; and the page says how a profile is rescued`, async ({
    store,
    home,
  }) => {
    const before = await profileHash(home)
    const job = await install(store, name)
    await expect(outcomeOf(job)).toContainText(title)
    await expect(job).toContainText(words)
    await expect(job).toContainText('The profile is unchanged.')
    await expect(job).toContainText('remove it with this command:')
    await expect(job.getByRole('code')).toHaveText(`dsh plugin --profile web remove ${name}`)
    expect(await profileHash(home)).toBe(before)
  })
}

test('a good plugin passes, with its part of the page', async ({ store, home }) => {
  const job = await install(store, GOOD)
  await expect(outcomeOf(job)).toContainText('Installed')
  await expect(job).toContainText('It started fine in a test copy, web page included.')
  await expect(job.locator('iframe')).toHaveCount(0)
  expect(await layers(home)).toEqual([GOOD])
})
