import { expect, test } from 'vitest'
import { behavesAsStorage } from './contract.ts'
import { memoryStorage } from './memory.ts'

test('is a storage', () => behavesAsStorage(memoryStorage()))

test('a value that cannot be stored leaves everything as it was', async () => {
  const storage = memoryStorage()
  await storage.setMany([['a', 1]])
  await expect(
    storage.setMany([
      ['a', 2],
      ['b', () => {}],
    ]),
  ).rejects.toThrow()
  expect(await storage.getMany(['a', 'b'])).toEqual([1, undefined])
})

test('what was read or written can be changed without changing what is stored', async () => {
  const storage = memoryStorage()
  const value = { n: 1 }
  await storage.setMany([['a', value]])
  value.n = 2
  const [read] = (await storage.getMany(['a'])) as [{ n: number }]
  read.n = 3
  expect(await storage.getMany(['a'])).toEqual([{ n: 1 }])
})
