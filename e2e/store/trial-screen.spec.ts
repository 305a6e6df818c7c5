import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFramePath, placeProbe } from '@plugmark/harness-plugin/host/testing'
import { addByHand, profileHash } from '../harness/home.ts'
import { startHarness } from '../harness/running.ts'
import { credulousDirectory } from '../registry/plugins.ts'
import { expect, install, outcomeOf, test } from './test.ts'

const HARMFUL = 'dsh-plugin-bad-client-apply'
const GOOD = 'dsh-plugin-tide-table'

test.use({ directory: { catalogue: credulousDirectory([HARMFUL]) } })

test('a trial finds a broken browser half, and the page offers no removal of what is not there', {
  tag: '@matrix',
}, async ({ store, home }) => {
  const before = await profileHash(home)
  const job = await install(store, HARMFUL)
  await expect(outcomeOf(job)).toContainText('Breaks the web page')
  await expect(job).toContainText(HARMFUL)
  await expect(job).toContainText('The profile is unchanged.')
  await expect(job.getByRole('code')).toHaveCount(0)
  await expect(job.getByRole('button', { name: 'Copy report' })).toBeVisible()
  expect(await profileHash(home)).toBe(before)
})

test('the frame of a trial does not report a slow page as broken', async ({ page, home }) => {
  await addByHand(home, GOOD)
  const framePath = createFramePath()
  const patch = await placeProbe(home.home, framePath, [GOOD])
  await copyFile(patch, join(home.home, 'profiles', home.profile, 'cordis.patch.yml'))
  const harness = await startHarness(home)
  try {
    let isDelayed = false
    await page.clock.install()
    // The harness serves several browser halves in one file.
    await page.route(new RegExp(`${GOOD}/client.js`), async (route) => {
      await page.clock.fastForward(8000)
      isDelayed = true
      await route.continue()
    })
    const post = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(framePath))
    await page.goto(`${harness.url}${framePath}`)
    expect((await post).postDataJSON()).toMatchObject({
      up: true,
      text: '',
      settings: expect.arrayContaining([expect.objectContaining({ label: 'Tides' })]),
    })
    expect(isDelayed).toBe(true)
  } finally {
    await harness.close()
  }
})
