import { expect, test } from 'vitest'
import { readWanted } from './wanted.ts'

test('reads a package.json that an editor on Windows began with a byte order mark', () => {
  expect(readWanted('\uFEFF{"dependencies":{"good":"^1.0.0"}}')).toMatchObject({ wanted: [{ text: 'good@^1.0.0' }] })
})

test('a lock with a setting that is nested deeper than any of the package manager has another form', () => {
  const lock = { plugmark: 2, harness: null, plugins: [], layers: [], packageManager: null, packages: null }
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const text = JSON.stringify({ ...lock, settings: { overrides: { needed: 0 } } }).replace('0}', `${deep}}`)
  expect(readWanted(text)).toEqual({ problem: 'other-form', where: 'settings.overrides' })
})
