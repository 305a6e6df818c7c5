import { credulousDirectory } from './directory.ts'
import { profileHash } from './hash.ts'
import { expect, install, layers, outcomeOf, test } from './test.ts'

/** Each way in which a plugin's browser half is broken. */
const HARMFUL = ['syntax', 'load', 'factory', 'apply', 'require', 'service', 'id'].map(
  (way) => `dsh-plugin-bad-client-${way}`,
)
const GOOD = 'dsh-plugin-tide-table'

test.use({ directory: { catalogue: credulousDirectory([...HARMFUL, GOOD]) } })

for (const name of HARMFUL) {
  test(`${name} is found out in the copy, and the page says how a profile is rescued`, async ({ store, home }) => {
    const before = await profileHash(home)
    const job = await install(store, name)
    await expect(outcomeOf(job)).toContainText('Breaks the web page')
    await expect(job).toContainText(name)
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
