import { execFile } from 'node:child_process'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createHome, type Home } from '../harness/home.ts'
import { addByHand } from '../harness/store.ts'
import { profileHash } from './hash.ts'
import { expect } from './host.ts'
import { test as base } from './test.ts'

// Why the store puts node_modules aside: the obvious way back is none. What is tried here is not ours.

const test = base.extend<{ eleven: Home }>({
  eleven: async ({ registry }, use) => {
    const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, pnpm: 11 })
    await use(home)
    await home.dispose()
  },
})

const FILES = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', 'cordis.patch.yml']

/** Adds a plugin, puts the profile's files back, and lets the package manager repair node_modules. */
async function addAndRepair(home: Home, name: string): Promise<void> {
  const profile = join(home.home, 'profiles', home.profile)
  const aside = join(home.home, 'aside')
  const copy = (from: string, to: string) =>
    Promise.all(
      FILES.map((file) => cp(join(from, file), join(to, file)).catch(() => rm(join(to, file), { force: true }))),
    )
  await copy(profile, aside)
  await addByHand(home, name).catch(() => {})
  await copy(aside, profile)
  const repair = ['install', '--frozen-lockfile', '--prefer-offline']
  await promisify(execFile)('pnpm', repair, { cwd: profile, env: { ...home.env, CI: 'true' } }).catch(() => {})
}

test('after a blocked build, files alone and a frozen install do not bring a profile back', async ({ eleven }) => {
  await addByHand(eleven, 'dsh-plugin-harbor-notes')
  const before = await profileHash(eleven)
  await addAndRepair(eleven, 'dsh-plugin-copper-bell')
  expect(await profileHash(eleven)).not.toBe(before)
})

test('nor do they where there was no lock', async ({ home }) => {
  const before = await profileHash(home)
  await addAndRepair(home, 'dsh-plugin-harbor-notes')
  expect(await profileHash(home)).not.toBe(before)
})
