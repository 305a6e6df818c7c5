import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { findChromium } from './chromium.mjs'
import { isNewEnough } from './node.mjs'
import { isInstalled, needs, setUp, whatToDo } from './setup.mjs'

const { git, chromium, font, harness } = needs

test.each([
  ['debian', 'sudo apt-get install --yes git chromium'],
  ['ubuntu', 'sudo apt-get install --yes git && npx playwright install --with-deps chromium'],
  ['fedora', 'your package manager, for git && npx playwright install --with-deps chromium'],
])('set-up on %s names one command that installs what it may not install itself', (system, command) => {
  expect(whatToDo([git!, chromium!], system).split('\n').at(-1)).toBe(`  ${command}`)
})

test('set-up says which of the missing programs are optional', () => {
  expect(whatToDo([font!], 'debian')).toMatch(/^Missing, optional: Chinese font\.\n/)
  expect(whatToDo([{ ...harness!, advice: 'It is for Linux.' }], 'arch')).toBe(
    'Missing: DeepSeek Harness. It is for Linux.',
  )
})

test('every npm script runs set-up first, with needs that exist', () => {
  const scripts = new Map(Object.entries(manifest.scripts))
  const names = [...scripts.keys()].filter((name) => !/^(pre|post)/.test(name))
  for (const name of names) {
    const [program, file, ...asked] = scripts.get(`pre${name}`)?.split(' ') ?? []
    expect([program, file], name).toEqual(['node', 'e2e/setup/setup.mjs'])
    expect(['all', ...Object.keys(needs)], name).toEqual(expect.arrayContaining(asked))
  }
})

test('set-up refuses an unknown need and names the known ones', () => {
  expect(() => setUp(['chrome'])).toThrow(/no chrome, only: all, git, chromium/)
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-setup-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly optional?: boolean
}
const ky = { version: '2.1.0', integrity: 'sha512-a' }
const installed: Record<string, Locked> = {
  'node_modules/@plugmark/shared': { link: true },
  'node_modules/ky': ky,
  'node_modules/ky/node_modules/nested': { version: '1.0.0', integrity: 'sha512-b' },
}
const otherPlatform = { version: '1.0.0', integrity: 'sha512-c', optional: true }
const wanted = { '': {}, shared: { version: '1.0.0' }, ...installed, 'node_modules/other-platform': otherPlatform }

async function install(lock: object, there: object | null): Promise<void> {
  await mkdir(join(folder, 'node_modules'))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: lock }))
  if (there) await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: there }))
}

test('an install by npm is complete without the builds of other platforms', async () => {
  await install(wanted, installed)
  expect(isInstalled(folder)).toBe(true)
})

test('an install that npm did not finish is incomplete', async () => {
  await install(wanted, null)
  expect(isInstalled(folder)).toBe(false)
})

test.each<[string, object]>([
  ['is new', { ...wanted, 'node_modules/new': ky }],
  ['has another version', { ...wanted, 'node_modules/ky': { ...ky, version: '2.2.0' } }],
  ['has another content', { ...wanted, 'node_modules/ky': { ...ky, integrity: 'sha512-z' } }],
  ['is no longer asked for', { '': {}, 'node_modules/ky': ky }],
])('an install is out of date when a package %s', async (_, lock) => {
  await install(lock, installed)
  expect(isInstalled(folder)).toBe(false)
})

test('an install is out of date when an optional package has another version', async () => {
  await install(wanted, { ...installed, 'node_modules/other-platform': { ...otherPlatform, version: '0.9.0' } })
  expect(isInstalled(folder)).toBe(false)
})

test.each([
  ['20.20.2', false],
  ['22.18.0', false],
  ['22.19.0', true],
  ['24.0.0', true],
])('Node %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})

/** Writes a program that ends with this exit code. */
async function program(name: string, exitCode: number): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\nexit ${exitCode}\n`)
  await chmod(path, 0o755)
  return path
}

test('set-up finds the browser on PATH, and passes over a stub that does not start', async () => {
  vi.stubEnv('CHROMIUM', undefined)
  vi.stubEnv('PATH', `${folder}/nowhere:${folder}`)
  await program('chromium-browser', 1)
  const chrome = await program('google-chrome', 0)
  expect(findChromium()).toBe(chrome)
})

test('the browser that CHROMIUM names comes before the one on PATH', async () => {
  vi.stubEnv('CHROMIUM', '/opt/mine')
  vi.stubEnv('PATH', folder)
  await program('chromium', 0)
  expect(findChromium()).toBe('/opt/mine')
})
