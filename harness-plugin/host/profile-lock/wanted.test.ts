import { expect, test } from 'vitest'
import { readWanted } from './wanted.ts'

test('reads a package.json that an editor on Windows began with a byte order mark', () => {
  expect(readWanted('\uFEFF{"dependencies":{"good":"^1.0.0"}}')).toMatchObject({ wanted: [{ text: 'good@^1.0.0' }] })
})
