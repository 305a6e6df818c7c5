import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { hostForTests } from '../host/host-testing.ts'
import { hasUnfinished } from './unfinished.ts'

const { its, install, ended } = hostForTests()
/** Of a harness that runs from a profile beside the one that jobs are for. */
const here = () => `${pathToFileURL(join(its.home.home, 'profiles/other')).href}/`

test('profiles without a job have none, and neither has a home without profiles', async () => {
  await writeFile(join(its.home.home, 'profiles/a-file'), '')
  await mkdir(join(its.home.home, 'profiles/other'))
  expect(await hasUnfinished(here(), {})).toBe(false)
  await rm(join(its.home.home, 'profiles'), { recursive: true })
  expect(await hasUnfinished(here(), undefined)).toBe(false)
})

test('a job that goes on is seen in any profile, and one that is over is not', async () => {
  const { id } = await install('a/other')
  await expect.poll(() => hasUnfinished(here(), null)).toBe(true)
  await its.host.calls.cancel({ job: id })
  await ended(id)
  await expect.poll(() => hasUnfinished(here(), {})).toBe(false)
})

test('of another home, and of a tree that is in none, the store itself must tell', async () => {
  expect(await hasUnfinished(here(), { home: '~/elsewhere' })).toBe(true)
  expect(await hasUnfinished(undefined, {})).toBe(true)
  expect(await hasUnfinished('file:///by/hand/', {})).toBe(true)
})
