import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addByHand, dsh, type Home, STORE } from '../harness/home.ts'
import { boots, callStore, startHarness } from '../harness/running.ts'
import { openPage } from './screen.ts'
import { expect, packFork, storeHome, test } from './test.ts'

/** Returns the names and files of the profile that contain the store, without the user's own patch. */
async function tracesOf({ home, profile }: Home): Promise<string[]> {
  const directory = join(home, 'profiles', profile)
  const names = await readdir(directory, { recursive: true })
  const files = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isFile())
  const told = await Promise.all(
    files.map(async ({ name }) => ((await readFile(join(directory, name), 'utf8')).includes(STORE) ? [name] : [])),
  )
  return [...names.filter((name) => name.includes(STORE)), ...told.flat()].filter((name) => name !== 'cordis.patch.yml')
}

test('the packed store can be installed as a layer and removed again', async ({
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

test('the harness starts with an invalid configuration, and the store says why it is off', { tag: '@matrix' }, async ({
  registry,
  tarball,
  harnessVersion,
}) => {
  const home = await storeHome({ registry, tarball, harnessVersion }, { api: 'ftp://directory' })
  const harness = await startHarness(home)
  try {
    const { value } = await callStore(harness, 'about', {})
    expect(value).toMatchObject({ problem: expect.stringContaining('The directory address must be'), others: [] })
    expect(await callStore(harness, 'overview', {})).toMatchObject({ value: { ok: false, code: 'internal' } })
  } finally {
    expect(await harness.close()).toBe(0)
    await home.dispose()
  }
})

test('the harness starts with two copies of the store: one serves, also after a reload, and names the other', {
  tag: ['@only-0.2', '@matrix'],
}, async ({ registry, tarball, harnessVersion }) => {
  const home = await storeHome({ registry, tarball, harnessVersion })
  await dsh(home, 'plugin', '--profile', 'web', 'add', await packFork(tarball, 'a-fork-of-plugmark', home.home))
  expect(await home.bundles()).toEqual(expect.arrayContaining([STORE, 'a-fork-of-plugmark']))
  const harness = await startHarness(home)
  try {
    const COPIES = [STORE, 'a-fork-of-plugmark']
    const othersOf = async () => (await callStore(harness, 'about', {})).value as { others: string[] } | null
    const other = (await othersOf())?.others.join() ?? ''
    expect(COPIES).toContain(other)
    expect(await callStore(harness, 'overview', {})).toMatchObject({ value: { ok: true } })

    const serving = COPIES.find((name) => name !== other) ?? ''
    const patch = join(home.home, 'profiles', home.profile, 'cordis.patch.yml')
    // 0.1.0-rc.8 can miss a change that comes soon after another, so save it again.
    const saveUntil = (row: object, read: () => Promise<unknown>) => {
      let asked = 0
      return expect.poll(
        async () => {
          if (asked++ % 16 === 0) await writeFile(patch, JSON.stringify([{ id: serving, ...row }]))
          return read()
        },
        { timeout: 60_000, intervals: [500] },
      )
    }
    const cli = async () => {
      const { value } = await callStore(harness, 'overview', {})
      return (value as { value?: { cli: string } } | null)?.value?.cli
    }
    await saveUntil({ config: { cli: 'dsh-2' } }, cli).toBe('dsh-2')
    expect(await othersOf()).toMatchObject({ others: [other] })
    await saveUntil({ disabled: true }, cli).toBe('dsh')
    expect(await othersOf()).toMatchObject({ problem: null, others: [] })
    await saveUntil({}, async () => (await othersOf())?.others).toEqual([serving])
  } finally {
    expect(await harness.close()).toBe(0)
    await home.dispose()
  }
})

test('the sidebar says how many plugins an upgrade of the harness turned off, and the store which', {
  tag: ['@only-0.2', '@matrix'],
}, async ({ page, registry, tarball, harnessVersion }) => {
  const home = await storeHome({ registry, tarball, harnessVersion }, { api: 'http://127.0.0.1:9' })
  await addByHand(home, 'dsh-plugin-tide-table')
  const profile = join(home.home, 'profiles', home.profile)
  const manifest = JSON.parse(await readFile(join(profile, 'package.json'), 'utf8'))
  const { bundles } = manifest.dsh.profile
  bundles.splice(bundles.indexOf('dsh-plugin-tide-table'), 1)
  await writeFile(join(profile, 'package.json'), JSON.stringify(manifest))
  const seen = { harnessVersion: '0.1.5', running: ['dsh-plugin-tide-table', STORE], program: 'old', before: null }
  await mkdir(join(home.home, 'plugmark'), { recursive: true })
  const file = join(home.home, 'plugmark/last-seen.json')
  await writeFile(file, JSON.stringify({ version: 1, profiles: { [profile]: seen } }))
  const harness = await startHarness(home)
  try {
    await openPage(page, harness)
    const entry = page.getByRole('button', { name: 'Plugin store: 1 plugin is off' })
    await expect(entry).toBeVisible()
    await entry.click()
    const store = page.getByRole('dialog', { name: 'Plugin store' })
    await expect(store.getByText(`Harness 0.1.5 → ${harnessVersion}: 1 of 2 plugins`)).toBeVisible()
  } finally {
    await harness.close()
    await home.dispose()
  }
})
