import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { aHome, furnish, hashTree } from '../testing.ts'
import { copyProfile } from './copy.ts'

let home: Awaited<ReturnType<typeof aHome>>
beforeEach(async () => {
  home = await aHome()
})
afterEach(() => home.dispose())

test('what the harness starts from is copied, node_modules and the rest are not', async () => {
  await furnish(home.directory)
  await writeFile(join(home.home, 'settings.yaml'), 'a: 1')
  await writeFile(join(home.directory, 'compatibility.json'), '{}')
  await writeFile(join(home.directory, 'cordis.yml'), '')
  await mkdir(join(home.directory, '.plugin-manager'))
  await chmod(join(home.directory, 'package.json'), 0o600)
  await mkdir(join(home.home, 'sessions'))
  const before = await hashTree(home.directory)
  const copy = await copyProfile(home.home, 'web', join(home.home, '.plugmark/job'))
  expect(await readdir(copy)).toEqual(['compatibility.json', 'cordis.patch.yml', 'package.json'])
  expect((await stat(join(copy, 'package.json'))).mode & 0o777).toBe(0o600)
  expect(await readdir(join(home.home, '.plugmark/job'))).toEqual(['profiles', 'settings.yaml'])
  expect(await hashTree(home.directory)).toBe(before)
})

test('a path in its dependencies leads where it led before, in the lock too', async () => {
  const dependencies = { a: 'link:../../../a', b: 'file:./b.tgz', c: '^1.0.0', d: 'link:/srv/d', e: 'github:o/e' }
  await writeFile(join(home.directory, 'package.json'), JSON.stringify({ dependencies }))
  const lock = (path: string) =>
    stringify({
      importers: { '.': { dependencies: { 'file-1': { specifier: 'file:/tmp/x 1.tgz', version: `file:${path}` } } } },
      packages: { [`file-1@file:${path}`]: { resolution: { integrity: 'sha512-AA==', tarball: `file:${path}` } } },
    })
  await writeFile(join(home.directory, 'pnpm-lock.yaml'), lock('../../../../tmp/x 1.tgz'))
  const copy = await copyProfile(home.home, 'web', join(home.home, '.plugmark/job'))
  const back = relative(copy, home.directory)
  expect(JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')).dependencies).toEqual({
    ...dependencies,
    a: `link:${join(back, '../../../a')}`,
    b: `file:${join(back, 'b.tgz')}`,
  })
  const moved = parse(await readFile(join(copy, 'pnpm-lock.yaml'), 'utf8'))
  expect(moved).toEqual(parse(lock(join(back, '../../../../tmp/x 1.tgz'))))
})
