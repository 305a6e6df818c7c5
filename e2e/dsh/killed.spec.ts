import { type MockServer, startMockServer } from '@plugmark/mock-api/node'
import { type Home, occupy, profileHash } from '../harness/home.ts'
import { startHarness } from '../harness/running.ts'
import { faultyRegistry } from '../registry/faulty.ts'
import { openDetails, outcomeOf, review } from '../store/test.ts'
import { expect, openPage, openStore } from './screen.ts'
import { test as base, storeHome } from './test.ts'

const test = base.extend<{ readonly api: MockServer; readonly home: Home }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  api: async ({}, use) => {
    const api = await startMockServer()
    await use(api)
    await api.close()
  },
  home: async ({ registry, tarball, harnessVersion, api }, use) => {
    const home = await storeHome({ registry, tarball, harnessVersion }, { api: api.url, trial: false })
    await use(home)
    await home.dispose()
  },
})

const NOTES = 'dsh-plugin-harbor-notes'

test('a killed harness starts again, and its page shows the outcome of its job', { tag: '@matrix' }, async ({
  page,
  home,
  registry,
  harnessVersion,
}) => {
  const stalled = await faultyRegistry(registry, 'stalls')
  let harness = await startHarness(home)
  const killAndStart = async () => {
    await harness.kill()
    harness = await startHarness(home, Number(new URL(harness.url).port))
    if (!harnessVersion.startsWith('0.2.')) return
    // The page of 0.2.1 stays blank after a restart of its harness, with or without the store.
    await openPage(page, harness)
    await openStore(page)
  }
  try {
    await openPage(page, harness)
    const store = await openStore(page)
    const job = store.getByRole('region', { name: `${NOTES} into profile web` })
    const status = outcomeOf(job)
    const start = async () => {
      const sheet = await review(store, NOTES)
      await sheet.getByRole('button', { name: 'Install' }).click()
    }

    await test.step('in the middle of an install, which is undone', async () => {
      await home.setRegistry(stalled.url)
      const before = await profileHash(home)
      await start()
      await expect(status).toContainText('2 of 3: Installing')
      // The package manager waits for the plugin's files until it is ended.
      await expect.poll(() => profileHash(home)).not.toBe(before)
      await killAndStart()
      await expect(status).toContainText('Interrupted')
      await expect(job).toContainText('The profile is unchanged.')
      expect(await profileHash(home)).toBe(before)
    })

    await test.step('before an install begins, so that nothing is changed', async () => {
      await home.setRegistry(registry.url)
      const before = await profileHash(home)
      const leave = await occupy(home)
      await start()
      await expect(status).toContainText('Waiting for another program that is using this profile')
      await killAndStart()
      await expect(status).toContainText('Interrupted')
      await expect(job).toContainText('Nothing was changed')
      await leave()
      expect(await profileHash(home)).toBe(before)
      await openDetails(job)
      await job.getByRole('button', { name: 'Try again…' }).click()
      await store
        .getByRole('dialog', { name: `Install ${NOTES}` })
        .getByRole('button', { name: 'Install' })
        .click()
      await expect(status).toContainText('Installed')
    })
  } finally {
    expect(await harness.close()).toBe(0)
    await stalled.close()
  }
})
