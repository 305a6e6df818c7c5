import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findChromium } from './chromium.mjs'
import { isInstalled } from './needs.mjs'
import { isNewEnough } from './node.mjs'

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

test('what npm installed is installed, without the builds of other platforms', async () => {
  await install(wanted, installed)
  expect(isInstalled(folder)).toBe(true)
})

test('an install that npm did not finish is not', async () => {
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

test('an optional package that is there must be the right one', async () => {
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

/** A program on PATH that ends with this exit code. */
async function program(name: string, exitCode: number): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\nexit ${exitCode}\n`)
  await chmod(path, 0o755)
  return path
}

test('the browser of the system is found on PATH, but not a stub that only says how to get it', async () => {
  vi.stubEnv('CHROMIUM', undefined)
  vi.stubEnv('PATH', `${folder}/nowhere:${folder}`)
  await program('chromium-browser', 1)
  const chrome = await program('google-chrome', 0)
  expect(findChromium()).toBe(chrome)
})

test('CHROMIUM comes before the browser of the system', async () => {
  vi.stubEnv('CHROMIUM', '/opt/mine')
  vi.stubEnv('PATH', folder)
  await program('chromium', 0)
  expect(findChromium()).toBe('/opt/mine')
})
