import { expect, test } from 'vitest'
import { isOnlySpec, parseSpec, renderSpec, specName, specOfId } from './index.ts'

const textOf = (text: string) => {
  const source = parseSpec(text)
  return source && `${source.kind} ${renderSpec(source)}`
}

test.each([
  ['some-plugin', 'npm some-plugin', false],
  ['@scope/some-plugin@1.2.0-rc.1', 'npm @scope/some-plugin@1.2.0-rc.1', true],
  ['some-plugin@latest', 'npm some-plugin@latest', true],
  [' owner/Repo ', 'github github:owner/Repo', false],
  ['github:owner/repo', 'github github:owner/repo', true],
  ['github:owner/repo#a1b2c3', 'github github:owner/repo#a1b2c3', true],
  ['owner/repo#packages/one', 'github github:owner/repo#packages/one', false],
  ['https://github.com/owner/repo.git', 'github github:owner/repo', false],
  ['github.com/owner/repo', 'github github:owner/repo', false],
  ['git@github.com:owner/repo.git', 'github github:owner/repo', false],
  ['https://github.com/owner/repo/tree/feature/x', 'github github:owner/repo#feature/x', true],
  ['https://github.com/owner/repo/commit/a1b2c3', 'github github:owner/repo#a1b2c3', true],
  ['https://github.com/owner/repo#readme', 'github github:owner/repo', false],
  ['https://github.com/owner/repo?tab=readme-ov-file#install-it', 'github github:owner/repo', false],
  ['https://github.com/owner/repo#v1.0.0', 'github github:owner/repo#v1.0.0', true],
  ['github:owner/repo#path:/packages/one', 'github github:owner/repo#path:/packages/one', true],
  ['some-plugin@^1', 'npm some-plugin@^1', true],
  ['some-plugin@~2.1', 'npm some-plugin@~2.1', true],
  ["dsh plugin add '/home/a$b/plugin'", 'folder /home/a$b/plugin', true],
  ['./my plugin', 'folder ./my plugin', true],
  ['/home/me/my plugin-1.0.0.tgz', 'tarball /home/me/my plugin-1.0.0.tgz', true],
  ['dsh plugin --profile web add "/home/me/my plugin"', 'folder /home/me/my plugin', true],
  ['/home/me/插件', 'folder /home/me/插件', true],
  ['./plugin', 'folder ./plugin', true],
  ['~/plugin-1.0.0.tgz', 'tarball ~/plugin-1.0.0.tgz', true],
  ['plugin.tar.gz', 'tarball plugin.tar.gz', true],
  ['C:\\plugins\\one', 'folder C:\\plugins\\one', true],
  ['dsh plugin --profile web add /home/me/plugin', 'folder /home/me/plugin', true],
])('reads %s as %s', (text, expected, isOnly) => {
  expect(textOf(text)).toBe(expected)
  expect(isOnlySpec(text)).toBe(isOnly)
})

test.each([
  '',
  '--global',
  'two words',
  '/home/me/$(id)',
  "/home/me/it's",
  '/home/me/a;b',
  'file:../plugin',
  'npm:other@1',
  'https://example.com/plugin.tgz',
  'git+ssh://git@host.example/a.git',
  'some-plugin@>=1 <2',
  'some-plugin@npm:other',
  'github:owner/repo#a..b',
  'github:owner/repo#main&path:/packages/one',
  'github:owner/repo#path:/../one',
  'my plugin',
  'github:owner/repo#-x',
  'github:owner/repo/issues',
  'github:owner',
  '/a\u202e/b',
  `/${'a'.repeat(1000)}`,
])('refuses %j', (text) => {
  expect(parseSpec(text)).toBeNull()
  expect(isOnlySpec(text)).toBe(false)
})

test('tells the id of a job without a listing from the name of a listing', () => {
  for (const id of ['owner/repo', 'owner/repo#packages/one']) expect(specOfId(id)).toBeNull()
  const names = ['/home/me/plugin', 'github:owner/repo#a1b2c3', '@scope/some-plugin@1.0.0', './plugin-1.0.0.tgz']
  expect(names.map((id) => specName(specOfId(id)!))).toEqual(['plugin', 'repo', 'some-plugin', 'plugin-1.0.0.tgz'])
})
