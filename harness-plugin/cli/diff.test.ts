import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { packPackage } from '../host/inspection/testing.ts'
import { type RegistryForTests, startRegistryForTests } from '../host/registry/testing.ts'
import { aHome } from '../host/testing.ts'
import { runsForTests } from './testing.ts'

const { json, start } = runsForTests()
let folder: string
let home: Awaited<ReturnType<typeof aHome>>
let registry: RegistryForTests
let env: Record<string, string>

/** Two versions of the listed package: one line of the entry differs, a minified file, and an address with a password. */
const VERSIONS = {
  '1.0.0': { 'index.js': 'let a\n', 'min.js': 'var a=1,b=c(1);d=2;'.repeat(150) },
  '1.1.0': { 'index.js': 'let a\n  eval(\u202ex)\n', 'min.js': 'var a=1,b=c(2);d=2;'.repeat(150) },
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-diff-'))
  home = await aHome()
  registry = await startRegistryForTests({})
  const packed = Object.entries(VERSIONS).map(async ([version, files]) => {
    const body = Buffer.from(await packPackage(files))
    const integrity = `sha512-${createHash('sha512').update(body).digest('base64')}`
    const path = `good/-/good-${version}.tgz`
    const dist = { tarball: `${registry.url}/${path}`, integrity }
    return { version, dist, path, served: { body, headers: { 'content-encoding': 'identity' } } }
  })
  const all = await Promise.all(packed)
  registry.serve({
    good: Object.fromEntries(all.map(({ version, dist }) => [version, { dist }])),
    ...Object.fromEntries(all.map(({ path, served }) => [path, served])),
  })
  await writeFile(join(folder, '.npmrc'), `registry=${registry.url}\n`)
  env = { HOME: folder, DSH_HOME: home.home }
})
afterEach(async () => {
  await Promise.all([registry.close(), home.dispose()])
  await rm(folder, { recursive: true })
})

const inPipe = async (...args: string[]) => {
  const { run, written } = start(['diff', 'a/good', ...args], { env })
  return { code: await run.finish(), ...written }
}

test('answers with the files that two versions differ in, and with the lines of each', async () => {
  const { code, document } = await json(['diff', 'a/good'], { env })
  expect(code).toBe(0)
  expect(document.data).toMatchObject({ id: 'a/good', package: 'good', before: '1.0.0', after: '1.1.0' })
  expect(document.data.files).toMatchObject({
    state: 'read',
    more: 0,
    changed: [
      { path: 'index.js', role: 'entry', folded: null, lines: ['@@ -1,1 +1,2 @@', ' let a', '+  eval(\\u{202e}x)'] },
      { path: 'min.js', role: 'code', folded: 'minified', more: true },
    ],
  })
  expect(document.data.files.changed[1].lines).toContain('+var a=1,b=c(2);')
})

test('writes plain lines to a pipe, and names minified files without theirs', async () => {
  const { code, stdout } = await inPipe('1.0.0', '1.1.0')
  expect(code).toBe(0)
  expect(stdout).not.toContain('\u001b')
  expect(stdout.split('\n')).toEqual([
    'good 1.0.0 → 1.1.0',
    '',
    'index.js  entry  1 kB → 1 kB',
    '@@ -1,1 +1,2 @@',
    ' let a',
    '+  eval(\\u{202e}x)',
    '',
    'min.js  code  3 kB → 3 kB',
    'Minified: --json has the statements that differ.',
    '',
  ])
})

test('fails when a version is missing or cannot be read, so that nobody takes it for the same', async () => {
  expect(await json(['diff', 'a/good', '9.9.9'], { env })).toMatchObject({
    code: 3,
    document: {
      error: {
        code: 'no-such-version',
        message: 'a/good has no version 9.9.9. There are: 1.1.0, 1.0.0.',
        next: 'plugmark show a/good --json',
      },
      data: { before: '9.9.9', after: '1.1.0', files: { state: 'unknown', reason: 'no-such-version' } },
    },
  })
  const after = await inPipe('1.0.0', '9.9.9')
  expect(after.stderr).toBe(
    'Error: a/good has no version 9.9.9. There are: 1.1.0, 1.0.0.\nNext: plugmark show a/good\n',
  )
  // A registry tells the versions of what is listed.
  expect((await json(['diff', 'good', '1.0.0', '9.9.9', '--unlisted'], { env })).document.error).toMatchObject({
    code: 'no-such-version',
    message: 'good 1.0.0 → 9.9.9: Not read: the registry does not have this version.',
    next: 'plugmark show good --unlisted --json',
  })
  registry.serve({})
  expect(await json(['diff', 'a/good'], { env })).toMatchObject({
    code: 1,
    document: { error: { code: 'not-compared' }, data: { files: { reason: 'not-found' } } },
  })
  expect((await inPipe()).stderr).toMatch(/Not read: the registry does not have it\./)
})

test('says of a plugin with one version that there is nothing to compare', async () => {
  registry.serve({ good: { '1.0.0': { dist: { tarball: `${registry.url}/good.tgz` } } } })
  const { code, document } = await json(['diff', 'a/good'], { env })
  expect(code).toBe(1)
  expect(document.error).toMatchObject({
    code: 'not-compared',
    message: 'There is no version before good 1.0.0, so there is nothing to compare.',
    next: 'plugmark show a/good --json',
  })
})

test('compares versions of a package that the directory does not list, where that is asked for', async () => {
  expect(await json(['diff', 'good', '1.0.0', '1.1.0', '--unlisted'], { env })).toMatchObject({
    code: 0,
    document: { data: { package: 'good', before: '1.0.0', after: '1.1.0', files: { state: 'read' } } },
  })
})

test('shows and compares a repository that the directory does not list, and says what to do with what is none', async () => {
  const repository = join(folder, 'kite')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@a.dev', ...args], {
      encoding: 'utf8',
    })
  await mkdir(repository)
  git('init', '--quiet')
  for (const version of ['1.0.0', '1.1.0']) {
    await writeFile(join(repository, 'package.json'), JSON.stringify({ name: 'kite', version, license: 'ISC' }))
    git('add', '.')
    git('commit', '--quiet', '-m', version)
  }
  const config = `[url "file://${repository}"]\ninsteadOf = https://github.com/acme/kite.git\n[uploadpack]\nallowAnySHA1InWant = true\n[protocol "file"]\nallow = always\n`
  await writeFile(join(folder, '.gitconfig'), config)
  const given = { env: { ...env, PATH: process.env.PATH! } }
  const commit = git('rev-parse', 'HEAD').trim()
  expect(await json(['show', 'acme/kite', '--unlisted', '--profile', 'web'], given)).toMatchObject({
    code: 0,
    document: { data: { id: 'github:acme/kite', listed: false, package: 'kite', license: 'ISC' } },
  })
  expect(await json(['diff', 'acme/kite', '--unlisted', '--profile', 'web'], given)).toMatchObject({
    code: 0,
    document: { data: { package: 'github:acme/kite', after: commit, files: { changed: [{ path: 'package.json' }] } } },
  })
  for (const nothing of ['gone', './nowhere'])
    for (const command of ['show', 'diff'])
      expect((await json([command, nothing, '--unlisted', '--profile', 'web'], given)).document.error.next).toBe(
        'plugmark search',
      )
})
