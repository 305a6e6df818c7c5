import { builtinModules } from 'node:module'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packKoishi } from './koishi.ts'
import { unpackedForTests } from './unpacked.ts'

const { read, files } = unpackedForTests(packKoishi)
const required = (source: string) => [...source.matchAll(/\brequire\(["'`]([^"'`]+)["'`]\)/g)].map(([, name]) => name!)
const imported = (source: string) =>
  [...source.matchAll(/^import\b[^"']*["']([^"']+)["'];?$/gm)].map(([, name]) => name)

test('the package holds what runs and the licences, and no more', async () => {
  expect(await files()).toEqual([
    'LICENSE',
    'README.md',
    'THIRD-PARTY-LICENSES',
    'index.cjs',
    'index.js',
    'package.json',
    'style.css',
  ])
})

test('nothing of the workspace is left to be installed', async () => {
  const manifest = JSON.parse(await read('package.json'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('private')
  expect(manifest.license).toBe('AGPL-3.0-or-later')
  expect(await read('LICENSE')).toContain('GNU AFFERO GENERAL PUBLIC LICENSE')
})

test('the host half needs Node and koishi alone', async () => {
  const builtin = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]))
  const foreign = required(await read('lib/index.cjs')).filter((name) => !builtin.has(name))
  expect(new Set(foreign)).toEqual(new Set(['koishi']))
})

test('the page imports only what the console provides, in the form that it rewrites', async () => {
  const source = await read('dist/index.js')
  expect(new Set(imported(source))).toEqual(new Set(['@koishijs/client', 'vue', 'vue-router']))
  expect(source).not.toMatch(/\bimport\(/)
})

test('the page is small enough to be there at once', async () => {
  expect(gzipSync(await read('dist/index.js')).length).toBeLessThan(110_000)
})

test('the page has no schemas of the protocol in it', async () => {
  // Every schema of valibot has this property.
  expect(await read('dist/index.js')).not.toContain('~standard')
})

test('every bundled library is named with its licence', async () => {
  const text = await read('THIRD-PARTY-LICENSES')
  expect(text).toMatch(/^ky \d/m)
  expect(text).toMatch(/^valibot \d/m)
})
