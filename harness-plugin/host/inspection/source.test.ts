import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSource } from './origin.ts'
import { type PublishedVersion, publishedVersion } from './published.ts'
import { packPackage } from './testing.ts'

let folder: string
let env: Record<string, string>
const inRepository =
  (at: string) =>
  (...args: string[]) =>
    execFileSync('git', args, { cwd: join(folder, at), env })
      .toString()
      .trim()

/** Commits files to a repository on the code host. @returns the commit */
async function commit(
  files: Readonly<Record<string, string>>,
  { at = 'kite', tag }: { at?: string; tag?: string } = {},
) {
  const git = inRepository(at)
  for (const [path, body] of Object.entries(files)) {
    await mkdir(dirname(join(folder, at, path)), { recursive: true })
    await writeFile(join(folder, at, path), body)
  }
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '-m', 'change')
  if (tag !== undefined) git('tag', '--annotate', '-m', tag, tag)
  return git('rev-parse', 'HEAD')
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-source-'))
  const config = [
    [`url.file://${folder}/.insteadOf`, 'https://github.com/acme/'],
    ['uploadpack.allowAnySHA1InWant', 'true'],
    ['uploadpack.allowFilter', 'true'],
    ['protocol.file.allow', 'always'],
    ['user.name', 'ann'],
    ['user.email', 'ann@a.dev'],
  ]
  env = {
    PATH: process.env.PATH!,
    HOME: folder,
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([name, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, name!],
        [`GIT_CONFIG_VALUE_${at}`, value!],
      ]),
    ),
  }
  await mkdir(join(folder, 'kite.git'))
  execFileSync('git', ['init', '--quiet'], { cwd: join(folder, 'kite.git'), env })
})
afterAll(() => rm(folder, { recursive: true }))

/** Compares a package of these files with the repository. */
async function source(
  files: Readonly<Record<string, string>>,
  given: { version?: string; manifest?: Record<string, unknown>; repoUrl?: string; env?: Record<string, string> } = {},
) {
  const { version = '1.0.0', manifest = {}, repoUrl = 'https://github.com/acme/kite' } = given
  const document = {
    name: '@acme/kite',
    latest: version,
    tags: {},
    versions: { [version]: manifest },
    modified: null,
    times: {},
  }
  const published = publishedVersion(document, version) as PublishedVersion
  return readSource({
    name: '@acme/kite',
    version,
    published,
    tarball: await packPackage(files),
    repoUrl,
    directory: folder,
    env: given.env ?? env,
    signal: new AbortController().signal,
  })
}
const NONE = { names: [], count: 0 }
const PACKAGE = '{"name":"@acme/kite","version":"1.0.0"}'

test('finds that the files of a package are those of its tag', async () => {
  const head = await commit(
    { 'package.json': PACKAGE, 'index.js': 'a', 'src/index.ts': 'a' },
    { at: 'kite.git', tag: 'v1.0.0' },
  )
  await commit({ 'index.js': 'later' }, { at: 'kite.git' })
  const same = { state: 'read', tag: 'v1.0.0', commit: head, changed: NONE, absent: NONE }
  expect(await source({ 'index.js': 'a' })).toEqual(same)
  // Documents, and what a package.json does not run, are no difference.
  expect(await source({ 'package.json': `${PACKAGE} `, 'README.md': 'b', 'index.js': 'a' })).toEqual(same)
})

test('names the files that the tag has with other contents, and those that it does not have', async () => {
  await commit(
    { 'package.json': PACKAGE, 'index.js': 'import "./lib/built.js"', 'src/a.ts': 'a' },
    { at: 'kite.git', tag: '1.1.0' },
  )
  const files = { 'index.js': 'evil', 'lib/built.js': 'built', 'lib/a.node': 'native' }
  expect(await source(files, { version: '1.1.0' })).toMatchObject({
    tag: '1.1.0',
    changed: { names: ['index.js'], count: 1 },
    absent: { names: ['lib/a.node', 'lib/built.js'], count: 2 },
  })
})

test('finds a package in a folder of its repository', async () => {
  await commit(
    { 'packages/kite/index.js': 'in a folder', 'packages/kite/package.json': PACKAGE },
    { at: 'kite.git', tag: '@acme/kite@1.2.0' },
  )
  const repository = { url: 'https://github.com/acme/kite', directory: './packages/kite/' }
  const compare = (body: string) => source({ 'index.js': body }, { version: '1.2.0', manifest: { repository } })
  expect(await compare('in a folder')).toMatchObject({ tag: '@acme/kite@1.2.0', changed: NONE, absent: NONE })
  expect(await compare('evil')).toMatchObject({ changed: { names: ['index.js'] } })
})

test('takes the commit that a package names without a tag, if the default branch has it', async () => {
  const head = await commit({ 'index.js': 'without a tag' }, { at: 'kite.git' })
  const compare = (gitHead: string | undefined) =>
    source({ 'index.js': 'without a tag' }, { version: '2.0.0', manifest: { gitHead } })
  expect(await compare(head)).toEqual({ state: 'read', tag: null, commit: head, changed: NONE, absent: NONE })
  // The code host has commits of copies of the repository too.
  const git = inRepository('kite.git')
  git('checkout', '--quiet', '--detach')
  const foreign = await commit({ 'index.js': 'without a tag' }, { at: 'kite.git' })
  git('checkout', '--quiet', '-')
  expect(await compare(foreign)).toEqual({ state: 'unknown', reason: 'other-commit' })
  expect(await compare(undefined)).toEqual({ state: 'unknown', reason: 'no-tag' })
  expect(await compare('main; rm')).toEqual({ state: 'unknown', reason: 'no-tag' })
})

test('says why a package could not be compared with its repository', async () => {
  const reason = async (given: Parameters<typeof source>[1]) => source({}, given)
  for (const repoUrl of ['', 'https://gitlab.com/acme/kite'])
    expect(await reason({ repoUrl })).toEqual({ state: 'unknown', reason: 'no-repository' })
  const unreachable = { state: 'unknown', reason: 'repository-unreachable' }
  expect(await reason({ repoUrl: 'https://github.com/acme/nothing' })).toEqual(unreachable)
})
