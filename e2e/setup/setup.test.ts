import { chmod, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { findChromium } from './chromium.mjs'
import { isNewEnough } from './node.mjs'
import { isInstalled, needs, setUp, whatToDo } from './setup.mjs'

const { git, font, harness } = needs

test('set-up names the missing programs, which of them are optional, and one command that installs them', () => {
  expect(whatToDo([git!, font!])).toBe(
    [
      'Missing: git.',
      'Missing, optional: Chinese font.',
      'Install these with your package manager, and run the command again. On Debian:',
      '  sudo apt-get install --yes git fonts-noto-cjk fontconfig',
    ].join('\n'),
  )
  expect(whatToDo([{ ...harness!, advice: 'It is for Linux.' }])).toBe('Missing: DeepSeek Harness. It is for Linux.')
})

test('CI installs every program of the system that set-up names', async () => {
  const ci = await readFile(new URL('../../.ci/run', import.meta.url), 'utf8')
  const installed = /^programs=\((.*)\)$/m.exec(ci)?.[1]?.split(' ')
  expect(installed).toEqual(Object.values(needs).flatMap(({ apt }) => apt?.split(' ') ?? []))
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

/** Writes a lockfile, and what npm writes when it has installed it, so many seconds later. */
async function install(laterSeconds: number | null): Promise<void> {
  await mkdir(join(folder, 'node_modules'))
  const [lock, hidden] = [join(folder, 'package-lock.json'), join(folder, 'node_modules/.package-lock.json')]
  await writeFile(lock, '{}')
  if (laterSeconds === null) return
  const { mtimeMs } = await stat(lock)
  await writeFile(hidden, '{}')
  await utimes(hidden, mtimeMs / 1000, mtimeMs / 1000 + laterSeconds)
}

test.each([
  ['that npm finished since the lockfile was written is complete', 1, true],
  ['that npm did not finish is incomplete', null, false],
  ['from before the lockfile changed is out of date', -1, false],
] as const)('an install %s', async (_, laterSeconds, expected) => {
  await install(laterSeconds)
  expect(isInstalled(folder)).toBe(expected)
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
