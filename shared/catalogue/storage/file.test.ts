import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCatalogue, inProcessLock } from '../index.ts'
import { behavesAsStorage } from './contract.ts'
import { fileStorage } from './file.ts'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-storage-'))
  path = join(directory, 'not there yet', 'index.json')
})
afterEach(() => rm(directory, { recursive: true }))

test('is a storage, and leaves one file', async () => {
  await behavesAsStorage(fileStorage({ path }))
  expect(await readdir(join(directory, 'not there yet'))).toEqual(['index.json'])
})

test('another storage over the same file finds what was written', async () => {
  await fileStorage({ path }).setMany([['a', 1]])
  expect(await fileStorage({ path }).getMany(['a'])).toEqual([1])
})

test('a process that is killed while it writes leaves a whole state', async () => {
  const module = fileURLToPath(new URL('./file.ts', import.meta.url))
  const program = `
    const { fileStorage } = await import(${JSON.stringify(module)})
    const storage = fileStorage({ path: ${JSON.stringify(path)} })
    const [from] = await storage.getMany(['0'])
    for (let n = (from?.n ?? 0) + 1; ; n++) {
      await storage.setMany(Array.from({ length: 64 }, (_, key) => [String(key), { n, text: 'x'.repeat(20_000) }]))
      console.log(n)
    }`
  let last = 0
  for (let kill = 0; kill < 4; kill++) {
    const child = spawn(execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface(child.stdout)
    for (let writes = 0; writes <= kill; writes++) [last] = (await once(lines, 'line')).map(Number) as [number]
    child.kill('SIGKILL')
    await once(child, 'exit')
    const values = await fileStorage({ path }).getMany(Array.from({ length: 64 }, (_, key) => String(key)))
    const written = new Set(values.map((value) => (value as { n: number }).n))
    expect(written.size).toBe(1)
    expect([...written][0]).toBeGreaterThanOrEqual(last)
  }
})

test('a write that fails leaves the old values and no temporary file', async () => {
  const storage = fileStorage({ path })
  await storage.setMany([['a', 1]])
  await expect(storage.setMany([['a', 2n]])).rejects.toThrow('BigInt')
  await expect(fileStorage({ path: join(path, 'below a file') }).setMany([['a', 1]])).rejects.toThrow()
  await storage.setMany([['b', 2]])
  expect(await storage.getMany(['a', 'b'])).toEqual([1, 2])
  expect(await readdir(join(directory, 'not there yet'))).toEqual(['index.json'])
})

test.each([['{"a":1}'], ['[["a",'], ['']])('a damaged file is told of and replaced: %s', async (text) => {
  await mkdir(join(directory, 'not there yet'))
  await writeFile(path, text)
  const storage = fileStorage({ path })
  await expect(storage.getMany(['a'])).rejects.toThrow(`${path} is damaged; it is replaced at the next refresh.`)
  await storage.setMany([['a', 1]])
  expect(await storage.getMany(['a'])).toEqual([1])
})

test('a catalogue over a damaged file fetches a new copy and keeps it', async () => {
  await mkdir(join(directory, 'not there yet'))
  await writeFile(path, '[["copy", {"sch')
  let requests = 0
  const fetchIndex = async () => {
    requests++
    const fields = ['fullName', 'category', 'install', 'path', 'npm']
    const plugins = [['moss/field', null, null, null, null]]
    return { generated: '2026-09-01T00:00:00.000Z', count: 1, site: 'https://directory.example', fields, plugins }
  }
  const now = () => Date.UTC(2026, 8, 2)
  for (let process = 0; process < 2; process++) {
    const catalogue = createCatalogue({ fetchIndex, now, storage: fileStorage({ path }), lock: inProcessLock() })
    expect(await catalogue.byRepository('Moss/Field')).toHaveLength(1)
    expect(await catalogue.status()).toMatchObject({ state: 'fresh', isSaved: true })
  }
  expect(requests).toBe(1)
})
