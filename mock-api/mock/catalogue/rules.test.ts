import { describe, expect, test } from 'vitest'
import type { PackageFixture, RepositoryFixture } from './fixtures.ts'
import { declaresPlugin, rejectionReason, toInstallation } from './rules.ts'

const repository: RepositoryFixture = {
  repository: 'Some-One/thing',
  description: 'Does a thing.',
  language: null,
  license: null,
  stars: 0,
  commits: 10,
  pushedAt: '2026-01-01T00:00:00.000Z',
  packages: [],
}
const manifest = { name: 'thing' }

describe('the admission rule', () => {
  test.for<[string, PackageFixture]>([
    ['a harness manifest', { manifest: { name: 'x', dsh: {} } }],
    ["a dependency on the vendor's packages", { manifest: { name: 'x', dependencies: ['@deepseek-ai/tools'] } }],
    ['a dependency on Cordis', { manifest: { name: 'x', dependencies: ['cordis'] } }],
    ['a peer dependency on a package of Cordis', { manifest: { name: 'x', peerDependencies: ['@cordisjs/core'] } }],
    ['a configuration patch alone', { files: ['cordis.patch.yml'] }],
  ])('accepts as a plugin: %s', ([, fixture]) => {
    expect(declaresPlugin(fixture)).toBe(true)
  })

  test.for<[string, PackageFixture]>([
    [
      'dependencies with similar names',
      { manifest: { name: 'x', dependencies: ['cordis-x', 'deepseek-ai', '@cordis/x'] } },
    ],
    ["another harness's manifest", { manifest: { name: 'x', dependencies: ['otherharness-sdk'] } }],
    ['a directory without package.json or patch', { files: ['README.md'] }],
  ])('does not accept as a plugin: %s', ([, fixture]) => {
    expect(declaresPlugin(fixture)).toBe(false)
  })

  test('lists a package only when it passes every part of the rule', () => {
    const declared: PackageFixture = { manifest: { name: 'x', dsh: {} } }
    expect(rejectionReason(repository, declared)).toBeNull()
    expect(rejectionReason({ ...repository, topics: ['dsh-plugin'] }, { files: ['README.md'] })).toBe('not-a-plugin')
    expect(rejectionReason({ ...repository, commits: 9 }, declared)).toBe('too-few-commits')
    expect(rejectionReason({ ...repository, description: null }, declared)).toBe('no-description')
    expect(rejectionReason({ ...repository, description: ' ' }, declared)).toBe('no-description')
  })
})

describe('the install rule', () => {
  const npm = 'dsh plugin --profile web add @some/thing'
  const github = 'dsh plugin --profile web add github:Some-One/thing'

  test.for<[string, PackageFixture, string, string[]]>([
    [
      'a published package in the root installs by name, or from the repository',
      { manifest, published: '@some/thing' },
      'npm',
      [npm, github],
    ],
    ['an unpublished package in the root installs from the repository', { manifest }, 'github', [github]],
    [
      'a published package in a subdirectory installs by name only',
      { manifest, directory: 'a/b', published: '@some/thing' },
      'npm',
      [npm],
    ],
    ['an unpublished package in a subdirectory has no command', { manifest, directory: 'a/b' }, 'github', []],
    ['an unpublished root without package.json has no command', { files: ['cordis.patch.yml'] }, 'unknown', []],
  ])('derives the commands for %s', ([, fixture, kind, commands]) => {
    const installation = toInstallation(repository, fixture)
    expect(installation.kind).toBe(kind)
    expect(installation.options.map(({ cmd }) => cmd)).toEqual(commands)
  })

  test('notes that a package which is built from the repository waits for approval', () => {
    const [option] = toInstallation(repository, { manifest: { ...manifest, scripts: ['prepare'] } }).options
    expect(option?.note).toContain('approval')
  })
})
