import { expect, test } from 'vitest'
import { notStarted } from '../job/outcome.ts'
import { blockedBuilds, partsOf } from './blocked.ts'

const commit = '0a'.repeat(20)

test.each([
  ['a@1.0.0', { name: 'a', version: '1.0.0', commit: null }],
  ['@b/c@2.0.0-rc.1', { name: '@b/c', version: '2.0.0-rc.1', commit: null }],
  ['a', { name: 'a', version: null, commit: null }],
  ['@b/c', { name: '@b/c', version: null, commit: null }],
  ['a@file:../a', { name: 'a', version: null, commit: null }],
  [`a@git+https://git.example/o/a.git#${commit}`, { name: 'a', version: null, commit: null }],
  [`a@git+https://github.com/o/a.git#main`, { name: 'a', version: null, commit: null }],
  ...[`git+https://github.com/o/a.b.git#${commit}`, `https://codeload.github.com/o/a.b/tar.gz/${commit}`].map(
    (address): [string, ReturnType<typeof partsOf>] => [
      `a@${address}`,
      { name: 'a', version: null, commit: { url: 'https://github.com/o/a.b.git', commit } },
    ],
  ),
])('%s', (subject, parts) => {
  expect(partsOf(subject)).toEqual(parts)
})

test('where pnpm does not say its version, it is not known how to allow them', async () => {
  const outcome = notStarted('build-blocked', ['a@1.0.0'])
  const options = { profile: '/', env: { PATH: '/nowhere' }, signal: new AbortController().signal, allowed: null }
  expect(await blockedBuilds(outcome, options)).toEqual({
    setting: null,
    builds: [{ package: 'a', version: '1.0.0', key: 'a@1.0.0', scripts: {} }],
  })
})
