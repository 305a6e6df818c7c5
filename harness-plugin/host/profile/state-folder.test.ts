import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hostForTests } from '../host-testing.ts'
import { hasUnfinishedJobs } from './state-folder.ts'

const { its, install, ended } = hostForTests()

test('finds no job in profiles without one, and none in a home without profiles', async () => {
  const { home } = its.home
  await writeFile(join(home, 'profiles/a-file'), '')
  await mkdir(join(home, 'profiles/other'))
  expect(await hasUnfinishedJobs(home)).toBe(false)
  await rm(join(home, 'profiles'), { recursive: true })
  expect(await hasUnfinishedJobs(home)).toBe(false)
})

test('finds an unfinished job in any profile, and no ended job', async () => {
  const { id } = await install('a/other')
  await expect.poll(() => hasUnfinishedJobs(its.home.home)).toBe(true)
  await its.host.calls.cancel({ job: id })
  await ended(id)
  await expect.poll(() => hasUnfinishedJobs(its.home.home)).toBe(false)
})
