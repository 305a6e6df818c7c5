import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NewerFile, read, readCache, readStrict, setAside, UnreadableState, update } from './json-file.ts'

const NAMES = { schema: v.object({ names: v.array(v.string()) }), version: 1 }
type Names = v.InferOutput<typeof NAMES.schema>
const add = (name: string) => (file: Names | null) => ({ names: [...(file?.names ?? []), name] })

let home: string
let folder: string
let path: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugmark-json-'))
  folder = join(home, 'state')
  path = join(folder, 'names.json')
})
afterEach(() => rm(home, { recursive: true }))

test('reads what was written, and nothing before', async () => {
  expect(await read(path, NAMES)).toEqual({ state: 'missing' })
  expect(await update(path, NAMES, add('one'))).toEqual({ names: ['one'] })
  expect(await read(path, NAMES)).toEqual({ state: 'read', value: { names: ['one'] } })
  expect(await readdir(folder)).toEqual(['names.json'])
})

test('loses no update of one process', async () => {
  const names = Array.from({ length: 50 }, (_, at) => `name-${at}`)
  await Promise.all(names.map((name) => update(path, NAMES, add(name))))
  expect(await readCache(path, NAMES)).toEqual({ names })
})

test('loses no update of two processes', async () => {
  const module = fileURLToPath(new URL('./json-file.ts', import.meta.url))
  const program = (letter: string) => `
    const { update } = await import(${JSON.stringify(module)})
    const v = await import(${JSON.stringify(import.meta.resolve('valibot'))})
    const NAMES = { schema: v.object({ names: v.array(v.string()) }), version: 1 }
    for (let at = 0; at < 10; at++)
      await update(${JSON.stringify(path)}, NAMES, (file) => ({ names: [...(file?.names ?? []), '${letter}' + at] }))`
  const children = ['a', 'b'].map((letter) =>
    spawn(execPath, ['--input-type=module', '--eval', program(letter)], { stdio: 'inherit' }),
  )
  expect(await Promise.all(children.map((child) => once(child, 'exit')))).toEqual([
    [0, null],
    [0, null],
  ])
  const { names } = (await readCache(path, NAMES))!
  expect(names).toHaveLength(20)
  expect(new Set(names).size).toBe(20)
})

const broken = '{ "version": 1, "nam'

test('moves a broken cache aside before it writes', async () => {
  await mkdir(folder)
  await writeFile(path, broken)
  expect(await read(path, NAMES)).toMatchObject({ state: 'broken' })
  await update(path, { ...NAMES, isCache: true }, add('one'))
  const aside = (await readdir(folder)).find((name) => name.endsWith('.broken'))!
  expect(await readFile(join(folder, aside), 'utf8')).toBe(broken)
  expect(await readCache(path, NAMES)).toEqual({ names: ['one'] })
})

test.each(['{ "version": 1, "nam', '{"names":["one"]}', '{"version":1,"names":"one"}'])(
  'neither reads nor replaces %s, on which a decision depends, until it is set aside',
  async (text) => {
    await mkdir(folder)
    await writeFile(path, text)
    await expect(readStrict(path, NAMES)).rejects.toThrow(UnreadableState)
    await expect(update(path, NAMES, add('one'))).rejects.toThrow(UnreadableState)
    expect(await readFile(path, 'utf8')).toBe(text)
    const aside = await setAside(path, NAMES)
    expect(await readFile(aside!, 'utf8')).toBe(text)
    expect(await readStrict(path, NAMES)).toBeNull()
  },
)

test('keeps what can be rescued of a broken file that is set aside', async () => {
  await mkdir(folder)
  await writeFile(path, broken)
  await setAside(path, { ...NAMES, rescue: (text) => ({ names: [text] }) })
  expect(await readStrict(path, NAMES)).toEqual({ names: [broken] })
  expect(await setAside(path, NAMES)).toBeNull()
})

test('leaves a broken file in its place when what can be rescued of it cannot be written', async () => {
  await mkdir(folder)
  await writeFile(path, broken)
  const toJSON = () => {
    throw new Error('full')
  }
  await expect(setAside(path, { ...NAMES, rescue: () => ({ names: [], toJSON }) })).rejects.toThrow('full')
  expect(await readFile(path, 'utf8')).toBe(broken)
})

test('leaves a file of a newer version as it is', async () => {
  await mkdir(folder)
  const text = '{"version":2,"names":{"other":"form"}}'
  await writeFile(path, text)
  expect(await read(path, NAMES)).toEqual({ state: 'newer', version: 2 })
  await expect(update(path, NAMES, add('one'))).rejects.toThrow(NewerFile)
  expect(await readFile(path, 'utf8')).toBe(text)
  expect(await readdir(folder)).toEqual(['names.json'])
})

test('deletes the file with its empty folder, and writes nothing when nothing changes', async () => {
  await update(path, NAMES, add('one'))
  const before = await stat(path)
  await update(path, NAMES, (file) => file)
  expect((await stat(path)).ino).toBe(before.ino)
  await update(path, NAMES, () => null)
  expect(await readdir(home)).toEqual([])
})

test('creates no folder above its own, unless that is asked for', async () => {
  const deep = join(home, 'deleted', 'state', 'names.json')
  await expect(update(deep, NAMES, add('one'))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await readdir(home)).toEqual([])
  await update(deep, NAMES, add('one'), { createsFolders: true })
  expect(await readCache(deep, NAMES)).toEqual({ names: ['one'] })
})

test('keeps the file when the change fails, and runs the next update', async () => {
  await update(path, NAMES, add('one'))
  const failing = update(path, NAMES, () => {
    throw new Error('no')
  })
  const next = update(path, NAMES, add('two'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toEqual({ names: ['one', 'two'] })
})
