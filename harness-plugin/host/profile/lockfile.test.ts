import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aHome } from '../testing.ts'
import { packageDifferences, parsePackageId, readLockfilePackages, withLockedFolders } from './lockfile.ts'

let home: Awaited<ReturnType<typeof aHome>>
beforeEach(async () => {
  home = await aHome()
})
afterEach(() => home.dispose())

// A lockfile in the format of pnpm 10.34.
const lock = (packages: string) => `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      one:
        specifier: ^1.0.0
        version: 1.0.0

packages:

${packages}
snapshots:

  one@1.0.0: {}
`
const ONE = '  one@1.0.0:\n    resolution: {integrity: sha512-aa==}\n'
const GIT = `  two@git+https://github.com/o/two.git#${'0a'.repeat(20)}:
    resolution: {commit: ${'0a'.repeat(20)}, repo: https://github.com/o/two.git, type: git}
    version: 0.9.0
`

async function packages(text: string) {
  await writeFile(join(home.directory, 'pnpm-lock.yaml'), text)
  return readLockfilePackages(home.directory)
}

test('reads integrities and commits, and skips local files', async () => {
  const local = ["'local@file:../local'", 'packed@file:../packed.tgz'].map(
    (key) => `  ${key}:\n    resolution: {integrity: sha512-bb==}\n`,
  )
  const read = await packages(lock([ONE, GIT, ...local].join('\n')))
  expect([...(read?.keys() ?? [])]).toEqual(['one@1.0.0', expect.stringMatching(/^two@git/)])
  expect(read?.get('one@1.0.0')).toBe('{"integrity":"sha512-aa=="}')
})

test('finds packages that only one lockfile has, and packages that differ under the same name', async () => {
  const one = await packages(lock(ONE))
  expect(packageDifferences(one, await packages(lock(ONE)))).toEqual([])
  expect(packageDifferences(one, await packages(lock(ONE.replace('aa==', 'cc=='))))).toEqual(['one@1.0.0'])
  expect(packageDifferences(one, await packages(lock(ONE + GIT)))).toEqual([expect.stringMatching(/^two@/)])
})

test('finds no packages in a missing, unreadable or empty lockfile', async () => {
  expect(await readLockfilePackages(home.directory)).toBeNull()
  expect(await packages('packages: [')).toBeNull()
  expect(packageDifferences(null, await packages("lockfileVersion: '9.0'\n"))).toEqual([])
})

const commit = '0a'.repeat(20)

test.each([
  ['a@1.0.0', { name: 'a', version: '1.0.0', repository: null }],
  ['@b/c@2.0.0-rc.1', { name: '@b/c', version: '2.0.0-rc.1', repository: null }],
  ['a', { name: 'a', version: null, repository: null }],
  ['@b/c', { name: '@b/c', version: null, repository: null }],
  ['a@file:../a', { name: 'a', version: null, repository: null }],
  [`a@git+https://git.example/o/a.git#${commit}`, { name: 'a', version: null, repository: null }],
  [`a@git+https://github.com/o/a.git#main`, { name: 'a', version: null, repository: null }],
  ...[
    `git+https://github.com/o/a.b.git#${commit}`,
    `git+ssh://git@github.com/o/a.b.git#${commit}`,
    `https://codeload.github.com/o/a.b/tar.gz/${commit}`,
  ].map((address): [string, ReturnType<typeof parsePackageId>] => [
    `a@${address}`,
    { name: 'a', version: null, repository: { url: 'https://github.com/o/a.b.git', commit, path: null } },
  ]),
  ...[
    `git+https://github.com/o/a.b.git#${commit}&path:/packages/part`,
    `https://codeload.github.com/o/a.b/tar.gz/${commit}#path:/packages/part`,
  ].map((address): [string, ReturnType<typeof parsePackageId>] => [
    `a@${address}`,
    { name: 'a', version: null, repository: { url: 'https://github.com/o/a.b.git', commit, path: 'packages/part' } },
  ]),
])('%s', (subject, parts) => {
  expect(parsePackageId(subject)).toEqual(parts)
})

test('finds the folder of a repository in the lockfile where package.json does not have it, as with pnpm 10', async () => {
  const place = `git+https://github.com/o/mono.git#${commit}&path:/packages/part`
  await packages(
    lock(`  part@${place}:\n    resolution: {commit: ${commit}, repo: a, type: git, path: /packages/part}\n`),
  )
  const dependencies = { part: 'git+https://github.com/o/mono.git', other: 'github:o/other', one: '^1.0.0' }
  expect(await withLockedFolders(home.directory, dependencies)).toEqual({
    ...dependencies,
    part: 'git+https://github.com/o/mono.git#path:/packages/part',
  })
})
