import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { aHome, hashTree } from '../testing.ts'
import { COMMIT, furnishProfile, LOCKFILE, locksForTests, SECRET } from './testing.ts'

const { its, lockOf, driftOf } = locksForTests()

test('writes every plugin with its version, its integrity or its commit, off and held, by name', async () => {
  const { plugins, layers, packages, packageManager } = await lockOf()
  const none = { integrity: null, commit: null, off: false, held: null }
  expect(plugins).toEqual([
    {
      ...none,
      name: 'good',
      spec: '^1.0.0',
      version: '1.0.0',
      integrity: 'sha512-good',
      off: true,
      held: { reason: 'It works.' },
    },
    { ...none, name: 'kite', spec: 'github:moss/kite', version: '0.1.0', commit: COMMIT },
    { ...none, name: 'other', spec: null, version: null },
  ])
  expect(layers).toEqual(['@deepseek-ai/dsh-base', 'kite', 'other'])
  expect([parse(packages!.join('\n')), packageManager]).toEqual([
    { ...parse(LOCKFILE), snapshots: {} },
    'pnpm@11.28.11',
  ])
})

test('writes no secret and no path of this machine', async () => {
  const file = join(its.home.directory, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  Object.assign(manifest.dependencies, { secret: `https://me:${SECRET}@host.example/x.tgz`, far: '/home/me/far.tgz' })
  await writeFile(file, JSON.stringify(manifest))
  const holds = { good: { reason: `See https://me:${SECRET}@host.example/why`, since: 5 } }
  await writeFile(join(its.home.directory, '.plugmark/holds.json'), JSON.stringify({ version: 1, holds }))
  const lock = await lockOf()
  expect(lock.plugins.find(({ name }) => name === 'good')?.held?.reason).toMatch(/^See https:.+host\.example\/why$/)
  for (const hidden of [SECRET, '/home/me', '/opt', its.home.home]) expect(JSON.stringify(lock)).not.toContain(hidden)
  expect(lock.plugins.filter(({ spec }) => spec === null).map(({ name }) => name)).toEqual(['far', 'other', 'secret'])
  // Plugins of this machine are left out of the lock of the package manager; a path elsewhere in it leaves it out.
  const packages = lock.packages!.join('\n')
  expect(packages).toContain('needed@2.0.0')
  for (const lockfile of [
    LOCKFILE.replace('patches/good.patch', '/home/me/good.patch'),
    LOCKFILE.replace('version: 0.1.0', 'version: file:../kite'),
    LOCKFILE.replace('sha512-needed', `https://me:${SECRET}@host.example/x`),
  ]) {
    await writeFile(join(its.home.directory, 'pnpm-lock.yaml'), lockfile)
    expect((await lockOf()).packages).toBe(null)
  }
})

test('gives the same bytes for the same profile in another home, and changes nothing', async () => {
  const before = await hashTree(its.home.directory)
  const first = JSON.stringify(await lockOf())
  expect(await hashTree(its.home.directory)).toBe(before)
  const second = await aHome()
  await furnishProfile(second.directory)
  its.create({ home: second.home })
  expect(JSON.stringify(await lockOf())).toBe(first)
  await second.dispose()
})

test('makes no lock of a profile whose holds cannot be read', async () => {
  await writeFile(join(its.home.directory, '.plugmark/holds.json'), '{ "a": [')
  expect(await its.host.calls.profileLock({ profile: 'web' })).toMatchObject({ ok: false, code: 'profile-state' })
})

test('writes a lock of whatever profile the harness has', async () => {
  const { directory } = its.home
  const holds = { JSONStream: { reason: 'x'.repeat(300), since: 5 } }
  await writeFile(join(directory, '.plugmark/holds.json'), JSON.stringify({ version: 1, holds }))
  const dependencies = { JSONStream: '^1.0.0', long: `https://host.example/${'x'.repeat(1200)}` }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ dependencies }))
  const lock = await lockOf()
  expect(lock.plugins.map(({ name, spec }) => [name, spec])).toEqual([
    ['JSONStream', '^1.0.0'],
    ['long', null],
  ])
  expect(await driftOf(lock)).toEqual([])
})

test('writes the lock of the package manager whatever packages ask for and say', async () => {
  const needed = 'needed@2.0.0: { resolution: { integrity: sha512-needed }'
  const lockfile = LOCKFILE.replace(
    needed,
    `${needed}, engines: { node: ~20 }, peerDependencies: { vue: ~3.0.0 }`,
  ).concat(
    '  old@1.0.0:\n    deprecated: Use basic authentication of 2.0.0\n    resolution: { integrity: sha512-old }\n',
    'snapshots:\n  old@1.0.0:\n    dependencies:\n      file: 1.0.0\n',
  )
  await writeFile(join(its.home.directory, 'pnpm-lock.yaml'), lockfile)
  expect((await lockOf()).packages?.join('\n')).toContain('vue: ~3.0.0')
})

test('writes settings with any range, and none with a path of this machine', async () => {
  const overrides = {
    tilde: '~2.0.0',
    caret: '^1.0.0',
    home: '~/packages/x',
    folder: 'link:../x',
    '@deepseek-ai/dsh-base': '0.2.1',
  }
  await writeFile(join(its.home.directory, 'pnpm-workspace.yaml'), JSON.stringify({ overrides, fetchRetries: 3 }))
  expect((await lockOf()).settings).toEqual({ overrides: { caret: '^1.0.0', tilde: '~2.0.0' } })
})
