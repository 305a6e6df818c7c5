import {
  dependencies,
  expect,
  install,
  layers,
  openDetails,
  outcomeOf,
  review,
  rowsOf,
  test,
  testOfScreen,
} from './test.ts'

test('a plugin is reviewed, installed and registered', async ({ store, home, context }) => {
  const sheet = await review(store, 'dsh-plugin-harbor-notes')
  await expect(sheet.locator('code')).toHaveText('dsh plugin --profile web add dsh-plugin-harbor-notes')
  await expect(sheet).toContainText('Tried in a copy first. If it fails, nothing changes. You can undo it.')
  await sheet.locator('summary').filter({ hasText: 'More' }).first().click()
  await expect(sheet).toContainText('A listing is not a security review.')
  await expect(sheet).toContainText('Its code runs with your rights.')
  await expect(sheet.getByRole('link')).toHaveAttribute(
    'href',
    'https://github.com/lanternworks/dsh-plugin-harbor-notes',
  )
  expect(await dependencies(home)).toEqual([])

  await sheet.getByRole('button', { name: 'Install' }).click()
  const job = store.getByRole('region', { name: 'dsh-plugin-harbor-notes into profile web' })
  await test.step('a second tab shows the same job while it runs and when it ends', async () => {
    await expect(job.getByRole('button', { name: 'Cancel' })).toBeVisible()
    const tab = await context.newPage()
    await tab.goto(store.url())
    const same = tab.getByRole('region', { name: 'dsh-plugin-harbor-notes into profile web' })
    await openDetails(same)
    await expect(same.getByRole('log')).toContainText('dsh plugin --profile web add dsh-plugin-harbor-notes')
    await expect(outcomeOf(same)).toContainText('Installed')
    await expect(outcomeOf(job)).toContainText('Installed')
    await openDetails(job)
    expect(await same.getByRole('log').innerText()).toBe(await job.getByRole('log').innerText())
    await tab.close()
  })
  await expect(job.getByRole('log')).toContainText(/\+ dsh-plugin-harbor-notes \^?1\.2\.0/)
  expect(await layers(home)).toEqual(['dsh-plugin-harbor-notes'])

  const listed = rowsOf(store).filter({ hasText: 'dsh-plugin-harbor-notes' })
  await expect(listed).toContainText('Installed')
  await test.step('a reloaded page shows everything again', async () => {
    await store.reload()
    await expect(outcomeOf(job)).toContainText('Installed')
    await openDetails(job)
    await expect(job.getByRole('log')).toContainText(/\+ dsh-plugin-harbor-notes \^?1\.2\.0/)
    await expect(listed).toContainText('Installed')
  })
  await test.step('a hidden job stays hidden, and can be found with its log', async () => {
    await job.getByRole('button', { name: 'Hide' }).click()
    await store.reload()
    await expect(listed).toContainText('Installed')
    await expect(job).toHaveCount(0)
    await store.getByRole('button', { name: 'Installed' }).click()
    await store.getByRole('button', { name: 'History', exact: true }).click()
    const history = store.getByRole('region', { name: 'History' })
    await history.locator('summary').filter({ hasText: 'dsh-plugin-harbor-notes' }).click()
    await expect(history.getByRole('log')).toContainText(/\+ dsh-plugin-harbor-notes \^?1\.2\.0/)
  })
  await test.step('no update is offered when a check finds no newer version', async () => {
    const update = store.getByRole('button', { name: 'Update' })
    await store.getByRole('button', { name: 'Plugins', exact: true }).click()
    await store.getByRole('button', { name: 'Check for updates' }).click()
    await store.getByText('Everything is up to date.').waitFor()
    await store.getByRole('button', { name: 'Details of dsh-plugin-harbor-notes' }).click()
    await expect(store.getByRole('button', { name: 'Remove…', exact: true })).toBeVisible()
    await expect(update).toHaveCount(0)
  })
})

test('a plugin without a registry package is installed from its repository', { tag: '@matrix' }, async ({
  store,
  home,
}) => {
  const kite = await install(store, 'dsh-plugin-paper-kite')
  await expect(outcomeOf(kite)).toContainText('Installed')
  await openDetails(kite)
  await expect(kite.getByRole('log')).toContainText(
    'dsh plugin --profile web add github:lanternworks/dsh-plugin-paper-kite',
  )
  expect(await layers(home)).toEqual(['dsh-plugin-paper-kite'])
  await expect(rowsOf(store).filter({ hasText: 'dsh-plugin-paper-kite' })).toContainText('Installed')
})

testOfScreen('a review that is closed runs nothing', async ({ store, home, registry }) => {
  const sheet = await review(store, 'dsh-plugin-harbor-notes')
  // Its requirements and its code are read from the registry.
  for (const reading of ['Checking whether it fits…', 'Reading its code…'])
    await sheet.getByText(reading).waitFor({ state: 'hidden' })
  const asked = registry.requests.length
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await expect(sheet).toBeHidden()
  await expect(store.getByRole('region', { name: /into profile/ })).toHaveCount(0)
  expect(registry.requests.length).toBe(asked)
  expect(await layers(home)).toEqual([])
})
