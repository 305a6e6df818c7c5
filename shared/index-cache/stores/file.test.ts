import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inProcessLock } from '../../async/index.ts'
import { createIndexCache } from '../index.ts'
import { edition } from '../testing.ts'
import { fileStore } from './file.ts'
import { describeStore, repository } from './store-contract-testing.ts'

let parent: string
let folder: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'plugmark-store-'))
  folder = join(parent, 'not there yet')
})
afterEach(() => rm(parent, { recursive: true }))

describeStore(() => fileStore({ folder }))

test('leaves index.json and state.json, and no temporary file', async () => {
  const store = fileStore({ folder })
  await store.replace([repository('moss/field')], { n: 1 })
  await expect(store.saveState({ n: 2n })).rejects.toThrow('BigInt')
  await store.saveState({ n: 3 })
  expect((await readdir(folder)).toSorted()).toEqual(['index.json', 'state.json'])
})

test('leaves a whole index when the process is killed while it writes', async () => {
  const module = fileURLToPath(new URL('./file.ts', import.meta.url))
  const program = `
    const { fileStore } = await import(${JSON.stringify(module)})
    const store = fileStore({ folder: ${JSON.stringify(folder)} })
    const state = await store.load()
    for (let n = (state?.n ?? 0) + 1; ; n++) {
      await store.replace(Array.from({ length: 64 }, (_, at) => ['a/' + at, [{ n, text: 'x'.repeat(20_000) }]]), { n })
      console.log(n)
    }`
  let last = 0
  for (let kill = 0; kill < 4; kill++) {
    const child = spawn(execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface(child.stdout)
    for (let writes = 0; writes <= kill; writes++) [last] = (await once(lines, 'line')).map(Number) as [number]
    child.kill('SIGKILL')
    await once(child, 'exit')
    const written = new Set<number>()
    await fileStore({ folder }).forEach((_, listings) => void written.add((listings as [{ n: number }])[0].n))
    const [n, ...others] = written
    expect(others).toEqual([])
    expect(n).toBeGreaterThanOrEqual(last)
    // A crash between the two files leaves the state one index behind, and never ahead.
    expect(n! - ((await fileStore({ folder }).load()) as { n: number }).n).toBeOneOf([0, 1])
  }
})

test.each([
  ['state.json', '{"schema":'],
  ['index.json', '[["moss/field",'],
  ['index.json', '{}'],
  ['index.json', '[]'],
  ['index.json', `${'0'.repeat(64)}\n[["moss/field",[]],["moss/fern",[]]]`],
])('makes the cache fetch the index again and keep it after damage to %s: %s', async (file, text) => {
  let requests = 0
  let time = Date.UTC(2026, 8, 2)
  const open = () =>
    createIndexCache({
      fetchIndex: async () => {
        requests++
        return edition(1)
      },
      now: () => time,
      store: fileStore({ folder }),
      lock: inProcessLock(),
    })
  const visit = async () => {
    const cache = open()
    const found = new Set<string>()
    await cache.eachRepository((name) => found.add(name))
    const status = await cache.refresh()
    if (found.size === 0) await cache.eachRepository((name) => found.add(name))
    return { found: found.size, status }
  }
  await visit()
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, file), text)
  time += 120_000
  for (let process = 0; process < 2; process++)
    expect(await visit()).toMatchObject({ found: 2, status: { state: 'fresh', isSaved: true } })
  expect(requests).toBe(2)
})
