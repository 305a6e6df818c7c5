import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aHome } from '../testing.ts'
import { listProfiles, readProfile, resolveHome } from './home.ts'
import { programExists } from './program.ts'
import { changedFiles, readProfileState } from './state.ts'

let home: Awaited<ReturnType<typeof aHome>>
beforeEach(async () => {
  home = await aHome()
})
afterEach(() => home.dispose())

test('the home is what is configured, else the variable, else a directory of the person', () => {
  const resolve = (configured?: string, fromEnvironment?: string) =>
    resolveHome({ configured, fromEnvironment, cli: 'dsh' })
  expect(resolve('/srv/a', '/srv/b')).toBe('/srv/a')
  expect(resolve('  ', '/srv/b')).toBe('/srv/b')
  expect(resolve(undefined, ' ')).toBe(join(homedir(), '.dsh'))
  expect(resolve('~/x')).toBe(join(homedir(), 'x'))
})

describe('profiles', () => {
  test('are the directories with a manifest that can be read', async () => {
    const profiles = join(home.home, 'profiles')
    await mkdir(join(profiles, 'empty'))
    await mkdir(join(profiles, 'broken'))
    await writeFile(join(profiles, 'broken/package.json'), '{ not JSON')
    await mkdir(join(profiles, 'node_modules'))
    await mkdir(join(profiles, 'bare'))
    await writeFile(join(profiles, 'bare/package.json'), '{}')
    expect(await listProfiles(home.home)).toEqual([
      { name: 'bare', bundles: [], dependencies: {} },
      { name: 'web', bundles: ['@deepseek-ai/dsh-base'], dependencies: {} },
    ])
  })

  test('of a home that is not there are none', async () => {
    expect(await listProfiles('/nowhere')).toEqual([])
    expect(await readProfile(home.home, 'other')).toBeNull()
  })
})

test('the state of a profile is read from its files', async () => {
  const before = await readProfileState(home.directory)
  await writeFile(join(home.directory, 'pnpm-lock.yaml'), 'lockfileVersion: 9')
  await mkdir(join(home.directory, 'node_modules'))
  const notes = { ignoredBuilds: ['some-plugin@1.0.0', 7], included: {} }
  await writeFile(join(home.directory, 'node_modules/.modules.yaml'), JSON.stringify(notes))
  const after = await readProfileState(home.directory)
  expect(before?.unbuilt).toEqual([])
  expect(after?.unbuilt).toEqual(['some-plugin@1.0.0'])
  expect(changedFiles(before!, after!)).toEqual(['pnpm-lock.yaml'])
  expect(await readProfileState('/nowhere')).toBeNull()
})

test('a program is found on PATH when it may be run', async () => {
  await writeFile(join(home.home, 'dsh'), '')
  const env = { PATH: `/nowhere:${home.home}` }
  expect(await programExists('dsh', env)).toBe(false)
  await chmod(join(home.home, 'dsh'), 0o755)
  expect(await programExists('dsh', env)).toBe(true)
  expect(await programExists(join(home.home, 'dsh'), {})).toBe(true)
  await symlink(home.home, join(home.home, 'a-directory'))
  expect(await programExists('a-directory', env)).toBe(false)
})
