import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RegistryForTests, type Served, startRegistryForTests } from '../registry/testing.ts'
import { advisoriesOfPlugin, advisoriesOfProfile } from './advisories.ts'
import { SharedDocuments } from './dependencies.ts'

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
async function startRegistry(answer: unknown, { status = 200, served = {} as Served } = {}) {
  const registry = await startRegistryForTests({ [BULK]: { body: JSON.stringify(answer), status }, ...served })
  registries.push(registry)
  return registry
}
/** Asks for a version of `a-plugin`, of a registry that serves these packages and advisories. */
async function lookUp(version: string | null, served: Served, known: unknown = {}) {
  const registry = await startRegistry(known, { served })
  await writeFile(join(directory, '.npmrc'), `registry=${registry.url}/\n`)
  const { signal } = new AbortController()
  return advisoriesOfPlugin({ directory, env: { HOME: directory }, signal }, { name: 'a-plugin', version })
}
const bulkRequests = (registry: RegistryForTests) => registry.requests.filter(({ path }) => path === BULK)
const audit = () => advisoriesOfProfile({ directory, env: { HOME: directory }, signal: new AbortController().signal })

test('looks up every package of the lockfile at its own registry, and names the way to what is known', async () => {
  const [own, acme] = [await startRegistry({ deep: [leak] }), await startRegistry({})]
  await writeFile(join(directory, 'pnpm-lock.yaml'), LOCK)
  await writeFile(join(directory, '.npmrc'), `registry=${own.url}/\n@acme:registry=${acme.url}/\n`)
  const advisory = {
    package: 'deep@2.0.0',
    title: 'Leaks tokens',
    severity: 'high',
    url: 'https://a.dev/1',
    isMalware: false,
    without: null,
  }
  expect(await audit()).toEqual({
    state: 'read',
    asked: 4,
    unknown: [{ host: null, packages: 1, names: ['from-git'], reason: 'repository' }],
    found: [
      { ...advisory, path: ['a-plugin@1.0.0', 'deep@2.0.0'] },
      { ...advisory, path: ['@acme/b-plugin@1.0.0', 'a-plugin@1.0.0', 'deep@2.0.0'] },
    ],
  })
  expect([own, acme].map((registry) => bulkRequests(registry).length)).toEqual([1, 1])
})

test('counts what is no package of a registry as unknown, with its kind, and looks up what it installs', async () => {
  const registry = await startRegistry({ deep: [leak] })
  await writeFile(join(directory, '.npmrc'), `registry=${registry.url}/\n`)
  await writeFile(
    join(directory, 'pnpm-lock.yaml'),
    `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      here: { specifier: 'link:../here', version: 'link:../here' }
      copied: { specifier: 'file:../copied', version: 'file:../copied' }
      packed: { specifier: 'file:../packed.tgz', version: 'file:../packed.tgz' }
      far: { specifier: 'https://files.example/far.tgz', version: 'https://files.example/far.tgz' }
      cloned: { specifier: 'git+ssh://git@x.example/y.git', version: 'git+ssh://git@x.example/y.git#${'b'.repeat(40)}' }
packages:
  'copied@file:../copied': { resolution: { directory: ../copied, type: directory } }
  'packed@file:../packed.tgz': { resolution: { integrity: sha512-a, tarball: 'file:../packed.tgz' } }
  'far@https://files.example/far.tgz': { resolution: { integrity: sha512-a, tarball: 'https://files.example/far.tgz' } }
  'cloned@git+ssh://git@x.example/y.git#${'b'.repeat(40)}': { resolution: { type: git } }
  deep@2.0.0: { resolution: { integrity: sha512-d } }
snapshots:
  'copied@file:../copied': {}
  'packed@file:../packed.tgz': {}
  'far@https://files.example/far.tgz': { dependencies: { deep: 2.0.0 } }
  'cloned@git+ssh://git@x.example/y.git#${'b'.repeat(40)}': {}
  deep@2.0.0: {}
`,
  )
  expect(await audit()).toMatchObject({
    asked: 1,
    unknown: [
      { host: null, packages: 2, names: ['here', 'copied'], reason: 'folder' },
      { host: null, packages: 2, names: ['packed', 'far'], reason: 'tarball' },
      { host: null, packages: 1, names: ['cloned'], reason: 'repository' },
    ],
    found: [{ path: ['far', 'deep@2.0.0'], without: null }],
  })
  // Nobody is told of what does not come from a registry.
  expect(registry.requests.map(({ path }) => path)).toEqual([BULK])
})

test.each([
  [405, 'no-advisories'],
  [404, 'no-advisories'],
  [401, 'unauthorized'],
  [429, 'busy'],
  [500, 'unreachable'],
])('calls packages unknown where the registry answers with %s: %s', async (status, reason) => {
  const [own, acme] = [await startRegistry({}), await startRegistry({}, { status })]
  await writeFile(join(directory, 'pnpm-lock.yaml'), LOCK)
  await writeFile(join(directory, '.npmrc'), `registry=${own.url}/\n@acme:registry=${acme.url}/\n`)
  expect(await audit()).toMatchObject({
    asked: 3,
    unknown: [{ host: new URL(acme.url).host, packages: 1, names: ['@acme/b-plugin@1.0.0'], reason }, { packages: 1 }],
    found: [],
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
  // As old versions were written.
  ['<2.0.0beta.2', ['1.0.0', '2.0.0-beta.1']],
  ['all versions', ['1.0.0', '2.0.0-beta.1', '9.0.0']],
])('counts an advisory for the range “%s” where the version is not known to be out of it', async (range, expected) => {
  const about: string[] = []
  for (const version of ['1.0.0', '2.0.0-beta.1', '9.0.0']) {
    const known = { 'a-plugin': [{ ...leak, vulnerable_versions: range }] }
    const { found } = await lookUp(version, { 'a-plugin': { [version]: {} } }, known)
    about.push(...found.map(({ package: id }) => id))
  }
  expect(about).toEqual(expected.map((version) => `a-plugin@${version}`))
})

test.each([
  { odd: 'an entry that is none', answer: { deep: null }, unknown: ['deep@2.0.0'] },
  { odd: 'a title that is none', answer: { deep: [{ title: 7, vulnerable_versions: '<1' }] }, unknown: ['deep@2.0.0'] },
  { odd: 'an advisory that is none', answer: { deep: ['x'] }, unknown: ['deep@2.0.0'] },
  { odd: 'a message', answer: { message: 'ok' }, unknown: ['deep@2.0.0'] },
])('$odd in an answer hides no malware beside it, and is not taken for none', async ({ answer, unknown }) => {
  for (const cwe of ['CWE-506', { id: 'CWE-506' }, [{ cwe_id: 'CWE-506' }]]) {
    const known = { 'a-plugin': [{ ...leak, vulnerable_versions: '*', cwe }], ...answer }
    const served = { 'a-plugin': { '1.0.0': { dependencies: { deep: '2' } } }, deep: { '2.0.0': {} } }
    const { asked, ...read } = await lookUp(null, served, known)
    expect(asked + unknown.length).toBe(2)
    expect(read.found).toMatchObject([{ isMalware: true, path: ['a-plugin@1.0.0'] }])
    expect(read.unknown).toMatchObject(unknown.length > 0 ? [{ names: unknown, reason: 'unreadable' }] : [])
  }
})

test('looks up before an install what would be installed, malware first, with the way to each', async () => {
  const harm = { ...leak, title: 'Harms', vulnerable_versions: '*', cwe: ['CWE-506'] }
  const known = { deep: [leak], 'a-plugin': [{ ...leak, vulnerable_versions: '*' }], '@acme/far': [harm] }
  const served = {
    'a-plugin': {
      '1.0.0': { dependencies: { 'not-there': '1' } },
      '1.1.0': { dependencies: { renamed: 'npm:deep@^2.0.0' }, optionalDependencies: { middle: 'next' } },
    },
    middle: {
      file: {
        name: 'middle',
        'dist-tags': { latest: '1.0.0', next: '2.0.0' },
        versions: { '1.0.0': {}, '2.0.0': { dependencies: { '@acme/far': '>=1' } } },
      },
    },
    deep: { '1.0.0': {}, '2.0.0': {}, '2.1.0': {}, '3.0.0': {} },
    '@acme/far': { '1.0.0': {} },
  }
  expect(await lookUp(null, served, known)).toMatchObject({
    asked: 4,
    unknown: [],
    found: [
      { title: 'Harms', isMalware: true, path: ['a-plugin@1.1.0', 'middle@2.0.0', '@acme/far@1.0.0'] },
      { title: 'Leaks tokens', path: ['a-plugin@1.1.0'] },
      { title: 'Leaks tokens', path: ['a-plugin@1.1.0', 'deep@2.1.0'] },
    ],
  })
})

test('takes of each dependency the version of the lockfile, as pnpm does', async () => {
  await writeFile(join(directory, 'pnpm-lock.yaml'), LOCK)
  const served = { 'a-plugin': { '2.0.0': { dependencies: { deep: '^2.0.0' } } }, deep: { '2.0.0': {}, '2.1.0': {} } }
  const { found } = await lookUp('2.0.0', served, { deep: [{ ...leak, vulnerable_versions: '=2.0.0' }] })
  expect(found).toMatchObject([{ path: ['a-plugin@2.0.0', 'deep@2.0.0'] }])
})

test('names the newest version of the plugin where that comes without what is known', async () => {
  const known = {
    deep: [{ ...leak, vulnerable_versions: '<2' }],
    'a-plugin': [{ ...leak, vulnerable_versions: '<1.1.0' }],
  }
  const without = async (dependencies: object) => {
    const versions = { '1.0.0': { dependencies: { deep: '1' } }, '1.1.0': { dependencies } }
    const { found } = await lookUp('1.0.0', { deep: { '1.0.0': {}, '2.0.0': {} }, 'a-plugin': versions }, known)
    return found.map(({ path, without }) => [path.at(-1), without])
  }
  expect(await without({ deep: '2' })).toEqual([
    ['a-plugin@1.0.0', '1.1.0'],
    ['deep@1.0.0', '1.1.0'],
  ])
  expect(await without({ deep: '>=1 <2' })).toEqual([
    ['a-plugin@1.0.0', '1.1.0'],
    ['deep@1.0.0', null],
  ])
  // What is not known is not said to be free of it.
  expect(await without({ lost: '1' })).toEqual([
    ['a-plugin@1.0.0', '1.1.0'],
    ['deep@1.0.0', null],
  ])
})

test('calls a dependency unknown that no registry knows, with the reason, and asks about nothing else of it', async () => {
  const dependencies = {
    lost: '1',
    old: '^9.0.0',
    'from-git': 'github:x/y',
    short: 'x/y',
    packed: 'https://files.example/x.tgz',
    local: 'file:../x',
    '../../evil': '1',
    'https://evil.example/x': '1',
    broken: 5,
  }
  const looked = await lookUp('1.0.0', {
    'a-plugin': { '1.0.0': { dependencies } },
    old: { '1.0.0': {} },
    broken: { '1.0.0': {} },
  })
  expect(looked).toMatchObject({ asked: 2, found: [] })
  expect(Object.fromEntries(looked.unknown.map(({ reason, names }) => [reason, names]))).toEqual({
    'not-found': ['lost'],
    'no-such-version': ['old'],
    repository: ['from-git', 'short'],
    tarball: ['packed'],
    folder: ['local'],
    unreadable: ['../../evil', 'https://evil.example/x'],
  })
  expect(registries[0]?.requests.map(({ path }) => path).toSorted()).toEqual([
    BULK,
    'a-plugin',
    'broken',
    'lost',
    'old',
  ])
})

test('looks up before an install what a plugin from a repository would install', async () => {
  const registry = await startRegistry(
    { deep: [leak] },
    { served: { deep: { '2.0.0': {} }, 'x/y/c0/package.json': { file: { dependencies: { deep: '2' } } } } },
  )
  await writeFile(join(directory, '.npmrc'), `registry=${registry.url}/\n`)
  const { signal } = new AbortController()
  const request = { directory, env: { HOME: directory }, signal }
  const lookUp = (manifest: unknown, reason: 'repository' | 'tarball' = 'repository') =>
    advisoriesOfPlugin(request, { name: 'a source', manifest, reason })
  const unknown = [{ host: null, packages: 1, names: ['a source'], reason: 'repository' }]
  const deep = [{ path: ['a source', 'deep@2.0.0'], without: null }]
  expect(await lookUp(`${registry.url}/x/y/c0/package.json`)).toMatchObject({ asked: 1, unknown, found: deep })
  expect(await lookUp(`${registry.url}/lost`)).toEqual({ asked: 0, unknown, found: [] })
  // A build gets what is for development, and nothing else does.
  const development = { devDependencies: { deep: '2' } }
  const scripts = { prepare: 'tsc' }
  expect(await lookUp({ ...development, scripts })).toMatchObject({ found: deep })
  expect(await lookUp(development)).toMatchObject({ asked: 0 })
  expect(await lookUp({ ...development, scripts }, 'tarball')).toMatchObject({ asked: 0 })
  expect(await lookUp({ dependencies: { deep: '2' } }, 'tarball')).toMatchObject({ found: deep })
})

test('asks a registry once for what look-ups at the same time have in common, and again when it was busy', async () => {
  const plugin = { '1.0.0': { dependencies: { deep: '2' } } }
  const registry = await startRegistry(
    { deep: [leak] },
    { served: { one: plugin, two: plugin, deep: { '2.0.0': {} } } },
  )
  await writeFile(join(directory, '.npmrc'), `registry=${registry.url}/\n`)
  const { signal } = new AbortController()
  const request = { directory, env: { HOME: directory }, signal, documents: new SharedDocuments(signal) }
  registry.failNext({ status: 503 })
  const found = await Promise.all(['one', 'two'].map((name) => advisoriesOfPlugin(request, { name, version: '1.0.0' })))
  expect(found).toMatchObject([
    { asked: 2, unknown: [], found: [{}] },
    { asked: 2, unknown: [], found: [{}] },
  ])
  const asked = registry.requests.filter(({ status }) => status === 200).map(({ path }) => path)
  expect(asked.filter((path) => path !== BULK).toSorted()).toEqual(['deep', 'one', 'two'])
})

test('asks about at most two hundred packages before an install, and counts the others', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `d${index}`)
  const packages = Object.fromEntries(names.map((name) => [name, { '1.0.0': {} }]))
  const dependencies = Object.fromEntries(names.map((name) => [name, '1']))
  const { asked, unknown } = await lookUp('1.0.0', { 'a-plugin': { '1.0.0': { dependencies } }, ...packages })
  expect(asked).toBeGreaterThanOrEqual(200)
  expect(unknown).toMatchObject([{ reason: 'too-many', packages: 301 - asked }])
  expect(unknown[0]?.names).toHaveLength(301 - asked)
})

test('ends when it is told to or takes too long, and calls the rest unknown', async () => {
  const registry = await startRegistry({}, { served: { 'a-plugin': { '1.0.0': { dependencies: { deep: '1' } } } } })
  await writeFile(join(directory, '.npmrc'), `registry=${registry.url}/\n`)
  const answerAll = registry.hold()
  const stop = new AbortController()
  const request = { directory, env: { HOME: directory }, signal: stop.signal }
  const looked = advisoriesOfPlugin(request, { name: 'a-plugin', version: null })
  await expect.poll(registry.atOnce).toBe(1)
  stop.abort()
  expect(await looked).toEqual({
    asked: 0,
    unknown: [{ host: null, packages: 1, names: ['a-plugin'], reason: 'too-slow' }],
    found: [],
  })
  answerAll()
})

test('takes no version that is none', async () => {
  const document = { name: 'a-plugin', 'dist-tags': { latest: 'Plugmark: safe' }, versions: { 'Plugmark: safe': {} } }
  expect(await lookUp(null, { 'a-plugin': { file: document } })).toMatchObject({
    asked: 0,
    unknown: [{ names: ['a-plugin'], reason: 'no-such-version' }],
  })
})

test('ends in circles of dependencies', async () => {
  const around = {
    'a-plugin': { '1.0.0': { dependencies: { b: '1' } } },
    b: { '1.0.0': { dependencies: { 'a-plugin': '1', b: '1' } } },
  }
  expect(await lookUp('1.0.0', around)).toMatchObject({ asked: 2, unknown: [] })
})

test('knows malware by the title that a registry gives it', async () => {
  const malware = { title: 'Malware in a-plugin', vulnerable_versions: '*' }
  expect(await lookUp('1.0.0', { 'a-plugin': { '1.0.0': {} } }, { 'a-plugin': [malware] })).toMatchObject({
    found: [{ isMalware: true, path: ['a-plugin@1.0.0'] }],
  })
})

test('knows nothing of plugins without a lockfile, and that a profile without plugins has none', async () => {
  expect(await audit()).toEqual({ state: 'no-lockfile' })
  await writeFile(join(directory, 'package.json'), '{"dependencies":{"a-plugin":"1"}}')
  await writeFile(join(directory, 'pnpm-lock.yaml'), '{')
  expect(await audit()).toEqual({ state: 'no-lockfile' })
  await writeFile(join(directory, 'package.json'), '{"dependencies":{}}')
  expect(await audit()).toEqual({ state: 'read', asked: 0, unknown: [], found: [] })
})
