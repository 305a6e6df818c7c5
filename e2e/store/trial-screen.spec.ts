import { credulousDirectory } from './directory.ts'
import { profileHash } from './hash.ts'
import { expect, install, layers, test } from './test.ts'

/** Plugins that stop the harness, or whose browser half is broken; and what is said of each. */
const HARMFUL = [
  ['dsh-plugin-bad-apply', 'Stops the harness', /the anchor is fouled/],
  ['dsh-plugin-bad-client-syntax', 'Breaks the web page', /dsh-plugin-bad-client-syntax/],
  ['dsh-plugin-bad-client-load', 'Breaks the web page', /dsh-plugin-bad-client-load/],
  ['dsh-plugin-bad-client-factory', 'Breaks the web page', /dsh-plugin-bad-client-factory/],
  ['dsh-plugin-bad-client-apply', 'Breaks the web page', /dsh-plugin-bad-client-apply/],
] as const
const GOOD = 'dsh-plugin-tide-table'

test.use({ directory: { catalogue: credulousDirectory([...HARMFUL.map(([name]) => name), GOOD]) } })
test.setTimeout(300_000)

test('plugins that do harm are found out in the copy, and the page says how a profile is rescued; a good one passes', async ({
  store,
  home,
}) => {
  const before = await profileHash(home)
  for (const [name, title, words] of HARMFUL) {
    await test.step(name, async () => {
      const job = await install(store, name)
      await expect(job.getByRole('status').first()).toContainText(title)
      await expect(job).toContainText(words)
      await expect(job).toContainText('The profile is as it was.')
      await expect(job).toContainText('this command takes it out:')
      await expect(job.getByRole('code')).toHaveText(`dsh plugin --profile web remove ${name}`)
      expect(await profileHash(home)).toBe(before)
      await job.getByRole('button', { name: 'Hide' }).click()
    })
  }
  const job = await install(store, GOOD)
  await expect(job.getByRole('status').first()).toContainText('Registered')
  await expect(job).toContainText('The harness and its web page came up with it in a copy of the profile.')
  await expect(job.locator('iframe')).toHaveCount(0)
  expect(await layers(home)).toEqual([GOOD])
})
