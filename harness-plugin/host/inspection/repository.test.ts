import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ARCHIVE_LIMITS, readArchives, readCommit } from '../process/git.ts'
import { inspectRepository } from './inspect.ts'
import { readVersionDiff } from './version-diff.ts'

let folder: string
let env: Record<string, string>
const spec = { kind: 'github', owner: 'acme', repo: 'kite' } as const
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env }).toString().trim()

/** Commits files, and removes the others. @returns the commit */
async function commit(files: Readonly<Record<string, string>>): Promise<string> {
  for (const name of await readdir(folder))
    if (name !== '.git' && name !== 'temporary') await rm(join(folder, name), { recursive: true })
  for (const [path, body] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), body)
  }
  git('add', '--all', '--force', ':!temporary')
  git('commit', '--quiet', '--allow-empty', '-m', 'change')
  return git('rev-parse', 'HEAD')
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-repository-'))
  const identity = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@a.dev',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@a.dev',
  }
  // The code host is this folder, and answers for every commit as it does.
  const config = [
    `url.file://${folder}.insteadOf`,
    'https://github.com/acme/kite.git',
    'uploadpack.allowAnySHA1InWant',
    'true',
    'protocol.file.allow',
    'always',
  ]
  const pairs = [0, 1, 2].map((at) => [
    [`GIT_CONFIG_KEY_${at}`, config[2 * at]!],
    [`GIT_CONFIG_VALUE_${at}`, config[2 * at + 1]!],
  ])
  env = {
    PATH: process.env.PATH!,
    HOME: folder,
    ...identity,
    GIT_CONFIG_COUNT: '3',
    ...Object.fromEntries(pairs.flat()),
  }
  git('init', '--quiet')
})
afterAll(() => rm(folder, { recursive: true }))

const inspect = (
  commit: string | null,
  before: string | null = null,
  given: Partial<{ env: Record<string, string> }> = {},
) => inspectRepository({ spec, commit, before, env, signal: new AbortController().signal, ...given })
const compare = (before: string | null, after: string | null) =>
  readVersionDiff({ spec, before, after, repoUrls: [], directory: folder, env, signal: new AbortController().signal })

test('reads the code of exactly one commit, also when the repository has moved on', async () => {
  const reviewed = await commit({ 'package.json': '{}', 'index.js': `fetch('https://api.a.dev')` })
  await commit({ 'package.json': '{}', 'index.js': 'eval(x)' })
  expect(await inspect(reviewed)).toEqual({
    plugin: `github:acme/kite#${reviewed}`,
    before: null,
    code: {
      state: 'read',
      abilities: [
        { kind: 'network', names: ['api.a.dev'], harmless: 0, more: false, places: [{ file: 'index.js', line: 1 }] },
      ],
      others: [],
      scripts: [],
      files: null,
      unread: [],
    },
  })
})

test('lists of an update only what its commit gains over the installed one', async () => {
  const old = await commit({ 'package.json': '{}', 'index.js': 'process.env.A' })
  const now = await commit({ 'package.json': '{}', 'index.js': 'process.env.A; eval(x)' })
  const { before, code } = await inspect(now, old)
  expect(before).toBe(old)
  expect(code).toMatchObject({ abilities: [{ kind: 'runs-text' }] })
  // A commit that is not there any more: everything is listed.
  expect(await inspect(now, 'e'.repeat(40))).toMatchObject({
    before: null,
    code: { abilities: [{ kind: 'runs-text' }, { kind: 'environment' }] },
  })
})

test('names the build of a repository as new where its configuration has changed', async () => {
  const files = { 'package.json': '{"scripts":{"prepare":"rollup -c"}}', 'index.js': '' }
  const old = await commit({ ...files, '.npmrc': 'registry=https://registry.example/' })
  const now = await commit({ ...files, '.npmrc': 'registry=https://evil.dev/' })
  const build = { kind: 'install-scripts', names: ['prepare: rollup -c'] }
  expect((await inspect(now, old)).code).toMatchObject({ abilities: [build] })
  const same = await commit({ ...files, '.npmrc': 'registry=https://evil.dev/', 'README.md': '' })
  expect((await inspect(same, now)).code).toMatchObject({ abilities: [] })
})

test.for([
  [{ prepare: 'npm run build', prepack: 'tsc', test: 'vitest' }, ['prepack: tsc', 'prepare: npm run build']],
  [{ prepack: 'tsc', postinstall: 'node a.js' }, ['postinstall: node a.js', 'prepack: tsc']],
  [{ prepack: 'tsc' }, [], 'index.js'],
] as const)('names the scripts by which the package manager builds it: %j', async ([scripts, names, main]) => {
  const head = await commit({ 'package.json': JSON.stringify({ scripts }), ...(main && { [main]: '' }) })
  const { code } = await inspect(head)
  const found = code.state === 'read' ? code.abilities.find(({ kind }) => kind === 'install-scripts') : null
  expect(found?.names ?? []).toEqual(names)
})

test('reads every file as it was committed, whatever the attributes of the repository and filters of the user say', async () => {
  const ran = join(folder, '.git/filter-ran')
  const head = await commit({
    'package.json': '{"exports":["./hidden.js","./other.js"]}',
    '.gitattributes': 'hidden.js export-ignore\nother.js filter=evil export-subst',
    'hidden.js': 'eval(x)',
    'other.js': `import { spawn } from 'child_process'; spawn('$Format:%H$')`,
  })
  const filters = { GIT_CONFIG_COUNT: '4', GIT_CONFIG_KEY_3: 'filter.evil.smudge', GIT_CONFIG_VALUE_3: `touch ${ran}` }
  const { code } = await inspect(head, null, { env: { ...env, ...filters } })
  expect(code).toMatchObject({
    abilities: [{ kind: 'starts-programs', names: ['$Format:%H$'] }, { kind: 'runs-text' }],
    unread: [{ file: 'other.js', reason: 'rewritten' }],
  })
  expect(existsSync(ran)).toBe(false)
})

test.for([
  ['export-subst', '/* $Format:%b$ */', 'index.js'],
  ['ident', '"$Id:"+$+"; run(); //"', 'index.js'],
  ['working-tree-encoding=SHIFT_JIS', 'let a', '.gitattributes'],
])('names what the code host serves with other contents, and compares nothing: %s', async ([attribute, code, file]) => {
  const files = { 'package.json': '{}', 'index.js': code!, 'plain.js': 'let a' }
  const plain = await commit(files)
  expect((await inspect(plain)).code).toMatchObject({ unread: [] })
  const old = await commit({ ...files, '.gitattributes': `*.js ${attribute}` })
  const now = await commit({ ...files, '.gitattributes': `*.js ${attribute}` })
  const unread = [{ file, reason: 'rewritten' }]
  expect((await inspect(now)).code).toMatchObject({ unread })
  // The same text in another commit is another one in the end.
  expect((await inspect(now, old)).code).toMatchObject({ unread })
  expect((await compare(old, now)).files).toEqual({ state: 'unknown', reason: 'rewritten' })
  expect((await compare(plain, now)).files).toEqual({ state: 'unknown', reason: 'rewritten' })
})

test('reads a repository where the git settings of the user allow none without a working tree', async () => {
  const head = await commit({ 'package.json': '{}', 'index.js': '' })
  const setting = { GIT_CONFIG_COUNT: '4', GIT_CONFIG_KEY_3: 'safe.bareRepository', GIT_CONFIG_VALUE_3: 'explicit' }
  expect((await inspect(head, null, { env: { ...env, ...setting } })).code).toMatchObject({ state: 'read' })
})

test('asks the user for no password when the code host wants one', async () => {
  const authorizations: (string | undefined)[] = []
  const host = createServer(({ headers }, response) => {
    authorizations.push(headers.authorization)
    response.writeHead(401, { 'www-authenticate': 'Basic realm="a"' }).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void host.close())
  await once(host, 'listening')
  const asked = join(folder, '.git/asked')
  const program = join(folder, '.git/ask.sh')
  await writeFile(program, `#!/bin/sh\necho "$1" >> ${asked}\necho secret\n`, { mode: 0o755 })
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/acme/kite.git`
  for (const own of [
    { GIT_ASKPASS: program },
    { SSH_ASKPASS: program },
    { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.askPass', GIT_CONFIG_VALUE_0: program },
  ]) {
    const options = { env: { PATH: env.PATH!, HOME: folder, ...own }, signal: new AbortController().signal }
    expect(await readArchives(url, ['a'.repeat(40)], options)).toEqual([{ state: 'repository-unreachable' }])
    expect(await readCommit({ url, ref: 'main' }, folder, options)).toBeNull()
  }
  expect(authorizations.length).toBeGreaterThan(0)
  expect(authorizations.filter((sent) => sent !== undefined)).toEqual([])
  expect(existsSync(asked)).toBe(false)
})

test('follows no link, and names it', async () => {
  await commit({ 'package.json': '{}' })
  await symlink('/etc/passwd', join(folder, 'a.js'))
  git('add', '--all')
  git('commit', '--quiet', '-m', 'link')
  expect((await inspect(git('rev-parse', 'HEAD'))).code).toMatchObject({
    unread: [{ file: 'package/a.js', reason: 'link' }],
  })
})

test('says why a repository could not be read, and leaves nothing behind', async () => {
  const temporary = join(folder, 'temporary')
  await mkdir(temporary, { recursive: true })
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  const reason = async (...given: Parameters<typeof inspect>) => {
    const { code } = await inspect(...given)
    return code.state === 'unknown' ? code.reason : code.state
  }
  const head = await commit({ 'package.json': '{}' })
  expect(await reason(null)).toBe('unknown-commit')
  expect(await reason('f'.repeat(40))).toBe('no-such-commit')
  expect(
    await reason(head, null, {
      env: {
        ...env,
        GIT_CONFIG_VALUE_0: 'https://elsewhere.invalid/',
        GIT_CONFIG_COUNT: '1',
        https_proxy: 'http://127.0.0.1:9',
      },
    }),
  ).toBe('repository-unreachable')
  expect(await reason(head, null, { env: { PATH: folder } })).toBe('no-git')
  expect(await reason(await commit({ 'index.js': '' }))).toBe('unreadable')
  expect(await readdir(temporary)).toEqual([])
})

test.for([
  ['fetchedBytes', 100, 'too-large'],
  ['bytes', 10, 'too-large'],
  ['files', 1, 'too-many-files'],
] as const)('reads no repository that exceeds its limit: %s', async ([name, limit, state]) => {
  const head = await commit({ 'package.json': '{}', 'index.js': 'a longer text' })
  const options = { env, signal: new AbortController().signal }
  const limits = { ...ARCHIVE_LIMITS, [name]: limit }
  expect(await readArchives('https://github.com/acme/kite.git', [head], options, limits)).toEqual([{ state }])
})

test('reads no repository whose list of files is too long to add up their sizes', async () => {
  const input = (command: string[], text: string) =>
    execFileSync('git', command, { cwd: folder, env, input: text }).toString().trim()
  const blob = input(['hash-object', '-w', '--stdin'], '')
  const names = Array.from({ length: 2700 }, (_, at) => `100644 blob ${blob}\t${at}\n`)
  let tree = input(['mktree'], names.join(''))
  // Each path has 4,000 characters.
  for (let depth = 0; depth < 16; depth++) tree = input(['mktree'], `040000 tree ${tree}\t${'d'.repeat(250)}\n`)
  const head = git('commit-tree', tree, '-m', 'long')
  git('update-ref', 'refs/heads/long', head)
  const options = { env, signal: new AbortController().signal }
  const read = await readArchives('https://github.com/acme/kite.git', [head], options)
  expect(read).toEqual([{ state: 'too-many-files' }])
})

test('compares two commits, a tag, and by default the newest with the one before it', async () => {
  const first = await commit({ 'package.json': '{}', 'index.js': 'a' })
  git('tag', 'v1')
  const second = await commit({ 'package.json': '{}', 'index.js': 'b' })
  const third = await commit({ 'package.json': '{}', 'index.js': 'c' })
  const lines = async (before: string | null, after: string | null) => {
    const { files, ...about } = await compare(before, after)
    return [
      about,
      files.state === 'read' ? files.changed.flatMap((file) => file.lines.filter((line) => /^[+-]/.test(line))) : files,
    ]
  }
  const about = (before: string, after: string) => ({
    package: 'github:acme/kite',
    before,
    after,
    compareUrl: `https://github.com/acme/kite/compare/${before}...${after}`,
  })
  expect(await lines(first, second)).toEqual([about(first, second), ['-a', '+b']])
  expect(await lines('v1', null)).toEqual([about(first, third), ['-a', '+c']])
  expect(await lines(null, null)).toEqual([about(second, third), ['-b', '+c']])
  expect(await lines(third, third)).toEqual([about(second, third), ['-b', '+c']])
  const [, missing] = await lines('nothing', null)
  expect(missing).toEqual({ state: 'unknown', reason: 'no-such-commit' })
})
