import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBuildAllowed } from '../../protocol/review-facts.ts'
import { keysOfPackages, readAllowedBuilds } from './allowed.ts'

let folder: string
const file = (name: string, text: string) => writeFile(join(folder, name), text)

/** Reads what is allowed where pnpm prints these settings; without any, there is no pnpm. */
async function read(settings?: object) {
  if (settings !== undefined)
    await writeFile(
      join(folder, 'bin/pnpm'),
      `#!${process.execPath}\nconsole.log(${JSON.stringify(JSON.stringify(settings))})`,
      { mode: 0o755 },
    )
  const env = { PATH: [join(folder, 'bin'), ...(settings ? [process.env.PATH] : [])].join(delimiter) }
  return readAllowedBuilds({ cwd: folder, env, signal: new AbortController().signal })
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-allowed-'))
  await mkdir(join(folder, 'bin'))
})
afterEach(() => rm(folder, { recursive: true }))

const pnpm10 = { 'user-agent': 'pnpm/10.34.9 npm/? node/v24.21.0 linux x64' }
const pnpm11 = { userAgent: 'pnpm/11.28.11 npm/? node/v24.21.0 linux x64' }
const pnpm12 = { userAgent: 'pnpm/12.21.0 npm/? node/? linux x64' }

test.each([
  ['nothing', {}, pnpm11, []],
  [
    'keys of pnpm 10',
    { 'only-built-dependencies': ['sharp', 'a@1.0.0 || 2.0.0'] },
    pnpm10,
    ['sharp', 'a@1.0.0 || 2.0.0'],
  ],
  ['keys of pnpm 11', { allowBuilds: { sharp: true, a: false, b: 'set this to true or false' } }, pnpm11, ['sharp']],
  ['keys of pnpm 12', { allowBuilds: { 'sharp@1.0.0': true } }, pnpm12, ['sharp@1.0.0']],
  ['keys that only pnpm 10 reads', { onlyBuiltDependencies: ['sharp'] }, pnpm11, []],
  ['all packages in pnpm 10', { 'dangerously-allow-all-builds': true }, pnpm10, ['*']],
  ['all packages in pnpm 12', { dangerouslyAllowAllBuilds: true, allowBuilds: { a: true } }, pnpm12, ['*']],
  ['all but some', { 'never-built-dependencies': ['sharp'] }, pnpm10, ['*']],
  ['a file of keys', { 'only-built-dependencies-file': 'keys.json' }, pnpm10, ['*']],
  ['rules of another form', { allowBuilds: 'sharp' }, pnpm12, ['*']],
])('reads which build scripts a profile allows: %s', async (_, settings, version, keys) => {
  expect(await read({ ...version, ...settings })).toEqual(keys)
})

test('reads the keys of package.json, which pnpm 10 does not print and newer ones ignore', async () => {
  await file('package.json', '{"pnpm":{"onlyBuiltDependencies":["sharp"]}}')
  expect(await read(pnpm10)).toEqual(['sharp'])
  expect(await read({ ...pnpm10, 'only-built-dependencies': ['other'] })).toEqual(['other'])
  expect(await read(pnpm11)).toEqual([])
  await file('package.json', '{')
  expect(await read(pnpm10)).toEqual(['*'])
})

test('reads the profile itself where pnpm does not answer', async () => {
  expect(await read()).toEqual([])
  await file('pnpm-workspace.yaml', 'allowBuilds:\n  sharp: true\nonlyBuiltDependencies: [old]\n')
  expect(await read()).toEqual(['old', 'sharp'])
})

test('finds the keys of packages by their names, and keeps every key that may be of any', () => {
  const keys = ['libpq@1.0.0', 'sharp', '@a/b@file:../b.tgz', '*', 'https://code.example/x.tgz', '@a/*']
  expect(keysOfPackages(keys, new Set(['libpq', 'other']))).toEqual([keys[0], ...keys.slice(3)])
  expect(keysOfPackages(keys, new Set(['@a/b', 'sharp']))).toEqual(keys.slice(1))
})

test('allows the scripts of one version by its name, by its version and with all others', () => {
  const allows = (key: string) => isBuildAllowed([key], { name: 'a', version: '1.0.0' })
  expect(['a', 'a@1.0.0', 'a@2.0.0 || 1.0.0', '*'].map(allows)).toEqual([true, true, true, true])
  expect(['a@1.0.1', 'b', 'a@file:../a.tgz', '@a/a'].map(allows)).toEqual([false, false, false, false])
})
