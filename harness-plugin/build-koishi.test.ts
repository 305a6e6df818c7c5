import { builtinModules } from 'node:module'
import { gzipSync } from 'node:zlib'
import { unpackedForTests } from '@plugmark/shared/packing/testing'
import { expect, test } from 'vitest'
import { packKoishi } from './build.ts'

const { read, files } = unpackedForTests(packKoishi)
const required = (source: string) => [...source.matchAll(/\brequire\(["'`]([^"'`]+)["'`]\)/g)].map(([, name]) => name!)
/** Returns the imports that the console rewrites. Source: transformImport of @koishijs/plugin-console 5.30.11. */
const imported = (source: string) =>
  [...source.matchAll(/(?:^|;)import\b[^'"]+\bfrom\s*(['"])([^'"]+)\1(?=;)/gm)].map(([, , name]) => name)

test('the package contains only the built files and the licences', async () => {
  expect(await files()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'README.zh.md',
    'THIRD-PARTY-LICENSES',
    'index.cjs',
    'index.d.cts',
    'index.js',
    'inspection-statement.mjs',
    'inspection-valibot.mjs',
    'inspection-worker.mjs',
    'markdown.js',
    'package.json',
    'style.css',
  ])
})

test('the package has no dependencies to install', async () => {
  const manifest = JSON.parse(await read('package.json'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('private')
  expect(manifest.license).toBe('AGPL-3.0-or-later')
  expect(await read('LICENSE')).toContain('GNU AFFERO GENERAL PUBLIC LICENSE')
})

test('the manifest has the texts for the market, and only koishi and its console as peers', async () => {
  const { koishi, peerDependencies, peerDependenciesMeta } = JSON.parse(await read('package.json'))
  expect(koishi).toMatchObject({ locales: ['en-US', 'zh-CN'], category: 'console', preview: true })
  expect(koishi.description).toEqual({ en: expect.any(String), zh: expect.stringMatching(/\p{Script=Han}/u) })
  expect(Object.keys(peerDependencies)).toEqual(['@koishijs/plugin-console', 'koishi'])
  expect(peerDependenciesMeta).toBeUndefined()
})

test('the host half imports only Node and koishi', async () => {
  const builtin = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]))
  const foreign = required(await read('lib/index.cjs')).filter((name) => !builtin.has(name))
  expect(new Set(foreign)).toEqual(new Set(['koishi']))
})

test('the page imports only modules of the console, in the form that the console rewrites', async () => {
  const source = await read('dist/index.js')
  const names = [...source.matchAll(/\} ?from ?["'`]([^"'`]+)["'`]/g)].map(([, name]) => name)
  expect(names).toEqual(imported(source))
  expect(new Set(names)).toEqual(new Set(['@koishijs/client', 'vue', 'vue-router']))
  const loadedLater = [...source.matchAll(/\bimport\(["'`](.*?)["'`]\)/g)].map(([, file]) => file)
  expect(loadedLater).toEqual(['./markdown.js'])
  expect(imported(await read('dist/markdown.js'))).toEqual([])
})

test('the page is below 118 kB gzipped', async () => {
  expect(gzipSync(await read('dist/index.js')).length).toBeLessThan(118_000)
})

test('the page contains no schemas of the protocol', async () => {
  // Every schema of valibot has this property.
  expect(await read('dist/index.js')).not.toContain('~standard')
})

test('the package names every bundled library with its licence', async () => {
  const text = await read('THIRD-PARTY-LICENSES')
  expect(text).toMatch(/^ky \d/m)
  expect(text).toMatch(/^valibot \d/m)
})
