import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseLockfile } from '../profile/lockfile.ts'
import { unaskedIn } from './unasked.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'unasked-'))
})
afterEach(() => rm(directory, { recursive: true }))

async function write(path: string, value: object) {
  await mkdir(dirname(join(directory, path)), { recursive: true })
  await writeFile(join(directory, path), JSON.stringify(value))
}

const GOOD = {
  name: 'good',
  version: '1.0.0',
  dependencies: { lodash: '^4.0.0', far: 'github:moss/far', tagged: 'latest' },
  peerDependencies: { vue: '*' },
}
const [COMMIT, OTHER] = ['a1'.repeat(20), 'b2'.repeat(20)]

/** Finds what is not asked for where a plugin needs something. */
async function unasked(needs: object, settings: object = {}, more: object = {}) {
  await write('node_modules/.pnpm/good@1.0.0/node_modules/good/package.json', GOOD)
  await symlink('.pnpm/good@1.0.0/node_modules/good', join(directory, 'node_modules/good')).catch(() => {})
  await write('pnpm-workspace.yaml', settings)
  const lock = {
    importers: { '.': { dependencies: { good: { specifier: '^1.0.0', version: '1.0.0' } } } },
    snapshots: { 'good@1.0.0': { dependencies: needs }, ...more },
  }
  return unaskedIn(directory, parseLockfile(JSON.stringify(lock))!)
}

test.each([
  ['a version of its range', { lodash: '4.17.21' }, {}],
  ['what its tag named', { tagged: '9.0.0' }, {}],
  ['its repository', { far: `https://codeload.github.com/moss/far/tar.gz/${COMMIT}` }, {}],
  ['a peer of any version', { vue: '1.0.0(x@1.0.0)' }, {}],
  ['an override of it', { lodash: '3.0.0' }, { overrides: { 'good@>=1>lodash@>=2': '3.0.0' } }],
  ['another package by an override', { lodash: 'lodash-es@4.0.0' }, { overrides: { lodash: 'npm:lodash-es@^4.0.0' } }],
  ['what an override refers to', { lodash: '3.0.0' }, { overrides: { lodash: '$lodash' } }],
  ['an extension of it', { more: '1.0.0' }, { packageExtensions: { 'good@1': { dependencies: { more: '^1.0.0' } } } }],
])('a package may need %s', async (_, needs, settings) => {
  expect(await unasked(needs, settings)).toEqual([])
})

test.each([
  ['another version', { lodash: '3.0.0' }, {}],
  ['another package in place of one', { lodash: 'evil@4.17.21' }, {}],
  ['a package with a digit in place of a peer', { vue: '7evil@1.0.0' }, {}],
  ['a package of a registry in place of a repository', { far: '1.0.0' }, {}],
  ['a repository in place of a peer', { vue: `https://codeload.github.com/evil/vue/tar.gz/${COMMIT}` }, {}],
  ['another version than the override', { lodash: '3.0.1' }, { overrides: { lodash: '3.0.0' } }],
  ['another package than the override', { lodash: 'evil@3.0.0' }, { overrides: { lodash: '3.0.0' } }],
  ['another package than the peer', { vue: 'evil@3.0.0' }, { overrides: { vue: '3.0.0' } }],
  ['more than its extension', { evil: '1.0.0' }, { packageExtensions: { good: { dependencies: { more: '1' } } } }],
  ['what only a package of another system asks for', { lodash: '4.17.21', evil: '1.0.0' }, {}],
  ['what is there under the name of another one', { tagged: 'good@1.0.0' }, {}],
])('a package may not need %s', async (_, needs, settings) => {
  const more = { 'lodash@4.17.21': { optional: true, dependencies: { evil: '1.0.0' } } }
  const [found] = await unasked(needs, settings, more)
  expect(found?.[1]).toBe('good')
})

test('a package of a repository may need only the commit that it names', async () => {
  const good = { ...GOOD, dependencies: { far: `github:moss/far#${COMMIT}` } }
  const at = async (commit: string) => {
    await write('node_modules/good/package.json', good)
    return unasked({ far: `https://codeload.github.com/moss/far/tar.gz/${commit}` })
  }
  expect([await at(COMMIT), await at(OTHER)]).toEqual([[], [['far', 'good']]])
})

test('a package may have a repository for its peer where another one asks for that', async () => {
  const vue = `https://codeload.github.com/moss/vue/tar.gz/${COMMIT}`
  await write('node_modules/good/package.json', { ...GOOD, dependencies: { vue: 'github:moss/vue' } })
  expect(await unasked({ vue })).toEqual([])
  await write('node_modules/good/package.json', GOOD)
  const lock = {
    importers: {
      '.': {
        dependencies: {
          good: { specifier: '^1.0.0', version: '1.0.0' },
          vue: { specifier: 'github:moss/vue', version: vue },
        },
      },
    },
    snapshots: { 'good@1.0.0': { dependencies: { vue } } },
  }
  expect(await unaskedIn(directory, parseLockfile(JSON.stringify(lock))!)).toEqual([])
})

test('packages may be in a store that all profiles share', async () => {
  const store = 'store/links/good/1.0.0/5a5a/node_modules'
  await write(`${store}/good/package.json`, { name: 'good', version: '1.0.0', dependencies: { deep: '^2.0.0' } })
  await write('store/links/deep/2.0.0/1b1b/node_modules/deep/package.json', { name: 'deep', version: '2.0.0' })
  await symlink('../../../../deep/2.0.0/1b1b/node_modules/deep', join(directory, store, 'deep'))
  await mkdir(join(directory, 'profile/node_modules'), { recursive: true })
  await symlink(`../../${store}/good`, join(directory, 'profile/node_modules/good'))
  const lock = (needs: object) => ({
    importers: { '.': { dependencies: { good: { specifier: '^1.0.0', version: '1.0.0' } } } },
    snapshots: { 'good@1.0.0': { dependencies: { deep: '2.0.0' } }, 'deep@2.0.0': { dependencies: needs } },
  })
  const found = (needs: object) => unaskedIn(join(directory, 'profile'), parseLockfile(JSON.stringify(lock(needs)))!)
  expect([await found({}), await found({ evil: '1.0.0' })]).toEqual([[], [['evil', 'deep']]])
})

test('nothing is taken where nobody can read what packages ask for', async () => {
  const lock = {
    importers: { '.': { dependencies: { linked: { specifier: '1', version: '1.0.0' } } } },
    snapshots: { 'linked@1.0.0': { dependencies: { evil: '1.0.0' } } },
  }
  expect(await unaskedIn(directory, parseLockfile(JSON.stringify(lock))!)).toEqual([['evil', 'linked']])
})
