import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ProfileLock } from '../../protocol/index.ts'
import { COMMIT, edited, locksForTests, taken } from './testing.ts'

const { its, commit, planOf, wholeLock } = locksForTests()

let wanted: ProfileLock
beforeEach(async () => {
  wanted = await wholeLock()
})

describe('a sync of a whole lock', () => {
  test.each<[string, (line: string) => string]>([
    [
      'another version',
      (line: string) =>
        line.replace('good: { specifier: ^1.0.0, version: 1.0.0', 'good: { specifier: ^1.0.0, version: 1.0.1'),
    ],
    [
      'another package',
      (line: string) =>
        line.replace('good: { specifier: ^1.0.0, version: 1.0.0', 'good: { specifier: ^1.0.0, version: evil@1.0.0'),
    ],
    ['other bytes', (line: string) => line.replace('sha512-good }', 'sha512-evil }')],
    [
      'an address of its own',
      (line: string) => line.replace('sha512-good }', 'sha512-good, tarball: https://evil.example/x.tgz }'),
    ],
    [
      'another plugin',
      (line: string) =>
        line.replace('    dependencies:', '    dependencies:\n      evil: { specifier: "1", version: 1.0.0 }'),
    ],
    [
      'a repository in place of a registry',
      (line: string) =>
        line.replace('sha512-good }', `sha512-good, type: git, repo: https://evil.example/x.git, commit: ${COMMIT} }`),
    ],
    [
      'a folder in place of a registry',
      (line: string) => line.replace('sha512-good }', 'sha512-good, type: directory, directory: ../x }'),
    ],
    [
      'another package under the name of one',
      (line: string) => line.replace('sha512-other } }', 'sha512-other }, name: evil, version: 6.6.6 }'),
    ],
    [
      'an address where only dependencies are',
      (line: string) =>
        line.replace(
          'good@1.0.0: {}',
          'good@1.0.0: { dependencies: { evil: 1.0.0 } }\n  evil@1.0.0: { resolution: { tarball: https://evil.example/x.tgz } }',
        ),
    ],
    [
      'a folder where only dependencies are',
      (line: string) =>
        line.replace('good@1.0.0: {}', 'good@1.0.0: { dependencies: { evil: file:../x } }\n  evil@file:../x: {}'),
    ],
    [
      'dependencies that pnpm takes in place of those of a snapshot',
      (line: string) => line.replace('sha512-good }', 'sha512-good }, dependencies: { evil: 1.0.0 }'),
    ],
    ...['prototype', '"constructo\\u0072"', '"__prot\\u006f__"', '[evil]'].map(
      (key): [string, (line: string) => string] => [
        `the key ${key}`,
        (line: string) => line.replace('good@1.0.0: {}', `good@1.0.0: { dependencies: { ${key}: other@1.0.0 } }`),
      ],
    ),
    ['what nobody can read', (line: string) => line.replace('packages:', 'packages: {{')],
    ['a key that pnpm merges', (line: string) => line.replace('good@1.0.0: {}', '<<: { optional: true }\n  $&')],
    [
      'an address in what is a comment until pnpm ends its line',
      (line: string) =>
        line.replace('sha512-good } }', '$& #\r  x@1.0.0: { resolution: { tarball: https://evil.example/x.tgz } }'),
    ],
    [
      'a start that pnpm takes for that of another document',
      (line: string) => line.replace(/^lockfile/, '\uFEFF---\n$&'),
    ],
  ])('takes the versions without the packages where these name %s', async (_, change) => {
    const plan = await planOf({ ...wanted, packages: wanted.packages!.map(change).join('\n').split('\n') })
    expect(plan.token).toBe(null)
    expect(plan.unread).toMatchObject([{ at: 'packages', why: 'other-lock' }])
    // A plugin that is off would be on without the lock.
    expect(taken(plan)).toEqual(['install a/good-too 1.0.0'])
  })

  test.each([
    ['an override from an address', { overrides: { needed: 'https://evil.example/x.tgz' } }],
    ['an override from a repository', { overrides: { needed: 'evil/needed' } }],
    ['an override of the harness', { overrides: { '@deepseek-ai/dsh-base': 'npm:evil@1.0.0' } }],
    ['a patch of the harness', { patchedDependencies: { '@deepseek-ai/dsh-base': 'patches/other.patch' } }],
    ['an override of the store', { overrides: { 'x>@plugmark/store@1': 'npm:evil@1.0.0' } }],
    ['a patch of the store', { patchedDependencies: { '@plugmark/store': 'patches/other.patch' } }],
    ['a package from a folder', { packageExtensions: { other: { dependencies: { evil: 'link:../evil' } } } }],
    ['a patch outside of the profile', { patchedDependencies: { other: '../other.patch' } }],
  ])('takes the versions without the packages where its settings have %s', async (_, settings) => {
    expect(await planOf({ ...wanted, settings: { ...wanted.settings, ...settings } })).toMatchObject({
      token: null,
      unread: [{ at: 'packages', text: Object.keys(settings)[0], why: 'other-lock' }],
    })
  })

  test('takes the versions without the packages, and says so, where the profile has a lock of another format', async () => {
    await writeFile(join(its.home.directory, 'pnpm-lock.yaml'), "lockfileVersion: '6.0'\n")
    expect(await planOf(wanted)).toMatchObject({
      token: null,
      unread: [{ at: 'packages', text: 'pnpm-lock.yaml', why: 'other-lock' }],
    })
    expect(await planOf({ ...wanted, packages: null })).toMatchObject({ token: null, unread: [] })
  })

  test('takes the versions without the packages where one needs a commit that no branch or tag of its repository is known to have', async () => {
    const needing = (commit: string) => {
      const far = `https://codeload.github.com/moss/far/tar.gz/${commit}`
      const packages = edited(
        wanted.packages,
        ['packages:', `packages:\n  far@${far}: { resolution: { tarball: '${far}' }, version: 1.0.0 }`],
        ['good-too@1.0.0: {}', `good-too@1.0.0: { dependencies: { far: '${far}' } }\n  far@${far}: {}`],
      )
      return planOf({ ...wanted, packages })
    }
    const unread = [{ at: 'packages', text: expect.stringContaining('far@'), why: 'other-lock' }]
    const there = await commit('moss/far')
    expect((await needing(there)).token).not.toBeNull()
    // The code host serves it, if a fork has it.
    expect(await needing(COMMIT)).toMatchObject({ token: null, unread })
    await rm(join(its.home.home, 'github'), { recursive: true })
    expect(await needing(there)).toMatchObject({ token: null, unread })
  })
})
