import { expect, test } from 'vitest'
import { Kept } from './kept.ts'

test('forgets the oldest values once all together are too large', () => {
  const kept = new Kept<string>(10)
  kept.set('a', 'A', 4)
  kept.set('b', 'B', 4)
  expect(kept.set('c', 'C', 4)).toBe('C')
  expect(['a', 'b', 'c'].map((key) => kept.get(key))).toEqual([undefined, 'B', 'C'])
  kept.set('huge', 'H', 11)
  expect(kept.get('huge')).toBeUndefined()
  expect(kept.set('d', 'D', 1) && kept.get('d')).toBe('D')
})
