import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aRecord } from '../../testing.ts'
import { openRecords, type Records } from './records.ts'

let directory: string
let path: string
let problems: string[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-records-'))
  path = join(directory, 'state', 'records.jsonl')
  problems = []
})
afterEach(() => rm(directory, { recursive: true }))

const open = (from = 'https://a.example') =>
  openRecords({ path, directory: from, onProblem: (message) => problems.push(message) })
const passed = (name: string, stars = 1) => ({
  record: aRecord(name, { stars, summaryZh: '记忆' }),
  verdict: 'passed' as const,
})
function put(records: Records, name: string, stars?: number) {
  return records.put(name, passed(name, stars))
}

test('what was saved is here again, with what orders it', async () => {
  const records = await open()
  put(records, 'a/b', 3)
  put(records, 'a/c', 7)
  await records.save({ loadedAt: 5 })
  await records.close()
  const again = await open()
  expect([...again.ranks()]).toMatchObject([
    ['a/b', { stars: 3, passed: true }],
    ['a/c', { stars: 7, passed: true }],
  ])
  expect(again.get('a/c')).toEqual(passed('a/c', 7))
  expect(again.facts).toMatchObject({ loadedAt: 5, downloadedAt: null })
  await again.close()
})

test('news is told from what is here already, in memory and in the file', async () => {
  const records = await open()
  expect([put(records, 'a/b'), put(records, 'a/b')]).toEqual([true, false])
  await records.save({})
  expect([put(records, 'a/b'), put(records, 'a/b', 9)]).toEqual([false, true])
  await records.close()
})

test('what changes while it is saved is saved the next time', async () => {
  const records = await open()
  for (let n = 0; n < 100; n++) put(records, `a/n${n}`)
  const saving = records.save()
  put(records, 'a/n5', 99)
  records.delete('a/n6')
  await saving
  expect(records.get('a/n5')?.record.stars).toBe(99)
  await records.close()
  const again = await open()
  expect(again.get('a/n5')?.record.stars).toBe(99)
  expect(again.size).toBe(99)
  await again.close()
})

describe('a file that is not as it was written', () => {
  async function saved(change: (text: string) => string) {
    const records = await open()
    put(records, 'a/b')
    put(records, 'a/c')
    await records.close()
    await writeFile(path, change(await readFile(path, 'utf8')))
    return open()
  }

  test('cut off in a line: the lines before it are good', async () => {
    const records = await saved((text) => text.slice(0, -20))
    expect([records.size, records.get('a/b')?.record.fullName]).toEqual([1, 'a/b'])
    await records.close()
  })

  test.each([
    ['a record of another shape', (text: string) => text.replaceAll('"stars":1', '"stars":"1"')],
    ['a record that is no JSON', (text: string) => text.replaceAll('"stars":1', '"stars:1')],
  ])('%s: none', async (_, change) => {
    const records = await saved(change)
    expect(records.get('a/b')).toBeNull()
    await records.close()
  })

  test.each([
    ['other', (text: string) => text.replace('a.example', 'b.example')],
    ['no', () => '\0\0\0\n\n{}\na/b\t1\t1\t{}\n'],
  ])('of %s directory: empty, and written over', async (_, change) => {
    const records = await saved(change)
    expect(records.size).toBe(0)
    put(records, 'a/d')
    await records.close()
    const again = await open()
    expect([...again.ranks()].map(([key]) => key)).toEqual(['a/d'])
    await again.close()
  })
})

test('a directory that cannot be written is told, and all goes on from memory', async () => {
  await writeFile(join(directory, 'state'), 'a file where the folder would be')
  const records = await open()
  put(records, 'a/b')
  await records.save()
  expect(problems).toEqual([expect.stringContaining('goes on from memory')])
  expect(records.get('a/b')).toEqual(passed('a/b'))
  await records.close()
})

test('no temporary file is left', async () => {
  const records = await open()
  put(records, 'a/b')
  await records.close()
  expect(await readdir(join(directory, 'state'))).toEqual(['records.jsonl'])
})
