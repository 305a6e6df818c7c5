import { expect, test } from 'vitest'
import { together, undisturbed } from './undisturbed.ts'

test('each part counts with its least', () => {
  expect(
    undisturbed([
      [26, 52, 51],
      [53, 25, 54],
      [27, 26, 50],
    ]),
  ).toEqual([26, 25, 50])
})

test('parts are taken together, the rest of them too', () => {
  expect(together([1, 2, 3, 4, 5], 2)).toEqual([3, 7, 5])
})

test('parts that cannot be told apart are not compared', () => {
  expect(() => undisturbed([[26, 52], [53]])).toThrow('not the same parts')
})
