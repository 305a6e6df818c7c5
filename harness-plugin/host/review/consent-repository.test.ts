import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hostForTests, readFit, readInspection, value } from '../host-testing.ts'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { aRecord, directoryOf, hashTree } from '../testing.ts'

const { its, review, ended } = hostForTests()

test('a review says that the profile loads another package of the same repository already', async () => {
  const { directory } = its.home
  const loadedAs = async (repository: unknown, layers = ['@old/kite']) => {
    const folder = join(directory, 'node_modules/@old/kite')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify({ version: '1.0.0', repository }))
    const manifest = { dependencies: { '@old/kite': '^1.0.0' }, dsh: { profile: { bundles: layers } } }
    await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
    return value(await review('Acme/kite')).loadedAs
  }
  its.create({ fetch: directoryOf([aRecord('Acme/kite', { installCheck: 'passed', npmPackage: '@new/kite' })]).fetch })
  const url = 'git+https://github.com/acme/kite.git'
  expect(await loadedAs({ type: 'git', url })).toBe('@old/kite')
  expect(await loadedAs('github:acme/kite')).toBe('@old/kite')
  // Off, of another repository, a part of one, or without one.
  expect(await loadedAs({ url }, [])).toBeNull()
  expect(await loadedAs({ url: 'https://github.com/acme/other' })).toBeNull()
  expect(await loadedAs({ url, directory: 'packages/kite' })).toBeNull()
  expect(await loadedAs(undefined)).toBeNull()
})

/** Stands in for the harness: adds the repository's commit and version that the file `now` names. */
const FROM_REPOSITORY = `
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const args = process.argv.slice(2)
if (args[0] === '--version') console.log('0.1.5')
else {
  const { commit, version, at } = JSON.parse(readFileSync(__dirname + '/now', 'utf8'))
  const profile = process.env.DSH_HOME + '/profiles/web'
  const manifest = JSON.parse(readFileSync(profile + '/package.json', 'utf8'))
  const { bundles } = manifest.dsh.profile
  if (!bundles.includes('kite')) bundles.push('kite')
  manifest.dependencies = { ...manifest.dependencies, kite: args.at(-1) }
  mkdirSync(profile + '/node_modules/kite', { recursive: true })
  writeFileSync(profile + '/node_modules/kite/package.json', JSON.stringify({ version, dsh: { bundle: {} } }))
  const id = 'kite@' + (at ?? 'https://codeload.github.com/a/kite/tar.gz/') + commit
  writeFileSync(profile + '/pnpm-lock.yaml', JSON.stringify({ packages: { [id]: { resolution: { tarball: id } } } }))
  writeFileSync(profile + '/package.json', JSON.stringify(manifest))
}`

describe('a repository', () => {
  const [REVIEWED, LATER] = ['a'.repeat(40), 'b'.repeat(40)]
  const manifest = (version?: string) => ({ file: { name: 'kite', ...(version && { version }) } })
  let host: RegistryForTests
  /** Sets the commits that git tells, by the name of a reference; null: it does not answer. */
  const tellCommits = async (commits: Readonly<Record<string, string>> | null) => {
    const lines = Object.entries(commits ?? {}).map(([name, commit]) => `${commit}\t${name}\n`)
    const program = commits ? `#!/bin/sh\nprintf '${lines.join('')}'` : '#!/bin/sh\nexit 128'
    await writeFile(join(its.home.home, 'bin/git'), program, { mode: 0o755 })
  }
  const install = (given: { commit: string; version?: string; at?: string }) =>
    writeFile(join(its.home.home, 'now'), JSON.stringify({ version: '1.0.0', ...given }))
  const reviewSpec = async (spec: string) => value(await its.host.calls.reviewSpec({ spec, profile: 'web' }))
  const start = async ({ id, token }: { readonly id: string; readonly token: string }) =>
    (await ended(value(await its.host.calls.start({ id, token, acknowledged: true })).id)).outcome
  const CHANGED = { kind: 'source-changed', subjects: ['kite@aaaaaaa', 'kite@bbbbbbb'], rollback: 'complete' }

  beforeEach(async () => {
    const { home } = its.home
    host = await startRegistryForTests({
      [`a/kite/${REVIEWED}/package.json`]: manifest('1.0.0'),
      'a/kite/HEAD/package.json': manifest('0.9.0'),
    })
    const bin = join(home, 'bin')
    await mkdir(bin)
    await tellCommits({ HEAD: REVIEWED })
    await writeFile(join(home, 'program.cjs'), FROM_REPOSITORY)
    const command = 'dsh plugin --profile web add github:a/kite'
    const record = aRecord('a/kite', {
      installCheck: 'passed',
      npmPackage: null,
      installKind: 'github',
      install: command,
    })
    const env = { PATH: `${bin}:${process.env.PATH}` }
    its.create({ fetch: directoryOf([record]).fetch, env, rawUrl: host.url })
  })
  afterEach(() => host.close())

  test('is installed at the commit that was reviewed, also when another has the same version', async () => {
    const { directory } = its.home
    const before = await hashTree(directory, ['.plugmark'])
    await install({ commit: LATER })
    const reviewed = value(await review('a/kite'))
    expect(reviewed.commit).toBe(REVIEWED)
    expect(await start(reviewed)).toMatchObject(CHANGED)
    expect(await hashTree(directory, ['.plugmark'])).toBe(before)
    await install({ commit: REVIEWED })
    expect(await start(value(await review('a/kite')))).toMatchObject({ kind: 'registered' })
  })

  test.each(['github:a/kite', 'https://github.com/a/kite/tree/main', 'a/kite#v1'])(
    'is installed from %s at the commit that was reviewed',
    async (source) => {
      await tellCommits(
        source.endsWith('main')
          ? { 'refs/heads/main': REVIEWED, 'refs/heads/x/main': LATER }
          : { HEAD: REVIEWED, 'refs/tags/v1': LATER, 'refs/tags/v1^{}': REVIEWED },
      )
      // Without a version, only the commit tells two states of a repository apart.
      host.serve({ [`a/kite/${REVIEWED}/package.json`]: manifest() })
      await install({ commit: LATER })
      const reviewed = await reviewSpec(source)
      expect(reviewed.commit).toBe(REVIEWED)
      expect(await start(reviewed)).toMatchObject(CHANGED)
    },
  )

  test('at a full commit needs no answer of git', async () => {
    await tellCommits(null)
    await install({ commit: LATER })
    const reviewed = await reviewSpec(`github:a/kite#${REVIEWED}`)
    expect(reviewed.commit).toBe(REVIEWED)
    expect(await start(reviewed)).toMatchObject(CHANGED)
  })

  test('has a review at an abbreviated commit, and none at a branch of six hex letters that is not there', async () => {
    const refs = ['a1b2c3d', 'facade']
    host.serve(Object.fromEntries(refs.map((ref) => [`a/kite/${ref}/package.json`, manifest('1.0.0')])))
    expect((await reviewSpec('github:a/kite#a1b2c3d')).commit).toBe('unknown')
    const answer = await its.host.calls.reviewSpec({ spec: 'github:a/kite#facade', profile: 'web' })
    expect(answer).toMatchObject({ code: 'unknown-source' })
  })

  test('is described by the package.json of the reviewed commit, not by an older one that the code host still shows', async () => {
    const reviewed = value(await review('a/kite'))
    expect(await readFit(its.host, reviewed)).toMatchObject({ plugin: 'kite@1.0.0' })
    await install({ commit: REVIEWED, version: '2.0.0' })
    expect(await start(reviewed)).toMatchObject({ kind: 'source-changed', subjects: ['kite@1.0.0', 'kite@2.0.0'] })
  })

  test('is read at the commit that its yes is for, and compared with the installed one', async () => {
    await install({ commit: LATER })
    await tellCommits({ HEAD: LATER })
    await start(value(await review('a/kite')))
    await tellCommits({ HEAD: REVIEWED })
    const reviewed = value(await review('a/kite', 'web', 'update'))
    const asked = join(its.home.home, 'asked')
    await writeFile(join(its.home.home, 'bin/git'), `#!/bin/sh\necho "$@" >> ${asked}\nexit 128`, { mode: 0o755 })
    expect(await readInspection(its.host, reviewed)).toMatchObject({
      plugin: `github:a/kite#${REVIEWED}`,
      code: { state: 'unknown', reason: 'repository-unreachable' },
    })
    const fetched = (await readFile(asked, 'utf8')).matchAll(/ -- (\S+) (\w+)$/gm)
    const url = 'https://github.com/a/kite.git'
    expect([...fetched].map(([, from, commit]) => [from, commit])).toEqual([
      [url, REVIEWED],
      [url, LATER],
    ])
    expect(value(await its.host.calls.diff(reviewed))).toMatchObject({
      package: 'github:a/kite',
      before: LATER,
      after: REVIEWED,
      files: { state: 'unknown', reason: 'repository-unreachable' },
    })
  })

  test('is not kept when its commit was reviewed and cannot be found after the install', async () => {
    await install({ commit: LATER, at: 'https://mirror.example/' })
    expect(await start(value(await review('a/kite')))).toMatchObject({
      kind: 'source-changed',
      subjects: ['kite@aaaaaaa', 'kite@unknown'],
      rollback: 'complete',
    })
    await install({ commit: REVIEWED, at: 'git+ssh://git@github.com/a/kite.git#' })
    expect(await start(value(await review('a/kite')))).toMatchObject({ kind: 'registered' })
  })

  test('has a review that says when its commit is unknown', async () => {
    await tellCommits(null)
    expect(value(await review('a/kite'))).toMatchObject({ commit: 'unknown' })
    host.serve({ 'a/kite/HEAD/package.json': manifest('1.0.0') })
    expect(await reviewSpec('github:a/kite')).toMatchObject({ commit: 'unknown' })
  })
})
