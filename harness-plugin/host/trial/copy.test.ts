import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
  await mkdir(join(home.home, 'sessions'))
  const before = await hashTree(home.directory)
  const copy = await copyProfile(home.home, 'web', join(home.home, '.plugmark/job'))
  expect(await readdir(copy)).toEqual(['cordis.patch.yml', 'package.json'])
  expect(await readdir(join(home.home, '.plugmark/job'))).toEqual(['profiles', 'settings.yaml'])
  expect(await hashTree(home.directory)).toBe(before)
})

test('a path in its dependencies leads where it led before', async () => {
  const dependencies = { a: 'link:../../../a', b: 'file:./b.tgz', c: '^1.0.0', d: 'link:/srv/d', e: 'github:o/e' }
  await writeFile(join(home.directory, 'package.json'), JSON.stringify({ dependencies }))
  const copy = await copyProfile(home.home, 'web', join(home.home, '.plugmark/job'))
  expect(JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')).dependencies).toEqual({
    ...dependencies,
    a: `link:${join(home.directory, '../../../a')}`,
    b: `file:${join(home.directory, 'b.tgz')}`,
  })
})
