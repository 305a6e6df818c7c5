import { type Clock, createClock } from './clock.ts'
import { test as base, dependencies, expect, layers, outcomeOf, review } from './test.ts'

const NAME = 'dsh-plugin-harbor-notes'

const test = base.extend<{ readonly clock: Clock }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  clock: async ({}, use, info) => use(await createClock(info.outputPath('clock'))),
  home: async ({ home, clock }, use) => use({ ...home, env: { ...home.env, ...clock.env } }),
})
test.use({ settings: { trial: false } })

test('a review that lay open too long installs nothing, and is looked at again', async ({ store, home, clock }) => {
  const sheet = await review(store, NAME)
  await clock.setForward(10)
  await sheet.getByRole('button', { name: 'Install' }).click()
  await expect(sheet.getByRole('alert')).toContainText('This review has expired or was already used.')
  expect(await dependencies(home)).toEqual([])

  await sheet.getByRole('button', { name: 'Review again' }).click()
  await sheet.getByRole('button', { name: 'Install' }).click()
  const job = store.getByRole('region', { name: `${NAME} into profile web` })
  await expect(outcomeOf(job)).toContainText('Installed')
  expect(await layers(home)).toEqual([NAME])
})
