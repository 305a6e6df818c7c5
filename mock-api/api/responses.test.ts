import { expect, test } from 'vitest'
import { Kept } from './responses.ts'

test('forgets the oldest values once all together are too large', () => {
  const kept = new Kept<string>(10)
  kept.set('a', 'A', 3)
  kept.set('b', 'B', 3)
  expect(kept.set('c', 'C', 3)).toBe('C')
  expect(['a', 'b', 'c'].map((key) => kept.get(key))).toEqual([undefined, 'B', 'C'])
  kept.set('huge', 'H', 11)
  expect(kept.get('huge')).toBeUndefined()
  expect(kept.set('d', 'D', 1) && kept.get('d')).toBe('D')
})

test('counts the keys too, which a client chooses', () => {
  const kept = new Kept<string>(10)
  kept.set('a'.repeat(8), 'A', 1)
  kept.set('b'.repeat(8), 'B', 1)
  expect([kept.get('a'.repeat(8)), kept.get('b'.repeat(8))]).toEqual([undefined, 'B'])
})
