import { expect } from 'vitest'
import type { CatalogueStorage } from '../types.ts'

/** What every storage does, as one story over a storage that is empty. */
export async function behavesAsStorage(storage: CatalogueStorage): Promise<void> {
  expect(await storage.getMany(['a', 'b'])).toEqual([undefined, undefined])

  const record = { schema: 1, message: null, text: 'Ü\ud800\n' }
  await storage.setMany([
    ['a', record],
    ['b', ''],
    ['__proto__', 'x'],
  ])
  expect(await storage.getMany(['b', 'a', 'c', '__proto__', 'a'])).toEqual(['', record, undefined, 'x', record])

  await storage.setMany([
    ['b', undefined],
    ['c', 3],
  ])
  expect(await storage.getMany(['a', 'b', 'c'])).toEqual([record, undefined, 3])

  await Promise.all(['x', 'y', 'z'].map((key) => storage.setMany([[key, key]])))
  expect(await storage.getMany(['x', 'y', 'z', 'c'])).toEqual(['x', 'y', 'z', 3])
}
