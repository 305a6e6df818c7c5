import { expect, test } from 'vitest'
import { findNode, isNewEnough } from './node.mjs'

test.each([
  ['20.20.2', false],
  ['22.18.0', false],
  ['22.19.0', true],
  ['24.0.0', true],
])('Node %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})

test('where the lockfile brings no Node, the one that runs now does', () => {
  const elsewhere = { root: '/nowhere/', platform: 'darwin', arch: 'arm64' } as const
  expect(findNode(elsewhere)).toBe(process.execPath)
})
