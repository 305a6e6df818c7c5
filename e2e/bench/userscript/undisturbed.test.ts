import { expect, test } from 'vitest'
import { undisturbed } from './undisturbed.ts'

test('each part counts with its least', () => {
  expect(
    undisturbed([
      [26, 52, 51],
      [53, 25, 54],
      [27, 26, 50],
    ]),
  ).toEqual([26, 25, 50])
})

test('parts that cannot be told apart are not compared', () => {
  expect(() => undisturbed([[26, 52], [53]])).toThrow('not the same parts')
})
