import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createFramePath, placeProbe } from '@plugmark/harness-plugin/host/testing'
import { startHarness } from '../harness/running.ts'
import { addByHand } from '../harness/store.ts'
import { brokenClient } from '../registry/broken-plugins.ts'
import { credulousDirectory } from './directory.ts'
import { profileHash } from './hash.ts'
import { expect, install, outcomeOf, test } from './test.ts'

const HARMFUL = 'dsh-plugin-bad-client-apply'
const GOOD = 'dsh-plugin-tide-table'

test.use({ directory: { catalogue: credulousDirectory([HARMFUL]) } })

test('a trial finds a broken browser half, and the page shows the command that removes the plugin', async ({
  store,
  home,
}) => {
  const before = await profileHash(home)
  const job = await install(store, HARMFUL)
  await expect(outcomeOf(job)).toContainText('Breaks the web page')
  await expect(job).toContainText(HARMFUL)
  await expect(job).toContainText('The profile is unchanged.')
  await expect(job).toContainText('remove it with this command:')
  await expect(job.getByRole('code')).toHaveText(`dsh plugin --profile web remove ${HARMFUL}`)
  expect(await profileHash(home)).toBe(before)
})

test('the frame of a trial reports each kind of broken browser half', async ({ browser, home }) => {
  const served = brokenClient(HARMFUL)
  await addByHand(home, HARMFUL)
  const framePath = createFramePath()
  const patch = await placeProbe(home.home, framePath, [HARMFUL])
  await copyFile(patch, join(home.home, 'profiles', home.profile, 'cordis.patch.yml'))
  const harness = await startHarness(home)
  /** Replaces the browser half that the harness serves. @returns the report of the frame */
  async function tell(source: string, afterMs = 0) {
    // Each page keeps its connections to the harness, and a browser has only six.
    const page = await browser.newPage()
    // The harness serves several browser halves in one file.
    await page.route(new RegExp(`${HARMFUL}/client.js`), async (route) => {
      const parts = (await (await route.fetch({ maxRetries: 5 })).text()).split(served)
      await setTimeout(afterMs)
      await route.fulfill({ contentType: 'text/javascript', body: parts.join(source) })
      expect(parts).toHaveLength(2)
    })
    const post = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(framePath))
    await page.goto(`${harness.url}${framePath}`)
    const told = (await post).postDataJSON()
    await page.close()
    return told
  }
  async function expectBroken(ways: readonly string[]) {
    for (const way of ways) {
      const name = `dsh-plugin-bad-client-${way}`
      const told = await tell(brokenClient(name).replaceAll(name, HARMFUL))
      expect([way, told]).toEqual([way, { up: false, text: expect.stringContaining(HARMFUL) }])
    }
  }
  try {
    const client = join(import.meta.dirname, '../registry/packages', GOOD, 'client.js')
    const good = (await readFile(client, 'utf8')).replaceAll(GOOD, HARMFUL)
    expect(await tell(good, 8000), 'a page that is slow is not broken').toEqual({ up: true, text: '' })
    await Promise.all([
      expectBroken(['syntax', 'load', 'factory', 'apply']),
      expectBroken(['require', 'service', 'id']),
    ])
  } finally {
    await harness.close()
  }
})
