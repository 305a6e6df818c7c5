import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPagePartProblem, mayHavePagePart } from './judge.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-page-'))
})
afterEach(() => rm(directory, { recursive: true }))

async function problem(
  source: string | null,
  manifest: object = { dsh: { client: {} }, exports: { './client': './lib/c.js' } },
) {
  const folder = join(directory, 'node_modules/@acme/clock')
  await mkdir(join(folder, 'lib'), { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  if (source !== null) await writeFile(join(folder, 'lib/c.js'), source)
  return findPagePartProblem(directory, '@acme/clock')
}

test('accepts a page part that parses, without running it', async () => {
  expect(await problem('throw new Error("it ran")')).toBeNull()
  const conditions = { dsh: { client: {} }, exports: { './client': { types: './c.d.ts', default: './lib/c.js' } } }
  expect(await problem('window.__ModuleLoader__.load({})', conditions)).toBeNull()
})

test('names the file and the line of a syntax error', async () => {
  expect(await problem('const a = 1\nload({ factory: ( })')).toBe(
    "@acme/clock/lib/c.js:2: SyntaxError: Unexpected token '}'",
  )
  expect(await problem('import "react"')).toMatch(
    /^@acme\/clock\/lib\/c.js:1: SyntaxError: Cannot use import statement/,
  )
})

test('names a file that the package lacks', async () => {
  expect(await problem(null)).toBe('@acme/clock/lib/c.js: ENOENT')
})

test('finds nothing in a package without a page part, or without a readable manifest', async () => {
  expect(await problem('(', { dsh: {}, exports: { './client': './lib/c.js' } })).toBeNull()
  expect(await problem('(', { dsh: { client: {} }, exports: './lib/c.js' })).toBeNull()
  expect(await findPagePartProblem(directory, 'nobody')).toBeNull()
})

test('is certain only of an installed package that declares no page part', async () => {
  await problem(null)
  expect(await mayHavePagePart(directory, '@acme/clock')).toBe(true)
  expect(await mayHavePagePart(directory, '@acme/clock/lib/host.js')).toBe(true)
  await problem(null, { dsh: { bundle: {} } })
  expect(await mayHavePagePart(directory, '@acme/clock')).toBe(false)
  expect(await mayHavePagePart(directory, '@acme/clock/lib/host.js')).toBe(false)
  for (const unknown of ['nobody', 'cordis:group', './local.js', '../other', ''])
    expect(await mayHavePagePart(directory, unknown), unknown).toBe(true)
})
