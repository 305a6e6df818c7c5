import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { gainsOf } from '../../protocol/review-facts.ts'
import { type RegistryForTests, type Served, startRegistryForTests } from '../registry/testing.ts'
import { inspectPackage } from './inspect.ts'
import { createSigstore } from './sigstore-testing.ts'
import { packPackage } from './testing.ts'
import { readVersionDiff } from './version-diff.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const KEY = { keyid: 'SHA256:a', key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') }
const KEYS = '-/npm/v1/keys'
const STATEMENT = '-/npm/v1/attestations/a-plugin@1.0.0'
const NOW = Date.parse('2026-11-27T12:00:00.000Z')
const sigstore = await createSigstore()

let registry: RegistryForTests
let directory: string
beforeAll(async () => {
  registry = await startRegistryForTests({})
  directory = await mkdtemp(join(tmpdir(), 'plugmark-inspect-'))
  await writeFile(join(directory, '.npmrc'), `registry=${registry.url}/\n`)
})
afterAll(async () => {
  await registry.close()
  await rm(directory, { recursive: true })
})

/** Serves versions of `a-plugin` with their files, and other paths. */
async function publish(
  versions: Readonly<
    Record<string, { readonly files?: Readonly<Record<string, string>> } & Readonly<Record<string, unknown>>>
  >,
  others: Served = {},
) {
  const tarballs: Record<string, Served[string]> = {}
  const manifests: Record<string, Record<string, unknown>> = {}
  for (const [version, { files = {}, dist, ...manifest }] of Object.entries(versions)) {
    const body = Buffer.from(await packPackage(files))
    const path = `a-plugin/-/a-plugin-${version}.tgz`
    tarballs[path] = { body, headers: { 'content-type': 'application/octet-stream', 'content-encoding': 'identity' } }
    const integrity = `sha512-${createHash('sha512').update(body).digest('base64')}`
    const signature = sign('sha256', Buffer.from(`a-plugin@${version}:${integrity}`), privateKey).toString('base64')
    manifests[version] = {
      ...manifest,
      dist: {
        tarball: `${registry.url}/${path}`,
        integrity,
        signatures: [{ keyid: KEY.keyid, sig: signature }],
        ...(dist as object),
      },
    }
  }
  registry.serve({
    'a-plugin': manifests,
    ...tarballs,
    [KEYS]: { file: { keys: [KEY] } },
    ...others,
  })
}
type InspectionRequest = Partial<Parameters<typeof inspectPackage>[0]>
const request = (given: InspectionRequest = {}) => ({
  name: 'a-plugin',
  version: null,
  before: null,
  repoUrl: 'https://github.com/acme/a-plugin',
  directory,
  env: { HOME: directory },
  signal: new AbortController().signal,
  trustedRoot: sigstore.trustedRoot,
  readAge: async () => null,
  now: () => NOW,
  ...given,
})
const inspect = async (given?: InspectionRequest) => {
  const { code, origin } = inspectPackage(request(given))
  return { ...(await code), origin: await origin }
}

beforeEach(() => {
  registry.requests.length = 0
})

test('tells of a first install what it can do, and where it comes from', async () => {
  await publish({
    '1.0.0': {
      files: { 'index.js': `fetch('https://api.a.dev')` },
      release: '2026-11-27T10:00:00.000Z',
      _npmUser: { name: 'ann' },
      repository: { type: 'git', url: 'git+https://github.com/Acme/a-plugin.git' },
    },
  })
  expect(await inspect()).toEqual({
    plugin: 'a-plugin@1.0.0',
    before: null,
    code: {
      state: 'read',
      abilities: [
        { kind: 'network', names: ['api.a.dev'], harmless: 0, more: false, places: [{ file: 'index.js', line: 1 }] },
      ],
      others: [],
      scripts: [],
      files: null,
      unread: [],
    },
    origin: {
      signature: { state: 'valid' },
      build: { state: 'unknown', reason: 'none' },
      publishedAt: '2026-11-27T10:00:00.000Z',
      publisher: 'ann',
      otherRepository: null,
      lostBuildStatement: null,
      refusals: null,
    },
  })
})

test('lists of an update only what it gains', async () => {
  const old = `import { spawn } from 'child_process'; spawn('git'); process.env.A`
  await publish({
    '1.0.0': { files: { 'package.json': '{"dependencies":{"a":"1"}}', 'index.js': old } },
    '1.1.0': {
      files: {
        'package.json': '{"dependencies":{"a":"2","b":"1"}}',
        'index.js': `${old}; spawn('curl'); process.env.B; eval(x)`,
      },
    },
  })
  const { before, code } = await inspect({ version: '1.1.0', before: '1.0.0' })
  expect(before).toBe('1.0.0')
  expect(code).toMatchObject({
    abilities: [
      { kind: 'starts-programs', names: ['curl'], places: [{ file: 'index.js', line: 1 }] },
      { kind: 'runs-text', names: [], more: true },
      { kind: 'environment', names: ['B'] },
      { kind: 'dependency', names: ['b 1'] },
    ],
  })
  // An update that loses abilities.
  expect((await inspect({ version: '1.0.0', before: '1.1.0' })).code).toEqual({
    state: 'read',
    abilities: [],
    others: [],
    scripts: [],
    files: { changed: 2, all: 2 },
    unread: [],
  })
})

test('adds what the registry describes beyond the package, and says that the two differ', async () => {
  const files = { 'package.json': '{"dependencies":{"a":"1"}}' }
  await publish({ '1.0.0': { files, dependencies: { a: '1', evil: '2' }, hasInstallScript: true } })
  expect((await inspect()).code).toMatchObject({
    state: 'read',
    abilities: [{ kind: 'dependency', names: ['a 1', 'evil 2'], more: false, places: [] }],
    unread: [{ file: 'package.json', reason: 'other-manifest' }],
  })
  await publish({ '1.0.0': { files, dependencies: { a: '1' } } })
  expect((await inspect()).code).toMatchObject({ unread: [] })
})

const MINIFIED = (name: string) => `${`function ${name}(b){return b.c(1)}var d=${name}(2),e=d;`.repeat(100)}`
test.for([
  ['native', { 'a.node': 'one' }, { 'a.node': 'two' }, 'a.node'],
  ['minified', { 'index.js': MINIFIED('x') }, { 'index.js': MINIFIED('y') }, 'index.js'],
  [
    'packed',
    { 'index.js': `const a='${'\\x61'.repeat(500)}'` },
    { 'index.js': `const a='${'\\x62'.repeat(500)}'` },
    'index.js',
  ],
  ['not-javascript', { 'index.js': '<' }, { 'index.js': '>' }, 'index.js'],
  ['typescript', { 'index.js': '', 'a.ts': '' }, { 'index.js': `import './a.ts'`, 'a.ts': '' }, 'a.ts'],
] as const)(
  'says of an update with a %s file no more than that nothing new was seen',
  async ([reason, old, now, file]) => {
    await publish({ '1.0.0': { files: old }, '1.1.0': { files: now } })
    const inspection = await inspect({ version: '1.1.0', before: '1.0.0' })
    expect(gainsOf(inspection)).toEqual({ state: 'nothing-seen', unread: [{ file, reason }] })
  },
)

const CP = `const c = require('child_process'); `
const PATCH = { 'package.json': '{"dsh":{"bundle":{"patch":"p.yml"}}}' }

test('counts what nothing loads as a gain where the code chooses what it loads', async () => {
  const evil = { 'lib/evil.js': `${CP}c.exec('curl')` }
  await publish({
    '1.0.0': { files: { 'index.js': 'import(x)' } },
    '1.1.0': { files: { 'index.js': 'import(x)', ...evil } },
    '1.2.0': { files: { 'index.js': 'import(x); eval(y)' } },
    '1.3.0': { files: { 'index.js': 'import(x); eval(y)', 'lib/evil.js': 'eval(z)' } },
    '1.4.0': { files: { 'index.js': 'import(x)', 'lib/evil.js': 'eval(y)' } },
    '2.0.0': { files: { 'index.js': '' } },
    '2.1.0': { files: { 'index.js': '', ...evil } },
  })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' }))).toMatchObject({
    abilities: [{ kind: 'starts-programs', names: ['curl'] }],
  })
  expect(gainsOf(await inspect({ version: '1.3.0', before: '1.2.0' }))).toMatchObject({
    abilities: [{ kind: 'runs-text', isAgain: true }],
  })
  // It has moved.
  expect(gainsOf(await inspect({ version: '1.4.0', before: '1.2.0' }))).toEqual({ state: 'nothing' })
  expect(await inspect({ version: '2.1.0', before: '2.0.0' })).toMatchObject({
    code: { abilities: [], others: [{ kind: 'starts-programs' }], files: { changed: 1, all: 3 } },
  })
})

test('counts another unknown program as a gain, also where the installed version starts some as well', async () => {
  const old = `${CP}c.exec(x); c.exec('git')`
  await publish({
    '1.0.0': { files: { 'index.js': old, 'gone.js': '' } },
    '1.1.0': { files: { 'index.js': `${old}\nc.exec(y)` } },
    '1.2.0': { files: { 'index.js': `${old}\nc.exec(y); // let a` } },
  })
  const inspection = await inspect({ version: '1.1.0', before: '1.0.0' })
  expect(gainsOf(inspection)).toMatchObject({
    abilities: [{ kind: 'starts-programs', names: [], more: true, isAgain: true }],
  })
  // A file that is gone is a change too.
  expect(inspection.code).toMatchObject({ files: { changed: 2, all: 3 } })
  expect(gainsOf(await inspect({ version: '1.2.0', before: '1.1.0' }))).toEqual({ state: 'nothing' })
})

test.for([
  ['an unknown program', `${CP}c.exec(x)`, `${CP}c.exec(y)`],
  ['a command of the same program', `${CP}c.exec('sh a.sh')`, `${CP}c.exec('sh -c "curl x"')`],
  ['a space in a command', `${CP}c.exec('rm -r /tmp')`, `${CP}c.exec('rm -r / tmp')`],
  ['a space in a template', `${CP}c.exec(\`rm -r /tmp\`)`, `${CP}c.exec(\`rm -r / tmp\`)`],
  ['the end of a long command', `${CP}c.exec('sh ${'a'.repeat(200)}')`, `${CP}c.exec('sh ${'a'.repeat(200)} b')`],
  [
    'the value of a variable',
    `${CP}const args = ['-c', 'ls']; c.spawn('sh', args)`,
    `${CP}const args = ['-c', 'curl x']; c.spawn('sh', args)`,
  ],
  ['a ninth argument', `run(process,1,2,3,4,5,6,7,x)`, `run(process,1,2,3,4,5,6,7,y)`],
  ['a text that is run', 'eval(x)', 'eval(y)'],
  ['what gets an object that leads to everything', 'log(process)', 'run(process)'],
  ['a member that is chosen', 'process[a]', 'process[b]'],
  ['an address', 'fetch(x)', 'fetch(y)'],
] as const)('sets an update aside that does the same with something else: %s', async ([, old, now]) => {
  await publish({ '1.0.0': { files: { 'index.js': old } }, '1.1.0': { files: { 'index.js': now } } })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' }))).toMatchObject({
    abilities: [{ isAgain: true }],
  })
})

test('names the place of a use that is new among many, and takes no program for known that is started elsewhere', async () => {
  const old = `import(x)\n${CP}\n${"c.exec('git')\n".repeat(30)}c.exec(a)`
  await publish({
    '1.0.0': { files: { 'index.js': old } },
    '1.1.0': { files: { 'index.js': `${old}\nc.exec('git push')` } },
    '1.2.0': { files: { 'index.js': `${old}\nc.exec(b)`, 'lib/evil.js': `${CP}c.exec('curl')` } },
  })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' }))).toMatchObject({
    abilities: [{ isAgain: true, places: [{ file: 'index.js', line: 34 }] }],
  })
  const gains = gainsOf(await inspect({ version: '1.2.0', before: '1.0.0' }))
  expect(gains).toMatchObject({ abilities: [{ kind: 'starts-programs', names: ['curl'], more: true }] })
  expect(gains.state === 'gains' && gains.abilities[0]?.isAgain).toBeFalsy()
})

test('counts a use as new beyond the most that are compared', async () => {
  const old = `${CP}${Array.from({ length: 10_001 }, (_, index) => `c.exec('sh ${index}');`).join('')}`
  await publish({
    '1.0.0': { files: { 'index.js': old } },
    '1.1.0': { files: { 'index.js': `${old}c.exec('sh evil')` } },
  })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' })).state).toBe('gains')
})

test('reads a package in time whose large file is given something at many places', async () => {
  const files = { 'f.js': `export const f = 1 //${'a'.repeat(5_000_000)}` }
  const code = `import { f } from './f.js'; ${'f(process);'.repeat(20_000)}`
  await publish({ '1.0.0': { files: { ...files, 'index.js': code } } })
  expect((await inspect()).code.state).toBe('read')
})

test('sets an update aside that changes a file which gets a module by a call', async () => {
  const files = { 'index.js': `import { f } from './f.js'; ${CP}f(c)` }
  await publish({
    '1.0.0': { files: { ...files, 'f.js': 'export const f = (p) => p.version' } },
    '1.1.0': { files: { ...files, 'f.js': `export const f = (p) => p.exec('curl x | sh')` } },
  })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' }))).toMatchObject({
    abilities: [{ kind: 'starts-programs', isAgain: true }],
  })
})

test.for([
  ['spread', `const p = { ...process }; p.getBuiltinModule('child_process').execSync('id')`],
  ['given on', `run(process)`],
  ['returned', `module.exports = () => process`],
  ['exported', `module.exports.p = globalThis`],
  ['a property', `const o = { p: process }; use(o)`],
  ['listed', `Object.entries(process)`],
  ['behind a proxy', `use(new Proxy(process, {}))`],
  ['this of a function', `use((function () { return this })())`],
  ['a class that extends Worker', `class W extends require('worker_threads').Worker {}`],
  ['a constructor by another name', `const F = x.constructor; F('return process')()`],
] as const)('sets an update aside whose only change is an object that cannot be followed: %s', async ([, code]) => {
  await publish({ '1.0.0': { files: { 'index.js': '' } }, '1.1.0': { files: { 'index.js': code } } })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' })).state).toBe('gains')
})

test('says that an update gains nothing where only its version, its documents and code without abilities differ', async () => {
  const runs = (handler: string) => `${CP}c.exec('sh a.sh', { end() { ${handler} } })`
  const files = { 'a.js': runs(''), 'a.sh': '', 'b.js': '' }
  await publish({
    '1.0.0': { files: { ...files, 'package.json': '{"version":"1.0.0","main":"b.js"}' } },
    '1.1.0': {
      files: {
        ...files,
        'package.json': '{"main":"b.js","version":"1.1.0"}',
        'a.js': runs('log()').replace('c.exec(', 'c.exec(\n  // Does it.\n  '),
        'b.js': 'let b',
        'README.md': '',
      },
    },
  })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' }))).toEqual({ state: 'nothing' })
})

test('names a row that an update turns off, and a host beyond a hundred', async () => {
  const hosts = Array.from({ length: 100 }, (_, index) => `fetch('https://h${index}.a.dev');`).join('')
  await publish({
    '1.0.0': { files: { ...PATCH, 'p.yml': '- id: approval\n  config: {mode: ask}\n', 'index.js': hosts } },
    '1.1.0': {
      files: {
        ...PATCH,
        'p.yml': '- id: approval\n  disabled: true\n',
        'index.js': `${hosts}fetch('https://evil.dev')`,
      },
    },
  })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' }))).toMatchObject({
    abilities: [
      { kind: 'changes-rows', names: ['approval {"disabled":true}'] },
      { kind: 'network', names: ['evil.dev'] },
    ],
  })
  const { code } = await inspect({ version: '1.1.0' })
  expect(code.state === 'read' && code.abilities.find(({ kind }) => kind === 'network')).toMatchObject({
    names: { length: 100 },
    more: true,
  })
})

test('says that an update gains nothing where what cannot be read has the same bytes', async () => {
  const same = { 'a.node': 'one', 'a.js': MINIFIED('x'), 'b.js': '<', 'c.js': `require('./c.txt')`, 'c.txt': '' }
  await publish({
    '1.0.0': { files: { ...same, 'index.js': `import './a.js'` } },
    '1.1.0': { files: { ...same, 'index.js': `import './a.js'; let a` } },
  })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' }))).toEqual({ state: 'nothing' })
})

test('names an install script as new where the files that it runs have changed', async () => {
  const scripts = '{"scripts":{"postinstall":"node x.js"}}'
  const files = { 'package.json': scripts, 'index.js': `require('child_process').exec('ls')`, 'x.js': '' }
  await publish({
    '1.0.0': { files },
    '1.1.0': { files: { ...files, 'x.js': `require('child_process').exec('ls')` } },
    '1.2.0': { files: { ...files, 'index.js': '' } },
  })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' }))).toMatchObject({
    state: 'gains',
    abilities: [{ kind: 'install-scripts', names: ['postinstall: node x.js'] }],
  })
  expect(gainsOf(await inspect({ version: '1.2.0', before: '1.0.0' }))).toEqual({ state: 'nothing' })
})

test('names a dependency as new where another package takes its name', async () => {
  const withA = (range: string) => ({ files: { 'package.json': `{"dependencies":{"a":"${range}"}}` } })
  await publish({ '1.0.0': withA('^1.0.0'), '1.1.0': withA('^2.0.0'), '1.2.0': withA('npm:evil@1') })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' }))).toEqual({ state: 'nothing' })
  expect(gainsOf(await inspect({ version: '1.2.0', before: '1.0.0' }))).toMatchObject({
    abilities: [{ kind: 'dependency', names: ['a npm:evil@1'] }],
  })
})

test('does not know what an update gains where one of both versions could not be read', async () => {
  await publish({ '1.0.0': { dist: { tarball: `${registry.url}/gone.tgz` } }, '1.1.0': {} })
  expect(gainsOf(await inspect({ version: '1.1.0', before: '1.0.0' }))).toEqual({ state: 'unknown', reason: 'before' })
  expect(gainsOf(await inspect({ version: '1.0.0', before: '1.1.0' }))).toEqual({
    state: 'unknown',
    reason: 'not-found',
  })
  expect(gainsOf(null)).toEqual({ state: 'unknown', reason: 'none' })
})

test('lists everything of an update where the version before is not there any more', async () => {
  await publish({ '1.1.0': { files: { 'index.js': 'eval(x)' } } })
  expect(await inspect({ before: '1.0.0' })).toMatchObject({
    before: null,
    code: { abilities: [{ kind: 'runs-text' }] },
  })
})

test('does not read a tarball that is not the one its registry describes', async () => {
  await publish({ '1.0.0': { dist: { integrity: `sha512-${'A'.repeat(86)}==` } } })
  expect(await inspect()).toMatchObject({
    code: { state: 'unknown', reason: 'other-digest' },
    origin: { signature: { state: 'wrong' } },
  })
})

test('asks for keys only where there is a signature, and says why it has none', async () => {
  const signature = async () => (await inspect()).origin?.signature
  await publish({ '1.0.0': { dist: { signatures: undefined } } })
  expect(await signature()).toEqual({ state: 'unknown', reason: 'no-signature' })
  expect(registry.requests.map(({ path }) => path)).not.toContain(KEYS)
  await publish({ '1.0.0': {} }, { [KEYS]: { body: '<html>' } })
  expect(await signature()).toEqual({ state: 'unknown', reason: 'unreadable' })
})

test('calls a signature wrong that is not of the key, and unknown where the signed package was not read', async () => {
  const signature = async () => (await inspect()).origin?.signature.state
  await publish({ '1.0.0': { dist: { signatures: [{ keyid: KEY.keyid, sig: 'AAAA' }] } } })
  expect(await signature()).toBe('wrong')
  await publish({ '1.0.0': {} }, { 'a-plugin/-/a-plugin-1.0.0.tgz': { body: 'another' } })
  expect(await inspect()).toMatchObject({
    code: { state: 'unknown', reason: 'other-digest' },
    origin: { signature: { state: 'unknown', reason: 'not-read' } },
  })
})

test('reads a package by the digest of older registries, and none without a digest', async () => {
  const body = Buffer.from(await packPackage({}))
  const others = { 'a-plugin/-/a-plugin-1.0.0.tgz': { body, headers: { 'content-encoding': 'identity' } } }
  const shasum = createHash('sha1').update(body).digest('hex')
  await publish({ '1.0.0': { dist: { integrity: undefined, shasum } } }, others)
  expect((await inspect()).code.state).toBe('read')
  await publish({ '1.0.0': { dist: { integrity: undefined } } }, others)
  expect((await inspect()).code).toEqual({ state: 'unknown', reason: 'no-digest' })
})

test('compares the bytes that were sent with the digest, whatever their server calls them', async () => {
  const body = Buffer.from(await packPackage({}))
  const path = 'a-plugin/-/a-plugin-1.0.0.tgz'
  const integrity = `sha512-${createHash('sha512').update(body).digest('base64')}`
  const others = { [path]: { body, headers: { 'content-encoding': 'gzip' } } }
  await publish({ '1.0.0': { dist: { integrity } } }, others)
  expect((await inspect()).code.state).toBe('read')
  expect(registry.requests.find((one) => one.path === path)?.headers['accept-encoding']).toBe('identity')
})

test('names who built the package that is installed, by a statement that its registry has', async () => {
  const files = { 'index.js': 'a' }
  const tarball = Buffer.from(await packPackage(files))
  const repository = 'https://github.com/Acme/a-plugin'
  const commit = '3f2c1ab'.padEnd(40, '0')
  const file = await sigstore.attest({ name: 'a-plugin', version: '1.0.0', tarball, repository, commit })
  const publishWith = (answer: Served[string] | null, dist = {}) =>
    publish(
      { '1.0.0': { files, dist: { attestations: { url: 'https://evil.example' }, ...dist } } },
      answer === null ? {} : { [STATEMENT]: answer },
    )
  const build = async (given?: Parameters<typeof inspect>[0]) => (await inspect(given)).origin?.build

  await publishWith({ file })
  const signed = { state: 'signed', repository: 'github.com/Acme/a-plugin', commit }
  expect(await build()).toEqual({ ...signed, isListed: true })
  // The authorities that a package was built with are not those of the public service.
  expect(await build({ trustedRoot: undefined })).toEqual({ state: 'unknown', reason: 'unknown-signer' })

  const other = await sigstore.attest({
    name: 'a-plugin',
    version: '1.0.0',
    tarball: Buffer.from('b'),
    repository,
    commit,
  })
  await publishWith({ file: other })
  expect(await build()).toEqual({ state: 'wrong', reason: 'other-package' })
  await publishWith(null)
  expect(await build()).toEqual({ state: 'unknown', reason: 'not-found' })
  await publishWith({ body: Buffer.alloc(3_000_000, ' ') })
  expect(await build()).toEqual({ state: 'unknown', reason: 'unreadable' })
  // It is about the tarball that the registry describes, which another one was served for.
  await publish(
    { '1.0.0': { files, dist: { attestations: { url: 'x' } } } },
    { [STATEMENT]: { file }, 'a-plugin/-/a-plugin-1.0.0.tgz': { body: 'another' } },
  )
  expect(await build()).toEqual({ state: 'unknown', reason: 'not-read' })

  registry.requests.length = 0
  await publish({ '1.0.0': {} }, { [STATEMENT]: { file } })
  expect(await build()).toEqual({ state: 'unknown', reason: 'none' })
  expect(registry.requests.map(({ path }) => path)).not.toContain(STATEMENT)
})

test('names the rules by which pnpm does not install the version', async () => {
  const readAge = async () => ({
    pnpm: 11,
    minutes: 24 * 60,
    isExcluded: () => false,
  })
  await publish({
    '1.0.0': { release: '2026-11-20T10:00:00.000Z' },
    '1.1.0': { release: '2026-11-27T10:00:00.000Z' },
  })
  expect((await inspect({ readAge })).origin?.refusals).toEqual([
    { rule: 'release-age', until: '2026-11-28T10:00:00.000Z', passing: '1.0.0' },
  ])
  expect((await inspect({ readAge: async () => null })).origin?.refusals).toBeNull()
})

test('says why it cannot be read', async () => {
  await publish({ '1.0.0': {} })
  expect((await inspect({ version: '9.0.0' })).code).toEqual({ state: 'unknown', reason: 'no-such-version' })
  await publish({ '1.0.0': { dist: { tarball: `${registry.url}/gone.tgz` } } })
  expect((await inspect()).code).toEqual({ state: 'unknown', reason: 'not-found' })
  await publish({ '1.0.0': { dist: { tarball: 'file:///etc/passwd' } } })
  expect((await inspect()).code).toEqual({ state: 'unknown', reason: 'unreadable' })
  registry.serve({})
  expect(await inspect()).toEqual({
    plugin: 'a-plugin',
    before: null,
    code: { state: 'unknown', reason: 'not-found' },
    origin: null,
  })
})

test('compares two versions, by default the newest and the one before it', async () => {
  const repository = 'github:acme/a-plugin'
  await publish({
    '1.0.0': { files: { 'index.js': 'a' } },
    '1.1.0': { files: { 'index.js': 'b' }, repository, gitHead: 'a'.repeat(40) },
    '1.2.0': { files: { 'index.js': 'c' }, repository, gitHead: 'b'.repeat(40) },
  })
  const compare = (before: string | null, after: string | null, repoUrls = ['https://github.com/acme/a-plugin']) =>
    readVersionDiff({
      spec: { kind: 'npm', name: 'a-plugin' },
      before,
      after,
      repoUrls,
      directory,
      env: { HOME: directory },
      signal: new AbortController().signal,
    })
  expect(await compare(null, null)).toMatchObject({
    before: '1.1.0',
    after: '1.2.0',
    compareUrl: `https://github.com/acme/a-plugin/compare/${'a'.repeat(40)}...${'b'.repeat(40)}`,
    files: { state: 'read', more: 0, changed: [{ path: 'index.js', role: 'entry', folded: null }] },
  })
  // It names a repository that is not the listed one.
  expect(await compare(null, null, ['https://github.com/acme/other'])).toMatchObject({ compareUrl: null })
  // The installed version is the newest.
  expect(await compare('1.2.0', null)).toMatchObject({ before: '1.1.0', after: '1.2.0' })
  expect(await compare('1.0.0', '1.1.0')).toMatchObject({ before: '1.0.0', after: '1.1.0', compareUrl: null })
  expect(await compare('0.1.0', '1.1.0')).toMatchObject({ files: { state: 'unknown', reason: 'no-such-version' } })
  expect(await compare(null, '1.0.0')).toMatchObject({
    before: null,
    files: { state: 'unknown', reason: 'no-such-version' },
  })
})

test('shows a file of the new version that is not read for its name', async () => {
  await publish({
    '1.0.0': { files: { 'index.js': 'a' } },
    '1.1.0': { files: { 'index.js': 'a', '\u0001b\n.js': 'evil' } },
  })
  const { files } = await readVersionDiff({
    spec: { kind: 'npm', name: 'a-plugin' },
    before: null,
    after: null,
    repoUrls: [],
    directory,
    env: { HOME: directory },
    signal: new AbortController().signal,
  })
  expect(files).toMatchObject({
    changed: [{ path: expect.stringMatching(/^[^/]*b[^/]*$/), folded: 'not-read', sizeBefore: null, sizeAfter: 4 }],
  })
})

test('compares no version whose package is not the one that its registry describes', async () => {
  const body = Buffer.from(await packPackage({ 'index.js': 'evil' }))
  const others = { 'a-plugin/-/a-plugin-1.1.0.tgz': { body, headers: { 'content-encoding': 'identity' } } }
  await publish({ '1.0.0': {}, '1.1.0': { files: { 'index.js': 'b' } } }, others)
  const changes = await readVersionDiff({
    spec: { kind: 'npm', name: 'a-plugin' },
    before: null,
    after: null,
    repoUrls: [],
    directory,
    env: { HOME: directory },
    signal: new AbortController().signal,
  })
  expect(changes.files).toEqual({ state: 'unknown', reason: 'other-digest' })
})
