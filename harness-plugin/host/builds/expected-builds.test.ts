import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PackageReader } from '../registry/registry.ts'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { createExpectedBuilds } from './expected-builds.ts'

let folder: string
let profile: string
let registry: RegistryForTests

/** Stands in for pnpm: prints a version, and resolves a plugin with a dependency that has a build script. */
const pnpm = (version: string) => `#!${process.execPath}
  const { writeFileSync, existsSync } = require('node:fs')
  if (process.argv[2] === '--version') console.log('${version}')
  else {
    writeFileSync(process.env.CALLED, JSON.stringify([process.argv.slice(2), existsSync('.npmrc')]))
    const resolution = { integrity: 'sha512-x' }
    const packages = { 'plugin@2.0.0': { resolution }, 'sharp@1.2.3': { resolution } }
    writeFileSync('pnpm-lock.yaml', JSON.stringify({ packages }))
  }`

const SHARP = { package: 'sharp', version: '1.2.3', key: 'sharp@1.2.3', scripts: { install: 'node-gyp rebuild' } }
const aReader = () => {
  const env = { PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`, CALLED: join(folder, 'called') }
  const { signal } = new AbortController()
  const read = createExpectedBuilds({ env, signal, now: () => 0 })
  const plan = { cli: 'dsh', profile: 'web', spec: { kind: 'npm', name: 'plugin' } } as const
  return (names: readonly string[], allowed: readonly string[] = []) =>
    read(plan, names, { profile, allowed, registry: new PackageReader({ directory: profile, env, signal }) })
}
const read = (names: readonly string[], allowed?: readonly string[]) => aReader()(names, allowed)
const usePnpm = (version: string) => writeFile(join(folder, 'bin/pnpm'), pnpm(version), { mode: 0o755 })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-expected-'))
  profile = join(folder, 'profile')
  await mkdir(join(folder, 'bin'))
  await mkdir(profile)
  registry = await startRegistryForTests({
    sharp: { '1.2.3': { scripts: { install: 'node-gyp rebuild', test: 'x' } } },
    plugin: { '2.0.0': {} },
  })
  await writeFile(join(profile, '.npmrc'), `registry=${registry.url}\n`)
  await usePnpm('11.28.11')
})
afterEach(async () => {
  await registry.close()
  await rm(folder, { recursive: true })
})

test('reads the scripts of a dependency before the first try, without running any', async () => {
  expect(await read(['sharp'])).toEqual({ setting: 'allowBuilds', builds: [SHARP] })
  const called = JSON.parse(await readFile(join(folder, 'called'), 'utf8'))
  expect(called).toEqual([['add', '--lockfile-only', '--ignore-scripts', 'plugin'], true])
})

test('names the package alone as the key where pnpm cannot allow one version', async () => {
  await usePnpm('10.0.0')
  expect(await read(['sharp'])).toEqual({
    setting: 'onlyBuiltDependencies',
    builds: [{ ...SHARP, key: 'sharp' }],
  })
})

test('leaves out what the profile allows already', async () => {
  for (const key of ['sharp@1.2.3', 'sharp', 'sharp@1.2.2 || 1.2.3', '*'])
    expect(await read(['sharp'], [key])).toBeNull()
  for (const key of ['sharp@1.2.2', 'sharp-x', 'sharp@file:../sharp.tgz'])
    expect(await read(['sharp'], [key])).toMatchObject({ builds: [SHARP] })
})

test('keeps what a plugin needs for the next review, and not what the profile allowed at the first', async () => {
  const read = aReader()
  expect(await read(['sharp'])).toMatchObject({ builds: [SHARP] })
  await rm(join(folder, 'called'))
  expect(await read(['sharp'], ['sharp@1.2.3'])).toBeNull()
  expect(await read(['sharp'])).toMatchObject({ builds: [SHARP] })
  await expect(readFile(join(folder, 'called'))).rejects.toThrow('ENOENT')
})

test('knows nothing where one of the packages or its scripts cannot be found', async () => {
  expect(await read(['sharp', 'gone'])).toBeNull()
  expect(await read(['sharp', 'plugin'])).toBeNull()
  expect(await read([])).toBeNull()
  registry.failNext({ status: 500 })
  expect(await read(['sharp'])).toBeNull()
})
