import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Registry } from '../registry/registry.ts'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { auditProfile, toAdvisories } from './advisories.ts'

const BULK = '-/npm/v1/security/advisories/bulk'
const LOCK = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      a-plugin: { specifier: ^1.0.0, version: 1.0.0(peer@2.0.0) }
      '@acme/b-plugin': { specifier: 1.0.0, version: 1.0.0 }
      from-git: { specifier: 'github:x/y', version: 'https://codeload.github.com/x/y/tar.gz/${'a'.repeat(40)}' }
      renamed: { specifier: 'npm:deep@1.0.0', version: deep@1.0.0 }
packages:
  a-plugin@1.0.0: { resolution: { integrity: sha512-a } }
  '@acme/b-plugin@1.0.0': { resolution: { integrity: sha512-b } }
  'from-git@https://codeload.github.com/x/y/tar.gz/${'a'.repeat(40)}': { resolution: { tarball: 'https://x' } }
  deep@1.0.0: { resolution: { integrity: sha512-c } }
  deep@2.0.0: { resolution: { integrity: sha512-d, tarball: 'https://files.example/deep.tgz' } }
snapshots:
  a-plugin@1.0.0(peer@2.0.0): { dependencies: { deep: 2.0.0 } }
  '@acme/b-plugin@1.0.0': { dependencies: { a-plugin: 1.0.0(peer@2.0.0) } }
  'from-git@https://codeload.github.com/x/y/tar.gz/${'a'.repeat(40)}': {}
  deep@1.0.0: {}
  deep@2.0.0: { dependencies: { deep: 1.0.0 } }
`
const leak = { title: 'Leaks tokens', severity: 'high', url: 'https://a.dev/1', vulnerable_versions: '>=2', cwe: [] }

let directory: string
const registries: RegistryForTests[] = []
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-audit-'))
})
afterEach(async () => {
  for (const registry of registries.splice(0)) await registry.close()
  await rm(directory, { recursive: true })
})
async function startRegistry(answer: unknown, status = 200) {
  const registry = await startRegistryForTests({ [BULK]: { body: JSON.stringify(answer), status } })
  registries.push(registry)
  return registry
}
const audit = (database?: string) =>
  auditProfile({
    directory,
    registry: new Registry(directory, { HOME: directory }),
    signal: AbortSignal.timeout(10_000),
    database,
  })

test('looks up every package of the lockfile at its own registry, and names the way to what is known', async () => {
  const [own, acme] = [await startRegistry({ deep: [leak] }), await startRegistry({})]
  await writeFile(join(directory, 'pnpm-lock.yaml'), LOCK)
  await writeFile(join(directory, '.npmrc'), `registry=${own.url}/\n@acme:registry=${acme.url}/\n`)
  expect(await audit()).toEqual({
    state: 'read',
    asked: 4,
    unknown: [{ host: null, packages: 1, reason: 'not-a-registry-package' }],
    advisories: [
      {
        package: 'deep@2.0.0',
        title: 'Leaks tokens',
        severity: 'high',
        url: 'https://a.dev/1',
        isMalware: false,
        path: ['a-plugin@1.0.0', 'deep@2.0.0'],
      },
    ],
  })
  expect([own.requests.length, acme.requests.length]).toEqual([1, 1])
})

test('calls packages unknown whose registry does not tell', async () => {
  const [own, acme] = [await startRegistry({}), await startRegistry({}, 405)]
  await writeFile(join(directory, 'pnpm-lock.yaml'), LOCK)
  await writeFile(join(directory, '.npmrc'), `registry=${own.url}/\n@acme:registry=${acme.url}/\n`)
  expect(await audit()).toEqual({
    state: 'read',
    asked: 3,
    unknown: [
      { host: new URL(acme.url).host, packages: 1, reason: 'unreachable' },
      { host: null, packages: 1, reason: 'not-a-registry-package' },
    ],
    advisories: [],
  })
})

test('asks two registries of one server one by one', async () => {
  const paths = ['one', 'two'].map((folder) => [`${folder}/${BULK}`, { body: '{}' }])
  const registry = await startRegistryForTests(Object.fromEntries(paths))
  registries.push(registry)
  await writeFile(join(directory, 'pnpm-lock.yaml'), LOCK)
  await writeFile(join(directory, '.npmrc'), `registry=${registry.url}/one/\n@acme:registry=${registry.url}/two/\n`)
  await audit()
  expect(registry.requests.map(({ path }) => path)).toEqual([`one/${BULK}`, `two/${BULK}`])
})

test.each([
  ['>= 1.0.0, < 9.0.0', ['1.0.0', '2.0.0-beta.1']],
  ['all versions', ['1.0.0', '2.0.0-beta.1', '9.0.0']],
])('counts an advisory for the range “%s” where the version is not known to be out of it', (range, expected) => {
  const versions = ['1.0.0', '2.0.0-beta.1', '9.0.0']
  const found = toAdvisories({ deep: [{ ...leak, vulnerable_versions: range }] }, { deep: versions })
  expect(found.map(({ package: id }) => id)).toEqual(expected.map((version) => `deep@${version}`))
})

test('looks in a file instead, and then asks nobody', async () => {
  const registry = await startRegistry({})
  await writeFile(join(directory, 'pnpm-lock.yaml'), LOCK)
  await writeFile(join(directory, '.npmrc'), `registry=${registry.url}/\n`)
  const database = join(directory, 'advisories.json')
  await writeFile(
    database,
    JSON.stringify({ 'a-plugin': [{ title: 'Malware in a-plugin', vulnerable_versions: '*' }] }),
  )
  expect(await audit(database)).toMatchObject({
    asked: 4,
    advisories: [{ isMalware: true, path: ['a-plugin@1.0.0'] }],
  })
  expect(registry.requests).toEqual([])
  await writeFile(database, '[]')
  await expect(audit(database)).rejects.toThrow()
  await expect(audit(join(directory, 'none.json'))).rejects.toThrow()
})

test('knows nothing without a lockfile', async () => {
  expect(await audit()).toEqual({ state: 'no-lockfile' })
  await writeFile(join(directory, 'pnpm-lock.yaml'), '{')
  expect(await audit()).toEqual({ state: 'no-lockfile' })
})
