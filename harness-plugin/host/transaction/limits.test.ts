import { readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { hostForTests, value } from '../host-testing.ts'
import { FAKE_HARNESS, furnish, hashTree } from '../testing.ts'

/** Called before each operation of the file system, which fails with any error that it throws. */
const hooks = vi.hoisted(() => ({
  before: (_name: string, _args: readonly unknown[]): void => {},
  freeBytes: Number.POSITIVE_INFINITY,
  synced: () => {},
}))
const errorWith = (code: string) => Object.assign(new Error(code), { code })

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<Record<string, (...args: never[]) => Promise<unknown>>>()
  const hooked = Object.entries(fs).map(([name, run]) => {
    if (typeof run !== 'function') return [name, run]
    const call = async (...args: never[]) => {
      hooks.before(name, args)
      return name === 'statfs' ? { bsize: 1, bavail: hooks.freeBytes } : run(...args)
    }
    return [name, call]
  })
  return Object.fromEntries(hooked)
})
vi.mock('../../../shared/file-lock/write-file.ts', async (original) => ({
  ...(await original<object>()),
  syncToDisk: async () => hooks.synced(),
}))

const { its, install, review, ended } = hostForTests()
const file = (name: string) => join(its.home.directory, name)
const state = async () =>
  (await readdir(file('.plugmark')).catch((): string[] => [])).filter((name) => name !== 'history')
const hash = () => hashTree(its.home.directory, ['.plugmark'])
const outcomeOf = async (id: string) => (await ended((await install(id)).id)).outcome!
let before: string

beforeEach(async () => {
  hooks.before = () => {}
  hooks.synced = () => {}
  hooks.freeBytes = Number.POSITIVE_INFINITY
  await furnish(its.home.directory)
  await writeFile(join(its.home.home, 'program.cjs'), FAKE_HARNESS)
  before = await hash()
})

test('refuses the job before copying when the disk has no space for a copy of node_modules', async () => {
  hooks.freeBytes = 1_000_000
  hooks.before = (name, [, , mode]) => {
    // Cloning would need no space, so simulate a file system without it.
    if (name === 'copyFile' && mode === 4) throw errorWith('ENOTSUP')
  }
  expect(await outcomeOf('a/good')).toMatchObject({ kind: 'disk-error', rollback: null })
  expect(await hash()).toBe(before)
  expect(await state()).toEqual([])
})

test('deletes the kept snapshot for the next job when the disk has space only without it', async () => {
  await outcomeOf('a/good')
  expect(await state()).toEqual(['undo'])
  hooks.freeBytes = 50_020_000
  let wasThere = true
  hooks.before = (name, [path, , mode]) => {
    if (name === 'copyFile' && mode === 4) throw errorWith('ENOTSUP')
    if (name === 'rm' && path === file('.plugmark/undo')) wasThere = false
    if (name === 'copyFile' && !wasThere) hooks.freeBytes = Number.POSITIVE_INFINITY
  }
  const { token } = value(await review('a/good', 'web', 'update'))
  const { id } = value(await its.host.calls.start({ id: 'a/good', token, acknowledged: true }))
  expect((await ended(id)).outcome).toMatchObject({ kind: 'updated' })
})

test('stops copying node_modules on a cancel, and leaves no part of the copy', async () => {
  let copies = 0
  let id = ''
  hooks.before = (name, [, target]) => {
    if (name !== 'copyFile' || !String(target).includes('.plugmark/snapshot/node_modules')) return
    if (++copies === 1) void its.host.calls.cancel({ job: id })
  }
  for (let index = 0; index < 5; index++) await writeFile(file(`node_modules/old/${index}.js`), '')
  before = await hash()
  id = (await install('a/good')).id
  expect((await ended(id)).outcome).toMatchObject({ kind: 'cancelled' })
  expect(copies).toBeGreaterThan(0)
  expect((await ended(id)).output).toEqual([expect.stringContaining('could not be looked up')])
  expect(await hash()).toBe(before)
  expect(await state()).toEqual([])
})

test('keeps the outcome of a committed job when the lock cannot be released', async () => {
  hooks.before = (name, [path]) => {
    if (name === 'rm' && path === file('.plugmark/lock')) throw errorWith('EPERM')
  }
  expect(await outcomeOf('a/good')).toMatchObject({ kind: 'registered', rollback: null })
})

test('keeps the change without a useless copy when the disk is full at the commit, and offers no undo', async () => {
  hooks.before = (name, [path]) => {
    if (name === 'open' && String(path).includes('change.json')) throw errorWith('ENOSPC')
  }
  expect(await outcomeOf('a/good')).toMatchObject({ kind: 'registered', rollback: null })
  hooks.before = () => {}
  expect(await state()).toEqual([])
  expect(value(await its.host.calls.lastChange({ profile: 'web' }))).toBeNull()
  const { id } = value(await its.host.calls.undo({ profile: 'web', change: 'none' }))
  expect((await ended(id)).outcome).toMatchObject({ kind: 'nothing-to-do' })
})

test('syncs snapshot and changes to the disk before the journal vouches for them', async () => {
  const order: string[] = []
  hooks.synced = () => void order.push('synced')
  hooks.before = (name, [path, target]) => {
    if (name === 'rename' && target === file('.plugmark/journal.json')) {
      const { snapshot } = JSON.parse(readFileSync(String(path), 'utf8'))
      order.push(snapshot ? 'the journal has a snapshot' : 'the journal begins')
    }
    if (name === 'rm' && path === file('.plugmark/journal.json')) order.push('the journal goes')
  }
  await outcomeOf('a/good')
  expect(order).toEqual(['the journal begins', 'synced', 'the journal has a snapshot', 'synced', 'the journal goes'])
})

test('rolls back a failed job by copying when node_modules is a file system of its own', async () => {
  const isInModules = (path: unknown) => String(path).startsWith(file('node_modules/'))
  let refused = 0
  hooks.before = (name, [from, to]) => {
    if (name !== 'rename' || isInModules(from) === isInModules(to)) return
    refused++
    throw errorWith('EXDEV')
  }
  expect(await outcomeOf('a/other')).toMatchObject({ kind: 'failed', rollback: 'complete' })
  expect(refused).toBeGreaterThan(0)
  expect(await hash()).toBe(before)
  expect(await state()).toEqual([])
})
