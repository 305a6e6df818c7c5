import { expect, test } from 'vitest'
import { declaresPlugin, refusalOf } from './admission.ts'
import type { PackageFacts, RepositoryFacts } from './facts.ts'

const repository: RepositoryFacts = {
  repository: 'someone/something',
  description: 'Does a thing.',
  language: null,
  license: null,
  stars: 0,
  commits: 10,
  pushedAt: '2026-01-01T00:00:00.000Z',
  packages: [],
}
const declared: PackageFacts = { manifest: { name: 'x', dsh: {} } }

test.for<[string, PackageFacts, boolean]>([
  ['a harness manifest', { manifest: { name: 'x', dsh: {} } }, true],
  ["a dependency on the vendor's packages", { manifest: { name: 'x', dependencies: ['@deepseek-ai/tools'] } }, true],
  ['a dependency on Cordis', { manifest: { name: 'x', dependencies: ['cordis'] } }, true],
  ['a peer dependency on a package of Cordis', { manifest: { name: 'x', peerDependencies: ['@cordisjs/core'] } }, true],
  ['a configuration patch alone', { files: ['cordis.patch.yml'] }, true],
  [
    'names that begin alike',
    { manifest: { name: 'x', dependencies: ['cordis-x', 'deepseek-ai', '@cordis/x'] } },
    false,
  ],
  ["another harness's manifest", { manifest: { name: 'x', dependencies: ['otherharness-sdk'] } }, false],
  ['nothing', { files: ['README.md'] }, false],
])('%s: %o', ([, facts, expected]) => {
  expect(declaresPlugin(facts)).toBe(expected)
})

test('all rules must hold', () => {
  expect(refusalOf(repository, declared)).toBeNull()
  expect(refusalOf({ ...repository, topics: ['dsh-plugin'] }, { files: ['README.md'] })).toBe('not-a-plugin')
  expect(refusalOf({ ...repository, commits: 9 }, declared)).toBe('too-few-commits')
  expect(refusalOf({ ...repository, description: null }, declared)).toBe('no-description')
  expect(refusalOf({ ...repository, description: ' ' }, declared)).toBe('no-description')
})
