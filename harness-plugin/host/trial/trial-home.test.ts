import { once } from 'node:events'
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { aHome, furnish, hashTree } from '../testing.ts'
import { copyProfile } from './trial-home.ts'

let home: Awaited<ReturnType<typeof aHome>>
beforeEach(async () => {
  home = await aHome()
})
afterEach(() => home.dispose())

const copied = () =>
  copyProfile(home.home, 'web', join(home.home, '.plugmark/job'), {
    modules: false,
    signal: new AbortController().signal,
  })
const copyIt = async () => (await copied()).directory
async function place(file: string, text = ''): Promise<void> {
  await mkdir(dirname(join(home.directory, file)), { recursive: true })
  await writeFile(join(home.directory, file), text)
}

test('copies the files that the harness starts from, but not node_modules and other files', async () => {
  await furnish(home.directory)
  await writeFile(join(home.home, 'settings.yaml'), 'a: 1')
  await mkdir(join(home.home, 'sessions'))
  await place('compatibility.json', '{}')
  await chmod(join(home.directory, 'package.json'), 0o600)
  for (const file of ['cordis.yml', '.plugin-manager/logs/a', '.plugmark/journal.json', '.plugmark/lock', '.git/HEAD'])
    await place(file)
  for (const folder of ['cache', 'sessions']) await place(join(folder, 'kept.bin'))
  const before = await hashTree(home.directory)
  const copy = await copyIt()
  expect(await readdir(copy)).toEqual(['compatibility.json', 'cordis.patch.yml', 'package.json'])
  expect((await stat(join(copy, 'package.json'))).mode & 0o777).toBe(0o600)
  expect(await readdir(join(home.home, '.plugmark/job'))).toEqual(['profiles', 'settings.yaml', 'tmp'])
  expect(await hashTree(home.directory)).toBe(before)
})

test('copies hooks, patches, rows and packages in a profile with the files that they need', async () => {
  const files = ['.pnpmfile.cjs', 'patches/a.patch', 'rows/mine.mjs', 'mine/package.json', 'mine/node_modules/b/c.js']
  for (const file of files) await place(file, file)
  const copy = await copyIt()
  for (const file of files) expect(await readFile(join(copy, file), 'utf8')).toBe(file)
})

test('points links within the profile into the copy, and copies nothing through links that lead out', async () => {
  await place('mine/index.js', 'of the profile')
  await writeFile(join(home.home, 'shared.js'), 'shared')
  await symlink('mine', join(home.directory, 'relative'))
  await symlink(join(home.directory, 'mine'), join(home.directory, 'absolute'))
  await symlink('../../../shared.js', join(home.directory, 'mine/out.js'))
  await symlink('/', join(home.directory, 'everything'))
  await symlink('nowhere', join(home.directory, 'broken'))
  const copy = await copyIt()
  for (const name of ['relative', 'absolute']) expect(await realpath(join(copy, name))).toBe(join(copy, 'mine'))
  expect(await realpath(join(copy, 'mine/out.js'))).toBe(join(home.home, 'shared.js'))
  expect(await readlink(join(copy, 'everything'))).toBe('/')
  expect(await readlink(join(copy, 'broken'))).toBe('nowhere')
})

test('copies the contents of settings that are links, because a trial writes to them', async () => {
  await writeFile(join(home.home, 'patch.yml'), '[]')
  await symlink('../../patch.yml', join(home.directory, 'cordis.patch.yml'))
  const file = join(await copyIt(), 'cordis.patch.yml')
  expect((await lstat(file)).isFile()).toBe(true)
  expect(await readFile(file, 'utf8')).toBe('[]')
})

test('skips huge entries, which it names, and entries that are not files', async () => {
  await place('data/big.db')
  await truncate(join(home.directory, 'data/big.db'), 300_000_000)
  await place('rows/mine.mjs')
  const server = createServer().listen(join(home.directory, 'rows/socket'))
  await once(server, 'listening')
  const { directory, leftOut } = await copied()
  server.close()
  expect(leftOut).toEqual(['data'])
  expect(await readdir(directory)).toEqual(['package.json', 'rows'])
  expect(await readdir(join(directory, 'rows'))).toEqual(['mine.mjs'])
})

test('keeps the targets of relative paths in dependencies and in the lockfile', async () => {
  const dependencies = { a: 'link:../../../a', c: '^1.0.0', d: 'link:/srv/d', e: 'github:o/e' }
  const own = { b: 'file:./b.tgz', f: 'link:./f', g: 'link:g' }
  await place(
    'package.json',
    JSON.stringify({ dependencies: { ...dependencies, ...own, h: `link:${home.directory}/h` } }),
  )
  const lock = (path: string) =>
    stringify({
      importers: { '.': { dependencies: { 'file-1': { specifier: 'file:/tmp/x 1.tgz', version: `file:${path}` } } } },
      packages: { [`file-1@file:${path}`]: { resolution: { integrity: 'sha512-AA==', tarball: `file:${path}` } } },
    })
  await place('pnpm-lock.yaml', lock('../../../../tmp/x 1.tgz'))
  const copy = await copyIt()
  const back = relative(copy, home.directory)
  expect(JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')).dependencies).toEqual({
    ...dependencies,
    a: `link:${join(back, '../../../a')}`,
    // Paths into the copy.
    ...own,
    h: `link:${copy}/h`,
  })
  const moved = parse(await readFile(join(copy, 'pnpm-lock.yaml'), 'utf8'))
  expect(moved).toEqual(parse(lock(join(back, '../../../../tmp/x 1.tgz'))))
})

test('makes the package manager copy packages instead of linking them, with any setting of the profile', async () => {
  await place('pnpm-workspace.yaml', 'nodeLinker: hoisted\npackageImportMethod: hardlink\n')
  const text = await readFile(join(await copyIt(), 'pnpm-workspace.yaml'), 'utf8')
  expect(parse(text)).toEqual({ nodeLinker: 'hoisted', packageImportMethod: 'clone-or-copy' })
})

test('resolves relative packages of a linked profile from the target of the link', async () => {
  await place('package.json', JSON.stringify({ dependencies: { x: 'file:../x.tgz', own: 'file:./own' } }))
  const data = join(home.home, 'data/deep')
  await mkdir(data, { recursive: true })
  await rename(home.directory, join(data, 'web'))
  await writeFile(join(data, 'x.tgz'), '')
  await symlink(join(data, 'web'), home.directory)
  const copy = await copyIt()
  const { x, own } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')).dependencies
  expect(await realpath(join(copy, x.slice('file:'.length)))).toBe(await realpath(join(data, 'x.tgz')))
  expect(own).toBe('file:./own')
})
