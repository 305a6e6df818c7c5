import { expect, test } from 'vitest'
import {
  findDependency,
  findListedDependency,
  installedSpecKeys,
  parseDependency,
  repositoryOf,
  specKey,
} from './dependency.ts'

const key = (source: string, name = 'some-plugin') => {
  const spec = parseDependency(name, source)
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
  ['github:owner/some-plugin#a1b2c3d', null],
  ['github:owner/some-plugin#facade', 'github:owner/some-plugin#facade'],
  ['git+https://github.com/owner/some-plugin.git#main', 'github:owner/some-plugin#main'],
  ['github:owner/repo#path:/packages/part', 'github:owner/repo#path:/packages/part'],
  ['github:owner/repo#path:packages/part/', 'github:owner/repo#path:/packages/part'],
  ['git+https://github.com/owner/repo.git#feat/x&path:/part', 'github:owner/repo#feat/x&path:/part'],
  ['github:owner/repo#path:/../part', null],
  ['github:owner/repo#semver:^1.0.0', null],
  ['github:owner/repo#a&b', null],
  ['https://github.com/owner/repo/archive/refs/tags/v1.0.0.tar.gz', null],
  [`https://github.com/owner/repo/archive/${'a1'.repeat(20)}.tar.gz`, null],
  ['https://github.com/owner/repo/releases/download/v1/other.tgz', null],
  [`https://codeload.github.com/owner/repo/tar.gz/${'a1'.repeat(20)}`, null],
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
])('returns the key of %s: %s', (source, expected) => {
  expect(key(source)).toBe(expected)
})

test('finds no source for a name that no command can contain', () => {
  expect(key('^1.0.0', 'Some-Plugin')).toBeNull()
})

test('finds the same repository at any commit', () => {
  for (const source of [
    'github:Owner/Some-Plugin#a1b2c3d',
    'https://codeload.github.com/owner/some-plugin/tar.gz/abc',
    'git+ssh://git@github.com/owner/some-plugin.git#main',
  ])
    expect(repositoryOf(source)).toBe('owner/some-plugin')
  expect(repositoryOf('^1.0.0')).toBeNull()
})

test('matches a spec only with a dependency from the source that it names', () => {
  const npm = { kind: 'npm', name: 'one' } as const
  const github = { kind: 'github', owner: 'a', repo: 'One' } as const
  expect(findDependency(npm, { two: '^1.0.0', one: '^1.0.0' })).toEqual({ name: 'one' })
  expect(findDependency(npm, { one: 'git+ssh://git@private.example/one.git' })).toBe('other-source')
  expect(findDependency(npm, { one: 'github:a/one' })).toBe('other-source')
  expect(findDependency(npm, { alias: 'npm:one@1' })).toBeNull()
  expect(findDependency(github, { 'named-otherwise': 'github:A/one' })).toEqual({ name: 'named-otherwise' })
  expect(findDependency(github, { one: 'github:a/one#a1b2c3d' })).toBe('other-source')
  expect(findDependency(github, { one: '^1.0.0' })).toBeNull()
})

test('finds the dependency of a spec among near misses', () => {
  const github = { kind: 'github', owner: 'o', repo: 'r' } as const
  for (const near of ['github:o/r#path:packages/a', 'github:o/r#a1b2c3d', 'git+ssh://git@github.com/o/r.git#main'])
    expect(findDependency(github, { a: near, r: 'github:o/r' })).toEqual({ name: 'r' })
})

test('returns the sources of the layers of a profile, whatever their ranges', () => {
  const dependencies = {
    tagged: 'latest',
    ranged: '>=1 <3',
    starred: '*',
    kite: 'Owner/Kite',
    pinned: 'github:owner/pinned#a1b2c3d',
    private: 'git+https://git.example/private.git',
    merely: '^1.0.0',
  }
  const layers = Object.keys(dependencies).filter((name) => name !== 'merely')
  expect([...installedSpecKeys({ layers, dependencies })]).toEqual(['tagged', 'ranged', 'starred', 'github:owner/kite'])
})

test('finds the plugin of a listing at any branch, and of a folder only by its own listing', () => {
  const dependencies = { root: 'github:o/r#main', part: 'github:O/r#path:/packages/part', other: '^1.0.0' }
  const find = (fullName: string) =>
    findListedDependency({ fullName, npmPackage: null, specKey: null }, dependencies)?.name
  expect(find('o/r')).toBe('root')
  expect(find('o/r#packages/part')).toBe('part')
  expect(find('o/r#packages/other')).toBeUndefined()
  expect([...installedSpecKeys({ layers: Object.keys(dependencies), dependencies })]).toEqual([
    'github:o/r',
    'github:o/r#packages/part',
    'other',
  ])
})
