import { expect, test } from 'vitest'
import { repositoryOf, specKey, specOf, tiedTo } from './source.ts'

const key = (source: string, name = 'some-plugin') => {
  const spec = specOf(name, source)
  return spec && specKey(spec)
}

test.each([
  ['^1.2.0', 'some-plugin'],
  ['1.2.0', 'some-plugin'],
  ['>=1 <3 || *', 'some-plugin'],
  ['latest', 'some-plugin'],
  ['github:Owner/Some.Plugin', 'github:owner/some.plugin'],
  ['owner/some-plugin', 'github:owner/some-plugin'],
  ['git+https://github.com/owner/some-plugin.git', 'github:owner/some-plugin'],
  ['git+ssh://git@github.com/owner/some-plugin.git', 'github:owner/some-plugin'],
  ['github:owner/some-plugin#a1b2c3', null],
  ['git+https://github.com/owner/some-plugin.git#main', null],
  ['git+https://git.example/owner/some-plugin.git', null],
  ['git+ssh://git@private.example/some-plugin.git', null],
  ['https://example.com/owner/some-plugin.tgz', null],
  ['npm:other-plugin@^1.0.0', null],
  ['link:../some-plugin', null],
  ['file:../some-plugin', null],
  ['./some-plugin', null],
  ['../owner/some-plugin', null],
  ['workspace:*', null],
  ['catalog:', null],
])('%s is %s', (source, expected) => {
  expect(key(source)).toBe(expected)
})

test('a name that no command can carry is of no source', () => {
  expect(key('^1.0.0', 'Some-Plugin')).toBeNull()
})

test('a repository is the same at any commit', () => {
  for (const source of [
    'github:Owner/Some-Plugin#a1b2c3',
    'https://codeload.github.com/owner/some-plugin/tar.gz/abc',
    'git+ssh://git@github.com/owner/some-plugin.git#main',
  ])
    expect(repositoryOf(source)).toBe('owner/some-plugin')
  expect(repositoryOf('^1.0.0')).toBeNull()
})

test('a spec is tied to what comes from the very source it names', () => {
  const npm = { kind: 'npm', name: 'one' } as const
  const github = { kind: 'github', owner: 'a', repo: 'One' } as const
  expect(tiedTo(npm, { two: '^1.0.0', one: '^1.0.0' })).toEqual({ name: 'one' })
  expect(tiedTo(npm, { one: 'git+ssh://git@private.example/one.git' })).toBe('other-source')
  expect(tiedTo(npm, { one: 'github:a/one' })).toBe('other-source')
  expect(tiedTo(npm, { alias: 'npm:one@1' })).toBeNull()
  expect(tiedTo(github, { 'named-otherwise': 'github:A/one' })).toEqual({ name: 'named-otherwise' })
  expect(tiedTo(github, { one: 'github:a/one#a1b2c3' })).toBe('other-source')
  expect(tiedTo(github, { one: '^1.0.0' })).toBeNull()
})
