import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NewerFile, read, readOptional, update } from './json-file.ts'

const Schema = v.object({ version: v.literal(1), names: v.array(v.string()) })
type Names = v.InferOutput<typeof Schema>
const add = (name: string) => (file: Names | null) => ({ version: 1 as const, names: [...(file?.names ?? []), name] })

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
  expect(await read(path, Schema)).toEqual({ state: 'missing' })
  expect(await update(path, Schema, add('one'))).toEqual({ version: 1, names: ['one'] })
  expect(await read(path, Schema)).toEqual({ state: 'read', value: { version: 1, names: ['one'] } })
  expect(await readdir(folder)).toEqual(['names.json'])
})

test('loses no update of one process', async () => {
  const names = Array.from({ length: 50 }, (_, at) => `name-${at}`)
  await Promise.all(names.map((name) => update(path, Schema, add(name))))
  expect(await readOptional(path, Schema)).toEqual({ version: 1, names })
})

test('loses no update of two processes', async () => {
  const module = fileURLToPath(new URL('./json-file.ts', import.meta.url))
  const program = (letter: string) => `
    const { update } = await import(${JSON.stringify(module)})
    const v = await import(${JSON.stringify(import.meta.resolve('valibot'))})
    const Schema = v.object({ version: v.literal(1), names: v.array(v.string()) })
    for (let at = 0; at < 10; at++)
      await update(${JSON.stringify(path)}, Schema, (file) => ({ version: 1, names: [...(file?.names ?? []), '${letter}' + at] }))`
  const children = ['a', 'b'].map((letter) =>
    spawn(execPath, ['--input-type=module', '--eval', program(letter)], { stdio: 'inherit' }),
  )
  expect(await Promise.all(children.map((child) => once(child, 'exit')))).toEqual([
    [0, null],
    [0, null],
  ])
  const { names } = (await readOptional(path, Schema))!
  expect(names).toHaveLength(20)
  expect(new Set(names).size).toBe(20)
})

test('moves a broken file aside, and says where it is', async () => {
  await mkdir(folder)
  await writeFile(path, '{ "version": 1, "nam')
  expect(await read(path, Schema)).toMatchObject({ state: 'broken' })
  const problems: string[] = []
  await update(path, Schema, add('one'), { onBroken: ({ message }) => problems.push(message) })
  const aside = (await readdir(folder)).find((name) => name.endsWith('.broken'))!
  expect(await readFile(join(folder, aside), 'utf8')).toBe('{ "version": 1, "nam')
  expect(problems).toEqual([`${path} could not be read and is now ${join(folder, aside)}`])
  expect(await readOptional(path, Schema)).toEqual({ version: 1, names: ['one'] })
})

test('leaves a file of a newer version as it is', async () => {
  await mkdir(folder)
  const text = '{"version":2,"names":{"other":"form"}}'
  await writeFile(path, text)
  expect(await read(path, Schema)).toEqual({ state: 'newer', version: 2 })
  await expect(update(path, Schema, add('one'))).rejects.toThrow(NewerFile)
  expect(await readFile(path, 'utf8')).toBe(text)
  expect(await readdir(folder)).toEqual(['names.json'])
})

test('deletes the file with its empty folder, and writes nothing when nothing changes', async () => {
  await update(path, Schema, add('one'))
  const before = await stat(path)
  await update(path, Schema, (file) => file)
  expect((await stat(path)).ino).toBe(before.ino)
  await update(path, Schema, () => null)
  expect(await readdir(home)).toEqual([])
})

test('creates no folder above its own, unless that is asked for', async () => {
  const deep = join(home, 'deleted', 'state', 'names.json')
  await expect(update(deep, Schema, add('one'))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await readdir(home)).toEqual([])
  await update(deep, Schema, add('one'), { createsFolders: true })
  expect(await readOptional(deep, Schema)).toEqual({ version: 1, names: ['one'] })
})

test('keeps the file when the change fails, and runs the next update', async () => {
  await update(path, Schema, add('one'))
  const failing = update(path, Schema, () => {
    throw new Error('no')
  })
  const next = update(path, Schema, add('two'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toEqual({ version: 1, names: ['one', 'two'] })
})
