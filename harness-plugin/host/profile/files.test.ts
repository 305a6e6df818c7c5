import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { copyTree, treeSize } from './files.ts'

/** Created links, with the type that matters on Windows. */
const links = vi.hoisted(() => [] as [string, string | undefined][])
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>()
  const link = (target: string, path: string, type?: string) => {
    links.push([target, type])
    return fs.symlink(target, path)
  }
  return { ...fs, symlink: link }
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-copy-'))
  await mkdir(join(folder, 'from/store/a'), { recursive: true })
  await writeFile(join(folder, 'from/store/a/index.js'), 'a', { mode: 0o755 })
  await symlink('store/a', join(folder, 'from/a'))
  await symlink('store/a/index.js', join(folder, 'from/run'))
  links.length = 0
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

const copy = (signal?: AbortSignal) => copyTree(join(folder, 'from'), join(folder, 'to'), { signal })

test('copies files with their modes, folders, and links as links', async () => {
  await copy()
  expect(await readFile(join(folder, 'to/store/a/index.js'), 'utf8')).toBe('a')
  expect((await stat(join(folder, 'to/store/a/index.js'))).mode & 0o777).toBe(0o755)
  expect(links.toSorted()).toEqual([
    ['store/a', undefined],
    ['store/a/index.js', undefined],
  ])
})

test('makes no hard link, which the running harness would treat as a change of the file', async () => {
  const before = await stat(join(folder, 'from/store/a/index.js'))
  await copy()
  const after = await stat(join(folder, 'from/store/a/index.js'))
  expect([after.nlink, after.ctimeMs]).toEqual([before.nlink, before.ctimeMs])
})

test('makes junctions to folders on Windows, as package managers do, because other links need a privilege', async () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  await copyTree(join(folder, 'from/store'), join(folder, 'to'))
  await copyTree(join(folder, 'from/a'), join(folder, 'linked'))
  expect(links).toEqual([['store/a', 'junction']])
})

test('stops between two files when its signal is aborted, and throws the reason', async () => {
  const abort = new AbortController()
  const reason = new Error('cancelled')
  abort.abort(reason)
  await expect(copy(abort.signal)).rejects.toBe(reason)
  expect(await readdir(folder)).toEqual(['from'])
})

test('treeSize counts a block for small files and folders, and stops above its limit', async () => {
  expect(await treeSize(join(folder, 'from'))).toBe(6 * 4096)
  expect(await treeSize(join(folder, 'from'), { limit: 4096 })).toBeGreaterThan(4096)
  expect(await treeSize(join(folder, 'nowhere'))).toBe(4096)
})
