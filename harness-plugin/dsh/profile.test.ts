import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { hostForTests } from '../host/host-testing.ts'
import { hasUnfinishedJob, locateProfile, packageOf } from './profile.ts'

const { its, install, ended } = hostForTests()
/** Base address of a harness that runs from another profile than that of the jobs. */
const here = () => `${pathToFileURL(join(its.home.home, 'profiles/other')).href}/`

test('finds no job in profiles without one, and none in a home without profiles', async () => {
  await writeFile(join(its.home.home, 'profiles/a-file'), '')
  await mkdir(join(its.home.home, 'profiles/other'))
  expect(await hasUnfinishedJob(here(), {})).toBe(false)
  await rm(join(its.home.home, 'profiles'), { recursive: true })
  expect(await hasUnfinishedJob(here(), undefined)).toBe(false)
})

test('finds an unfinished job in any profile, and no ended job', async () => {
  const { id } = await install('a/other')
  await expect.poll(() => hasUnfinishedJob(here(), null)).toBe(true)
  await its.host.calls.cancel({ job: id })
  await ended(id)
  await expect.poll(() => hasUnfinishedJob(here(), {})).toBe(false)
})

test('needs the store itself for another home, and for a tree outside any home', async () => {
  expect(await hasUnfinishedJob(here(), { home: '~/elsewhere' })).toBe(true)
  expect(await hasUnfinishedJob(undefined, {})).toBe(true)
  expect(await hasUnfinishedJob('file:///by/hand/', {})).toBe(true)
})

test('returns the home and the profile that the harness runs from', () => {
  const folder = `${pathToFileURL('/some where/.dsh/profiles/web').href}/`
  expect(locateProfile(folder)).toEqual({ home: '/some where/.dsh', profile: 'web' })
})

test.each([undefined, 'https://example.com/profiles/web/', 'file:///some/tree/', 'file:///profiles'])(
  'finds no profile in %j',
  (baseUrl) => expect(locateProfile(baseUrl)).toEqual({}),
)

test.each([
  ['file:///home/me/.dsh/profiles/web/node_modules/dsh-plugin-plugmark/lib/index.js', 'dsh-plugin-plugmark'],
  ['file:///x/node_modules/.pnpm/a@1/node_modules/@scope/a/lib/index.js', '@scope/a'],
  ['file:///checkout/harness-plugin/dsh/index.ts', null],
])('finds that %s is in the package %s', (url, name) => expect(packageOf(url)).toBe(name))
