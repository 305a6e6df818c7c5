import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aRecord } from '../../testing.ts'
import type { Records } from './records.ts'
import { inFolder, keys, passed, put, record } from './testing.ts'

const { at, open } = inFolder()

const listing = (records: Records, key: string) => records.listing(records.numberOf(key)!)
const anIndexRow = (fullName: string) => {
  const { category, install, npmPackage: npm } = aRecord(fullName)
  return { fullName, category, install, path: null, npm }
}

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

test.each([
  ['is longer than what is read at once', { summary: '文'.repeat(700_000) }],
  ['has more stars than can be counted', { stars: 1e300 }],
])('a listing that %s costs no other', async (_, change) => {
  const records = await open()
  put(records, 'a/b', 3)
  records.putRecord('a/odd', { record: aRecord('a/odd', { stars: 2, ...change }), verdict: 'passed' })
  put(records, 'a/c', 1)
  await records.close()
  const again = await open()
  expect(keys(again).toSorted()).toEqual(['a/b', 'a/c', 'a/odd'])
  expect(listing(again, 'a/odd')).toMatchObject({ id: 'a/odd', ...change })
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
    await writeFile(at.path, change(await readFile(at.path, 'utf8')))
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

test('a directory that cannot be written is told, and all goes on from memory', async () => {
  await writeFile(join(at.directory, 'state'), 'a file where the folder would be')
  const records = await open()
  put(records, 'a/b')
  await records.save()
  expect(at.problems).toEqual([expect.stringContaining('goes on from memory')])
  expect(record(records, 'a/b')).toEqual(passed('a/b'))
  await records.close()
})

test('a write that fails loses nothing, and the next one writes it', async () => {
  const records = await open()
  put(records, 'a/b')
  put(records, 'a/c')
  await records.save()
  put(records, 'a/b', 9)
  await rename(join(at.directory, 'state'), join(at.directory, 'away'))
  await writeFile(join(at.directory, 'state'), 'in its place')
  const saving = records.save()
  put(records, 'a/d')
  records.delete('a/c')
  await saving
  expect(at.problems).toHaveLength(1)
  expect(record(records, 'a/b')?.record.stars).toBe(9)
  await rm(join(at.directory, 'state'))
  await rename(join(at.directory, 'away'), join(at.directory, 'state'))
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
  expect(await readdir(join(at.directory, 'state'))).toEqual(['records'])
})
