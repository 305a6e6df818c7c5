import { execFile } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { unpackedForTests } from '@plugmark/shared/packing/testing'
import { expect, test } from 'vitest'
import { packDsh } from './build.ts'

const { path, read, files } = unpackedForTests(packDsh)

test('the package holds what runs and the licences, and no more', async () => {
  expect(await files()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'README.zh.md',
    'THIRD-PARTY-LICENSES',
    'client.js',
    'constants.js',
    'cordis.patch.yml',
    'definitions.js',
    'icon.svg',
    'index.js',
    'inspection-statement.mjs',
    'inspection-valibot.mjs',
    'inspection-worker.mjs',
    'ky.js',
    'network.js',
    'offer.js',
    'open-store.js',
    'package.json',
    'start.js',
  ])
})

test('what a harness loads while it starts is small', async () => {
  const index = await read('lib/index.js')
  const files = [...index.matchAll(/^import .* from "\.\/(.+)";$/gm)].map(([, file]) => file!)
  expect(files).toEqual(['start.js'])
  const code = index + (await read('lib/start.js'))
  expect(code.length).toBeLessThan(44_000)
  // To use it reads 7 MB of its data into memory.
  expect(code).not.toContain('Intl.')
})

test('nothing is left to be installed, and nothing runs when it is', async () => {
  const manifest = JSON.parse(await read('package.json'))
  for (const key of ['dependencies', 'peerDependencies', 'scripts', 'private']) expect(manifest).not.toHaveProperty(key)
  expect(manifest.license).toBe('MIT')
})

test.for([
  ['index', 'apply'],
  ['open-store', 'openStore'],
  ['network', 'request'],
])('%s.js of the host half loads where nothing else is installed', async ([file, name]) => {
  const script = `import('./lib/${file}.js').then((half) => console.log(typeof half.${name}))`
  // As a module: a script would lend its own `require` to what it imports.
  const node = execFile(process.execPath, ['--input-type=module', '-e', script], { cwd: path() })
  expect((await text(node.stdout!)).trim()).toBe('function')
})

test('the browser half is one factory that needs React of the page and nothing else, and leaves the screen for later', async () => {
  const required: string[] = []
  const loaded: { id: string; factory: (require: (name: string) => object) => object }[] = []
  const window = { __ModuleLoader__: { load: (half: (typeof loaded)[0]) => loaded.push(half) } }
  let isScreenRun = false
  const page = {
    window,
    console,
    // The screen's element extends it.
    get HTMLElement() {
      isScreenRun = true
      return class {}
    },
  }
  runInNewContext(await read('lib/client.js'), page)
  expect(loaded.map(({ id }) => id)).toEqual(['dsh-plugin-plugmark'])
  const half = loaded[0]!.factory((name) => {
    required.push(name)
    return { Component: class {} }
  })
  expect(required).toEqual(['react'])
  expect(isScreenRun).toBe(false)
  expect(Object.keys(half)).toEqual(['apply'])
})

// A fifth of it renders and sanitises Markdown: 27 kB. Words in two languages are a third.
test('the browser half is small enough to be there at once', async () => {
  expect(gzipSync(await read('lib/client.js')).length).toBeLessThan(185_000)
})

test('the page has no schemas of the protocol in it', async () => {
  // Every schema of valibot has this property.
  expect(await read('lib/client.js')).not.toContain('~standard')
})

test('every bundled library is named with its licence', async () => {
  const text = await read('THIRD-PARTY-LICENSES')
  expect(text).toMatch(/^ky \d/m)
  expect(text).toMatch(/^valibot \d/m)
  expect(text).not.toContain('@deepseek-ai/')
})
