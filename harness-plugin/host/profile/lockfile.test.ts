import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aHome } from '../testing.ts'
import { lockDifferences, lockedPackages } from './lockfile.ts'

let home: Awaited<ReturnType<typeof aHome>>
beforeEach(async () => {
  home = await aHome()
})
afterEach(() => home.dispose())

// As pnpm 10.34 writes it.
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
  return lockedPackages(home.directory)
}

test('integrities and commits are read, files of this machine are not', async () => {
  const local = ["'local@file:../local'", 'packed@file:../packed.tgz'].map(
    (key) => `  ${key}:\n    resolution: {integrity: sha512-bb==}\n`,
  )
  const read = await packages(lock([ONE, GIT, ...local].join('\n')))
  expect([...(read?.keys() ?? [])]).toEqual(['one@1.0.0', expect.stringMatching(/^two@git/)])
  expect(read?.get('one@1.0.0')).toBe('{"integrity":"sha512-aa=="}')
})

test('two locks differ in what only one has, and in what was changed under the same name', async () => {
  const one = await packages(lock(ONE))
  expect(lockDifferences(one, await packages(lock(ONE)))).toEqual([])
  expect(lockDifferences(one, await packages(lock(ONE.replace('aa==', 'cc=='))))).toEqual(['one@1.0.0'])
  expect(lockDifferences(one, await packages(lock(ONE + GIT)))).toEqual([expect.stringMatching(/^two@/)])
})

test('no lock, and none that can be read, have nothing; an empty one too', async () => {
  expect(await lockedPackages(home.directory)).toBeNull()
  expect(await packages('packages: [')).toBeNull()
  expect(lockDifferences(null, await packages("lockfileVersion: '9.0'\n"))).toEqual([])
})
