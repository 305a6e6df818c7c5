import { expect, test } from 'vitest'
import { readWanted } from './wanted.ts'

test('reads a package.json that an editor on Windows began with a byte order mark', () => {
  expect(readWanted('\uFEFF{"dependencies":{"good":"^1.0.0"}}')).toMatchObject({ wanted: [{ text: 'good@^1.0.0' }] })
})

test('refuses at once what is not a list of plugins, and names the wrong lines of one that is', () => {
  const refusal = { problem: 'other-form', where: '' }
  expect(readWanted('\uFFFDPNG\n\0\0IHDRw\n')).toEqual(refusal)
  expect(readWanted('It is a text of some words.\n'.repeat(6))).toEqual(refusal)
  const list = readWanted('good\nthis is wrong\na/other\n')
  expect(list).toMatchObject({ wanted: [{ text: 'good' }, { text: 'a/other' }], unread: [{ at: '2' }] })
})

test('a lock with a setting that is nested deeper than any of the package manager has another form', () => {
  const lock = { plugmark: 2, harness: null, plugins: [], layers: [], packageManager: null, packages: null }
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const text = JSON.stringify({ ...lock, settings: { overrides: { needed: 0 } } }).replace('0}', `${deep}}`)
  expect(readWanted(text)).toEqual({ problem: 'other-form', where: 'settings.overrides' })
})
