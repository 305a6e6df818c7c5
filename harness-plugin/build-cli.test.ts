import { readdir, stat } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { unpackedForTests } from '@plugmark/shared/packing/testing'
import { expect, test } from 'vitest'
import { packCli } from './build.ts'
import { documentJsonSchema } from './cli/commands/describe.ts'

const { path, read } = unpackedForTests(packCli)
/** Returns the imports of a file without its comments, which can contain example imports. */
function imported(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '')
  const found = [/^import\b[^"']*["']([^"']+)["'];?$/gm, /\bimport\(["']([^"']+)["']\)/g]
  return found.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name]) => name!))
}

test('the package contains only the program, its schema, its skill and the licences', async () => {
  expect((await readdir(path())).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'README.zh.md',
    'THIRD-PARTY-LICENSES',
    'lib',
    'package.json',
    'schema.json',
    'skill',
  ])
  expect(JSON.parse(await read('schema.json'))).toEqual(documentJsonSchema())
  const licenses = await read('THIRD-PARTY-LICENSES')
  for (const name of ['commander', '@bomb.sh/tab', '@modelcontextprotocol/server', 'zod', 'valibot'])
    expect(licenses).toContain(`${name} `)
})

test('the program needs only Node', async () => {
  const manifest = JSON.parse(await read('package.json'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('private')
  expect((await stat(path(manifest.bin.plugmark))).mode & 0o111).toBe(0o111)
  expect(await read(manifest.bin.plugmark)).toMatch(/^#!\/usr\/bin\/env node\n/)
  const own = await readdir(path('lib'))
  const allowed = new Set([
    ...builtinModules.flatMap((name) => [name, `node:${name}`]),
    ...own.map((name) => `./${name}`),
  ])
  for (const file of own)
    expect(
      imported(await read(`lib/${file}`)).filter((name) => !allowed.has(name)),
      file,
    ).toEqual([])
})

test('a start loads neither the host, nor the commands, nor the MCP server', async () => {
  const first = imported(await read('lib/plugmark.js')).filter((name) => name !== './complete.js')
  const start = (await read('lib/start.js')).match(/^import\b.*$/gm) ?? []
  for (const source of [...first, ...start]) expect(source).not.toMatch(/\b(?:host|commands|search|mcp|schemas|ky)\.js/)
})

/** Returns what these files import, themselves included, and what that imports. */
async function loadedBy(...files: readonly string[]): Promise<readonly string[]> {
  const loaded = new Set<string>()
  async function load(file: string): Promise<void> {
    if (loaded.has(file)) return
    loaded.add(file)
    const statements = (await read(`lib/${file}`)).match(/^import\b[^;]*;$/gm) ?? []
    for (const name of statements.flatMap((statement) => imported(statement)))
      name.startsWith('./') ? await load(name.slice(2)) : loaded.add(name)
  }
  for (const file of files) await load(file)
  return [...loaded]
}

test('a search in what was prepared loads neither the host nor the other commands, and a terminal no host', async () => {
  const filesOf = async (...files: string[]) => (await loadedBy(...files)).filter((name) => name.endsWith('.js'))
  expect((await filesOf('search.js')).toSorted()).toEqual(['rolldown-runtime.js', 'search.js', 'start.js'])
  expect(await filesOf('search.js', 'render.js')).not.toContain('host.js')
})

test('a search of all listings loads no network module of Node, which takes as long as the search itself', async () => {
  const loaded = await loadedBy('start.js', 'search.js', 'commands.js', 'host.js')
  expect(loaded).toContain('node:path')
  expect(loaded.filter((name) => /^node:(?:https?|http2|tls|net)$/.test(name))).toEqual([])
})

test('a start imports no name that an old Node lacks, so that it can say that Node is too old', async () => {
  const start = (await read('lib/start.js')).match(/^import\b.*$/gm) ?? []
  expect(start.filter((line) => line.includes('styleText'))).toEqual([])
  expect(await read('lib/start.js')).toContain('styleText')
})
