import { readFile, stat, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { inFolder, keys, passed, put, record } from './testing.ts'

const { at, open } = inFolder()

describe('what is new is added to the file', () => {
  const MANY = 200
  async function kept() {
    const records = await open()
    for (let n = 0; n < MANY; n++) put(records, `a/n${n}`)
    await records.save()
    return records
  }
  const file = () => stat(at.path)

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
    const bytes = await readFile(at.path)
    for (let end = before.size; end < bytes.length; end += 5) {
      await writeFile(at.path, bytes.subarray(0, end))
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
    expect(at.problems).toEqual([])
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
    const lines = (await readFile(at.path, 'utf8')).split('\n')
    expect([lines.length, lines[1]?.split('\t')[0]]).toEqual([MANY + 2, 'a/n7'])
    expect(record(records, 'a/n7')?.record.stars).toBe(99)
    const before = await file()
    await records.compact()
    expect((await file()).ino).toBe(before.ino)
    await records.close()
  })
})
