import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { boots } from '../harness/boot.ts'
import type { Home } from '../harness/home.ts'
import { startHarness } from '../harness/running.ts'
import { packFork } from './copies.ts'
import { callStore } from './rpc.ts'
import { dsh, expect, STORE, storeHome, test } from './test.ts'

/** Names and files of the profile that tell of the store, but for what the person wrote into its patch. */
async function tracesOf({ home, profile }: Home): Promise<string[]> {
  const directory = join(home, 'profiles', profile)
  const names = await readdir(directory, { recursive: true })
  const files = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isFile())
  const told = await Promise.all(
    files.map(async ({ name }) => ((await readFile(join(directory, name), 'utf8')).includes(STORE) ? [name] : [])),
  )
  return [...names.filter((name) => name.includes(STORE)), ...told.flat()].filter((name) => name !== 'cordis.patch.yml')
}

test('the packed store installs as a layer, and a removal takes it out again', async ({
  registry,
  tarball,
  harnessVersion,
}) => {
  const home = await storeHome({ registry, tarball, harnessVersion })
  try {
    expect(await home.bundles()).toContain(STORE)
    expect(await boots(home)).toBe(true)
    await dsh(home, 'plugin', '--profile', 'web', 'remove', STORE)
    expect(await home.bundles()).not.toContain(STORE)
    expect(await tracesOf(home)).toEqual([])
    expect(await boots(home)).toBe(true)
  } finally {
    await home.dispose()
  }
})

test('a configuration without sense leaves the harness booting, and the store says why it is off', async ({
  registry,
  tarball,
  harnessVersion,
}) => {
  const home = await storeHome({ registry, tarball, harnessVersion }, { api: 'ftp://directory' })
  const harness = await startHarness(home)
  try {
    const { value } = await callStore(harness, 'about', {})
    expect(value).toMatchObject({ problem: expect.stringContaining('The API address must be'), others: [] })
    expect(await callStore(harness, 'overview', {})).toMatchObject({ value: { ok: false, code: 'internal' } })
  } finally {
    expect(await harness.close()).toBe(0)
    await home.dispose()
  }
})

test('two copies of the store do not stop the harness: one stands back, and the other says so', async ({
  registry,
  tarball,
  harnessVersion,
}) => {
  const home = await storeHome({ registry, tarball, harnessVersion })
  await dsh(home, 'plugin', '--profile', 'web', 'add', await packFork(tarball, 'a-fork-of-plugmark', home.home))
  expect(await home.bundles()).toEqual(expect.arrayContaining([STORE, 'a-fork-of-plugmark']))
  const harness = await startHarness(home)
  try {
    const { value } = await callStore(harness, 'about', {})
    expect(value).toMatchObject({ problem: null, others: [expect.stringMatching(/^(dsh-plugin|a-fork-of)-plugmark$/)] })
    expect(await callStore(harness, 'overview', {})).toMatchObject({ value: { ok: true } })
  } finally {
    expect(await harness.close()).toBe(0)
    await home.dispose()
  }
})
