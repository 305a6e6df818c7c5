import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { hostForTests } from '../host/host-testing.ts'
import { hasUnfinishedJob, locateProfile, packageOf } from './profile.ts'

const { its, install, ended } = hostForTests()
/** Of a harness that runs from a profile beside the one that jobs are for. */
const here = () => `${pathToFileURL(join(its.home.home, 'profiles/other')).href}/`

test('profiles without a job have none, and neither has a home without profiles', async () => {
  await writeFile(join(its.home.home, 'profiles/a-file'), '')
  await mkdir(join(its.home.home, 'profiles/other'))
  expect(await hasUnfinishedJob(here(), {})).toBe(false)
  await rm(join(its.home.home, 'profiles'), { recursive: true })
  expect(await hasUnfinishedJob(here(), undefined)).toBe(false)
})

test('a job that goes on is seen in any profile, and one that is over is not', async () => {
  const { id } = await install('a/other')
  await expect.poll(() => hasUnfinishedJob(here(), null)).toBe(true)
  await its.host.calls.cancel({ job: id })
  await ended(id)
  await expect.poll(() => hasUnfinishedJob(here(), {})).toBe(false)
})

test('of another home, and of a tree that is in none, the store itself must tell', async () => {
  expect(await hasUnfinishedJob(here(), { home: '~/elsewhere' })).toBe(true)
  expect(await hasUnfinishedJob(undefined, {})).toBe(true)
  expect(await hasUnfinishedJob('file:///by/hand/', {})).toBe(true)
})

test('home and profile are those that the harness runs from', () => {
  const folder = `${pathToFileURL('/some where/.dsh/profiles/web').href}/`
  expect(locateProfile(folder)).toEqual({ home: '/some where/.dsh', profile: 'web' })
})

test.each([undefined, 'https://example.com/profiles/web/', 'file:///some/tree/', 'file:///profiles'])(
  '%j is no profile',
  (baseUrl) => expect(locateProfile(baseUrl)).toEqual({}),
)

test.each([
  ['file:///home/me/.dsh/profiles/web/node_modules/dsh-plugin-plugmark/lib/index.js', 'dsh-plugin-plugmark'],
  ['file:///x/node_modules/.pnpm/a@1/node_modules/@scope/a/lib/index.js', '@scope/a'],
  ['file:///checkout/harness-plugin/dsh/index.ts', null],
])('%s is in the package %s', (url, name) => expect(packageOf(url)).toBe(name))
