import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countPackages, differences, isInstalled, type LockedPackages } from './installed.mjs'

const wanted: LockedPackages = {
  '': { version: '1.0.0' },
  shared: { version: '1.0.0' },
  'node_modules/@plugmark/shared': { link: true },
  'node_modules/ky': { version: '2.1.0', integrity: 'sha512-a' },
  'node_modules/ky/node_modules/nested': { version: '1.0.0', integrity: 'sha512-b' },
  'node_modules/build-for-another-platform': {
    version: '1.0.0',
    integrity: 'sha512-c',
    optional: true,
    os: ['darwin'],
  },
}
const { 'node_modules/build-for-another-platform': _, '': __, ...installed } = wanted

test('the lockfile without the builds of other platforms is installed', () => {
  expect(differences(wanted, installed)).toEqual([])
})

test.each<[string, LockedPackages]>([
  ['missing', { ...installed, 'node_modules/new': { version: '1.0.0', integrity: 'sha512-d' } }],
  ['of another version', { ...installed, 'node_modules/ky': { version: '2.2.0', integrity: 'sha512-a' } }],
  ['of another content', { ...installed, 'node_modules/ky': { version: '2.1.0', integrity: 'sha512-z' } }],
  ['a link, not a package', { ...installed, 'node_modules/ky': { link: true } }],
])('a package that is %s differs', (_, asked) => {
  expect(differences(asked, installed)).toHaveLength(1)
})

test('a package that the lockfile no longer names differs', () => {
  expect(differences(wanted, { ...installed, 'node_modules/old': { version: '1.0.0' } })).toEqual(['node_modules/old'])
})

test('an optional package that is there must be the right one', () => {
  const other = { 'node_modules/build-for-another-platform': { version: '0.9.0', integrity: 'sha512-c' } }
  expect(differences(wanted, { ...installed, ...other })).toEqual(['node_modules/build-for-another-platform'])
})

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-installed-'))
  await writeFile(join(directory, 'package-lock.json'), JSON.stringify({ packages: wanted }))
})
afterEach(() => rm(directory, { recursive: true }))

async function install(): Promise<void> {
  for (const path of Object.keys(installed)) await mkdir(join(directory, path), { recursive: true })
  await writeFile(join(directory, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
}

test('a folder without node_modules is not installed', () => {
  expect(isInstalled(directory)).toBe(false)
})

test('an install that ended is; one with a package taken away is not', async () => {
  await install()
  expect(isInstalled(directory)).toBe(true)
  await rm(join(directory, 'node_modules/ky'), { recursive: true })
  expect(isInstalled(directory)).toBe(false)
})

test('an install that npm did not finish is not', async () => {
  await install()
  await rm(join(directory, 'node_modules/.package-lock.json'))
  expect(isInstalled(directory)).toBe(false)
})

test('only what is fetched here is counted', () => {
  expect(countPackages(directory, { platform: 'linux', arch: 'x64' })).toBe(2)
  expect(countPackages(directory, { platform: 'darwin', arch: 'x64' })).toBe(3)
})
