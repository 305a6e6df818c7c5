import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
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
  path = join(directory, 'state', 'records')
  problems = []
})
afterEach(() => rm(directory, { recursive: true }))

const open = (from = 'https://a.example') =>
  openRecords({ path, directory: from, cli: 'dsh', onProblem: (message) => problems.push(message) })
const passed = (name: string, stars = 1) => ({
  record: aRecord(name, { stars, summaryZh: '记忆' }),
  verdict: 'passed' as const,
})
function put(records: Records, name: string, stars?: number) {
  return records.putRecord(name, passed(name, stars)).isNews
}
function keys(records: Records) {
  const byNumber = new Map(Array.from(records.numbers(), ([key, number]) => [number, key]))
  return records.inOrder().map((number) => byNumber.get(number))
}
const listing = (records: Records, key: string) => records.listing(records.numberOf(key)!)
const anIndexRow = (fullName: string) => {
  const { category, install, npmPackage: npm } = aRecord(fullName)
  return { fullName, category, install, path: null, npm }
}
const record = (records: Records, key: string) => records.record(records.numberOf(key)!)

test('what was saved is here again, in order', async () => {
  const records = await open()
  records.putIndexRow('a/a', anIndexRow('a/a'))
  put(records, 'a/b', 3)
  records.putRecord('a/failed', { record: aRecord('a/failed', { stars: 99 }), verdict: 'failed' })
  put(records, 'a/c', 7)
  await records.save({ loadedAt: 5 })
  await records.close()
  const again = await open()
  expect(keys(again)).toEqual(['a/c', 'a/b', 'a/failed', 'a/a'])
  const facts = again.inOrder().map((number) => [again.hasRecord(number), again.hasPassed(number)])
  expect(facts).toEqual([
    [true, true],
    [true, true],
    [true, false],
    [false, false],
  ])
  expect(record(again, 'a/c')).toEqual(passed('a/c', 7))
  expect(listing(again, 'a/c')).toMatchObject({ id: 'a/c', stars: 7, installable: true, described: true })
  expect(again.facts).toMatchObject({ loadedAt: 5, downloadedAt: null })
  expect(again.size).toBe(3)
  await again.close()
})

test('an index row is a listing without a record, until the record is seen', async () => {
  const records = await open()
  records.putIndexRow('a/b', anIndexRow('a/b'))
  await records.close()
  const again = await open()
  expect(listing(again, 'a/b')).toMatchObject({ id: 'a/b', npmPackage: 'b', described: false, installable: true })
  expect([record(again, 'a/b'), again.size]).toEqual([null, 0])
  put(again, 'a/b')
  expect(again.putIndexRow('a/b', anIndexRow('a/b')).isNews).toBe(false)
  expect(listing(again, 'a/b')).toMatchObject({ described: true })
  await again.close()
})

test('those published under a name are found, after a start too', async () => {
  const records = await open()
  for (const id of ['a/b', 'c/b', 'a/d']) records.putIndexRow(id, anIndexRow(id))
  records.putIndexRow('a/none', { ...anIndexRow('a/none'), npm: null })
  put(records, 'a/b')
  await records.close()
  const again = await open()
  const found = (name: string) => again.published(name).map(({ id }) => id)
  expect([found('b').toSorted(), found('d'), found(''), found('e')]).toEqual([['a/b', 'c/b'], ['a/d'], [], []])
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
  expect(record(records, 'a/n5')?.record.stars).toBe(99)
  await records.close()
  const again = await open()
  expect(record(again, 'a/n5')?.record.stars).toBe(99)
  expect([again.size, again.numberOf('a/n6')]).toEqual([99, undefined])
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
    expect([records.size, record(records, 'a/b')?.record.fullName]).toEqual([1, 'a/b'])
    await records.close()
  })

  test.each([
    ['a record of another shape', (text: string) => text.replaceAll('"stars":1', '"stars":"1"')],
    ['a record that is no JSON', (text: string) => text.replaceAll('"stars":1', '"stars:1')],
  ])('%s: none', async (_, change) => {
    const records = await saved(change)
    expect(record(records, 'a/b')).toBeNull()
    await records.close()
  })

  test.each([
    ['other', (text: string) => text.replace('a.example', 'b.example')],
    ['no', () => '\0\0\0\n\n{}\na/b\t1\t1\t{}\n'],
    ['another program of the', (text: string) => text.replace('"dsh"', '"dsx"')],
  ])('of %s directory: empty, and written over', async (_, change) => {
    const records = await saved(change)
    expect(records.size).toBe(0)
    put(records, 'a/d')
    await records.close()
    const again = await open()
    expect(keys(again)).toEqual(['a/d'])
    await again.close()
  })
})

describe('what is new is added to the file', () => {
  const MANY = 200
  async function kept() {
    const records = await open()
    for (let n = 0; n < MANY; n++) put(records, `a/n${n}`)
    await records.save()
    return records
  }
  const file = () => stat(path)

  test('alone: the rest is not written again', async () => {
    const records = await kept()
    const before = await file()
    put(records, 'a/n7', 99)
    put(records, 'a/new', 50)
    await records.save({ loadedAt: 5 })
    expect((await file()).ino).toBe(before.ino)
    expect((await file()).size - before.size).toBeLessThan(before.size / 20)
    expect(record(records, 'a/n7')?.record.stars).toBe(99)
    await records.close()
    const again = await open()
    expect(keys(again).slice(0, 3)).toEqual(['a/n7', 'a/new', 'a/n0'])
    expect([again.size, again.facts.loadedAt]).toEqual([MANY + 1, 5])
    await again.close()
  })

  test('and so is what is gone, also of what comes again after it', async () => {
    const records = await kept()
    const before = await file()
    for (const key of ['a/n1', 'a/n2', 'a/n3']) records.delete(key)
    put(records, 'a/n2', 3)
    await records.save()
    put(records, 'a/n3', 4)
    await records.close()
    expect((await file()).ino).toBe(before.ino)
    const again = await open()
    expect([again.numberOf('a/n1'), again.size]).toEqual([undefined, MANY - 1])
    expect(['a/n2', 'a/n3'].map((key) => record(again, key)?.record.stars)).toEqual([3, 4])
    await again.close()
  })

  test('cut off anywhere in that: all from before is here, and what is saved next is whole', async () => {
    const records = await kept()
    const before = await file()
    put(records, 'a/n7', 99)
    records.delete('a/n8')
    await records.close()
    const bytes = await readFile(path)
    for (let end = before.size; end < bytes.length; end += 5) {
      await writeFile(path, bytes.subarray(0, end))
      const cut = await open()
      expect([1, 99]).toContain(record(cut, 'a/n7')?.record.stars)
      const here = keys(cut)
      expect(here.length).toBeGreaterThanOrEqual(MANY - 1)
      put(cut, 'a/after')
      await cut.close()
      const again = await open()
      expect(keys(again).toSorted()).toEqual([...here, 'a/after'].toSorted())
      expect([...again.numbers()].filter(([, number]) => again.record(number) === null)).toEqual([])
      await again.close()
    }
  })

  test('unless another process did meanwhile: then the file is replaced, and is good', async () => {
    const [one, other] = [await kept(), await open()]
    put(one, 'a/one')
    put(other, 'a/other')
    await one.save()
    const before = await file()
    await other.save()
    expect((await file()).ino).not.toBe(before.ino)
    put(one, 'a/one-more')
    await one.close()
    await other.close()
    const again = await open()
    expect([again.size, record(again, 'a/one-more')]).toEqual([MANY + 2, passed('a/one-more')])
    await again.close()
    expect(problems).toEqual([])
  })

  test('nor to one of the same length in its place', async () => {
    const [one, other] = [await kept(), await open()]
    const { size } = await file()
    put(other, 'a/n7', 2)
    await other.save()
    await other.compact()
    expect((await file()).size).toBe(size)
    put(one, 'a/one')
    await one.save()
    expect(record(one, 'a/one')).toEqual(passed('a/one'))
    await one.close()
    await other.close()
  })

  test('as long as the file is at most twice as long as what it holds', async () => {
    const records = await kept()
    const { size } = await file()
    for (let stars = 2; stars < 3 * MANY; stars++) {
      put(records, 'a/n7', stars)
      await records.save()
    }
    expect((await file()).size).toBeLessThan(2.1 * size)
    expect(record(records, 'a/n7')?.record.stars).toBe(3 * MANY - 1)
    await records.close()
  })

  test('until it is made compact: in order, and each listing once', async () => {
    const records = await kept()
    put(records, 'a/n7', 99)
    await records.save()
    await records.compact()
    const lines = (await readFile(path, 'utf8')).split('\n')
    expect([lines.length, lines[1]?.split('\t')[0]]).toEqual([MANY + 2, 'a/n7'])
    expect(record(records, 'a/n7')?.record.stars).toBe(99)
    const before = await file()
    await records.compact()
    expect((await file()).ino).toBe(before.ino)
    await records.close()
  })
})

test('a directory that cannot be written is told, and all goes on from memory', async () => {
  await writeFile(join(directory, 'state'), 'a file where the folder would be')
  const records = await open()
  put(records, 'a/b')
  await records.save()
  expect(problems).toEqual([expect.stringContaining('goes on from memory')])
  expect(record(records, 'a/b')).toEqual(passed('a/b'))
  await records.close()
})

test('a write that fails loses nothing, and the next one writes it', async () => {
  const records = await open()
  put(records, 'a/b')
  put(records, 'a/c')
  await records.save()
  put(records, 'a/b', 9)
  await rename(join(directory, 'state'), join(directory, 'away'))
  await writeFile(join(directory, 'state'), 'in its place')
  const saving = records.save()
  put(records, 'a/d')
  records.delete('a/c')
  await saving
  expect(problems).toHaveLength(1)
  expect(record(records, 'a/b')?.record.stars).toBe(9)
  await rm(join(directory, 'state'))
  await rename(join(directory, 'away'), join(directory, 'state'))
  await records.close()
  const again = await open()
  expect(keys(again).toSorted()).toEqual(['a/b', 'a/d'])
  expect(record(again, 'a/b')?.record.stars).toBe(9)
  await again.close()
})

test('no temporary file is left', async () => {
  const records = await open()
  put(records, 'a/b')
  await records.close()
  expect(await readdir(join(directory, 'state'))).toEqual(['records'])
})
