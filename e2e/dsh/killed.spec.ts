import { startMockServer } from '@plugmark/mock-api/node'
import { startHarness } from '../harness/running.ts'
import { profileHash } from '../store/hash.ts'
import { review } from '../store/test.ts'
import { expect, openPage, openStore } from './screen.ts'
import { storeHome, test } from './test.ts'

test.setTimeout(90_000)

const NOTES = 'dsh-plugin-harbor-notes'

test('a harness that is killed in the middle of an install starts again, and the page that stayed open says what became of it', async ({
  page,
  registry,
  tarball,
}) => {
  const api = await startMockServer()
  const home = await storeHome({ registry, tarball }, { api: api.url, trial: false })
  let harness = await startHarness(home)
  try {
    await openPage(page, harness)
    const store = await openStore(page)
    const before = await profileHash(home)
    const sheet = await review(store, NOTES)
    await sheet.getByRole('button', { name: 'Install' }).click()
    const job = store.getByRole('region', { name: `${NOTES} into profile web` })
    await expect(job.getByRole('log')).toContainText(`dsh plugin --profile web add ${NOTES}`)
    process.kill(harness.pid, 'SIGKILL')

    harness = await startHarness(home, Number(new URL(harness.url).port))
    await expect(job.getByRole('status').first()).toContainText('Interrupted', { timeout: 45_000 })
    await expect(job).toContainText('The profile is as it was.')
    expect(await profileHash(home)).toBe(before)
  } finally {
    expect(await harness.close()).toBe(0)
    await Promise.all([home.dispose(), api.close()])
  }
})
