import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Drift, ProfileLock, SyncPlan } from '../../protocol/index.ts'
import { hostForTests, value } from '../host-testing.ts'
import { aHome, aRecord, directoryOf, FAKE_HARNESS, furnish, hashTree } from '../testing.ts'

const { its, ended } = hostForTests()
const COMMIT = 'a1'.repeat(20)
const SECRET = 'npm_0123456789abcdefABCDEF0123'

const LOCKFILE = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      good: { specifier: ^1.0.0, version: 1.0.0 }
patchedDependencies:
  good@1.0.0: { hash: 0f1e, path: patches/good.patch }
packages:
  good@1.0.0: { resolution: { integrity: sha512-good } }
  needed@2.0.0: { resolution: { integrity: sha512-needed } }
  kite@https://codeload.github.com/moss/kite/tar.gz/${COMMIT}:
    resolution: { tarball: https://codeload.github.com/moss/kite/tar.gz/${COMMIT} }
    version: 0.1.0
`

/** Writes a profile with a plugin of each kind, as the package manager leaves it. */
async function furnishProfile(directory: string, { lockfile = LOCKFILE } = {}) {
  const file = (name: string) => join(directory, name)
  const dependencies = { other: 'file:/opt/other', kite: 'github:moss/kite', good: '^1.0.0' }
  const manifest = { dependencies, dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', 'kite', 'other'] } } }
  await writeFile(file('package.json'), JSON.stringify(manifest))
  await writeFile(file('pnpm-lock.yaml'), lockfile)
  for (const [name, version] of [
    ['good', '1.0.0'],
    ['kite', '0.1.0'],
    ['other', '3.0.0'],
  ]) {
    await mkdir(file(`node_modules/${name}`), { recursive: true })
    const bundle = { name, version, dsh: { bundle: {} } }
    await writeFile(file(`node_modules/${name}/package.json`), JSON.stringify(bundle))
  }
  await writeFile(file('node_modules/.modules.yaml'), JSON.stringify({ packageManager: 'pnpm@11.28.11' }))
  await mkdir(file('.plugmark'), { recursive: true })
  const holds = { good: { reason: 'It works.', since: 5 }, kite: { reason: null, since: 5, skips: '0.2.0' } }
  await writeFile(file('.plugmark/holds.json'), JSON.stringify({ version: 1, holds }))
}

const lockOf = async () => value(await its.host.calls.profileLock({ profile: 'web' }))
const driftOf = async (lock: ProfileLock): Promise<readonly Drift[]> => {
  const drift = value(await its.host.lockDrift('web', JSON.stringify(lock)))
  if ('problem' in drift) throw new Error(drift.problem)
  return drift
}
const kinds = (drift: readonly Drift[]) => drift.map(({ kind, name }) => `${kind} ${name}`)

/** What the host has of the user: the code host is a folder of this home. */
let env: Record<string, string>
beforeEach(async () => {
  await furnishProfile(its.home.directory)
  const { home } = its.home
  env = { PATH: process.env.PATH!, HOME: home }
  const settings = `[user]\nname = a\nemail = a@a.dev\n[url "file://${home}/github/"]\ninsteadOf = https://github.com/\n`
  await writeFile(join(home, '.gitconfig'), settings)
  its.create({ env })
})

/** Commits to a repository of the code host. @returns the commit */
async function commit(repository: string): Promise<string> {
  const cwd = join(its.home.home, 'github', `${repository}.git`)
  await mkdir(cwd, { recursive: true })
  const git = (...args: string[]) => execFileSync('git', args, { cwd, env }).toString().trim()
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '-m', 'one')
  return git('rev-parse', 'HEAD')
}

test('writes every plugin with its version, its integrity or its commit, off and held, by name', async () => {
  const { plugins, layers, packages, packageManager } = await lockOf()
  const none = { integrity: null, commit: null, off: false, held: null }
  expect(plugins).toEqual([
    {
      ...none,
      name: 'good',
      spec: '^1.0.0',
      version: '1.0.0',
      integrity: 'sha512-good',
      off: true,
      held: { reason: 'It works.' },
    },
    { ...none, name: 'kite', spec: 'github:moss/kite', version: '0.1.0', commit: COMMIT },
    { ...none, name: 'other', spec: null, version: null },
  ])
  expect(layers).toEqual(['@deepseek-ai/dsh-base', 'kite', 'other'])
  expect([parse(packages!.join('\n')), packageManager]).toEqual([
    { ...parse(LOCKFILE), snapshots: {} },
    'pnpm@11.28.11',
  ])
})

test('writes no secret and no path of this machine', async () => {
  const file = join(its.home.directory, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  Object.assign(manifest.dependencies, { secret: `https://me:${SECRET}@host.example/x.tgz`, far: '/home/me/far.tgz' })
  await writeFile(file, JSON.stringify(manifest))
  const holds = { good: { reason: `See https://me:${SECRET}@host.example/why`, since: 5 } }
  await writeFile(join(its.home.directory, '.plugmark/holds.json'), JSON.stringify({ version: 1, holds }))
  const lock = await lockOf()
  expect(lock.plugins.find(({ name }) => name === 'good')?.held?.reason).toMatch(/^See https:.+host\.example\/why$/)
  for (const hidden of [SECRET, '/home/me', '/opt', its.home.home]) expect(JSON.stringify(lock)).not.toContain(hidden)
  expect(lock.plugins.filter(({ spec }) => spec === null).map(({ name }) => name)).toEqual(['far', 'other', 'secret'])
  // Plugins of this machine are left out of the lock of the package manager; a path elsewhere in it leaves it out.
  const packages = lock.packages!.join('\n')
  expect(packages).toContain('needed@2.0.0')
  for (const lockfile of [
    LOCKFILE.replace('patches/good.patch', '/home/me/good.patch'),
    LOCKFILE.replace('version: 0.1.0', 'version: file:../kite'),
    LOCKFILE.replace('sha512-needed', `https://me:${SECRET}@host.example/x`),
  ]) {
    await writeFile(join(its.home.directory, 'pnpm-lock.yaml'), lockfile)
    expect((await lockOf()).packages).toBe(null)
  }
})

test('gives the same bytes for the same profile in another home, and changes nothing', async () => {
  const before = await hashTree(its.home.directory)
  const first = JSON.stringify(await lockOf())
  expect(await hashTree(its.home.directory)).toBe(before)
  const second = await aHome()
  await furnishProfile(second.directory)
  its.create({ home: second.home })
  expect(JSON.stringify(await lockOf())).toBe(first)
  await second.dispose()
})

test('makes no lock of a profile whose holds cannot be read', async () => {
  await writeFile(join(its.home.directory, '.plugmark/holds.json'), '{ "a": [')
  expect(await its.host.calls.profileLock({ profile: 'web' })).toMatchObject({ ok: false, code: 'profile-state' })
})

test('writes a lock of whatever profile the harness has', async () => {
  const { directory } = its.home
  const holds = { JSONStream: { reason: 'x'.repeat(300), since: 5 } }
  await writeFile(join(directory, '.plugmark/holds.json'), JSON.stringify({ version: 1, holds }))
  const dependencies = { JSONStream: '^1.0.0', long: `https://host.example/${'x'.repeat(1200)}` }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ dependencies }))
  const lock = await lockOf()
  expect(lock.plugins.map(({ name, spec }) => [name, spec])).toEqual([
    ['JSONStream', '^1.0.0'],
    ['long', null],
  ])
  expect(await driftOf(lock)).toEqual([])
})

describe('a profile and a lock', () => {
  test('are the same where only this machine has a plugin, whatever version that has', async () => {
    const lock = await lockOf()
    await writeFile(join(its.home.directory, 'node_modules/other/package.json'), '{"name":"other","version":"4.0.0"}')
    expect(await driftOf(lock)).toEqual([])
  })

  test('are the same, although package.json and the lock of the package manager are written in another way', async () => {
    const lock = await lockOf()
    expect(await driftOf(lock)).toEqual([])
    const directory = its.home.directory
    const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
    manifest.dependencies = { ...manifest.dependencies, good: '1.0.0', kite: `github:moss/kite#${COMMIT}` }
    await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(directory, 'pnpm-lock.yaml'), `# Another layout.\n${LOCKFILE}`)
    expect(await driftOf(lock)).toEqual([])
  })

  test('are the same where nothing is installed, as in CI', async () => {
    const lock = await lockOf()
    await rm(join(its.home.directory, 'node_modules'), { recursive: true })
    expect(await driftOf(lock)).toEqual([])
  })

  test('differ in each thing that a user would notice, and the comparison says in which', async () => {
    const lock = await lockOf()
    const [good, kite, other] = lock.plugins
    const changed = (change: Partial<ProfileLock>) => driftOf({ ...lock, ...change }).then(kinds)
    const withPlugin = (...plugins: ProfileLock['plugins'][number][]) => changed({ plugins })
    expect(await withPlugin({ ...good!, version: '1.1.0' }, kite!, other!)).toEqual(['version good'])
    expect(await withPlugin({ ...good!, integrity: 'sha512-x' }, kite!, other!)).toEqual(['content good'])
    expect(await withPlugin({ ...good!, off: false, held: null }, kite!, other!)).toEqual(['off good', 'held good'])
    expect(await withPlugin(good!, { ...kite!, commit: 'b2'.repeat(20) }, other!)).toEqual(['commit kite'])
    expect(await withPlugin(good!, { ...kite!, spec: 'github:fern/kite' }, other!)).toEqual(['source kite'])
    expect(await withPlugin(good!, other!)).toEqual(['extra kite'])
    expect(await withPlugin(good!, kite!, { ...other!, name: 'gone' })).toEqual(['missing gone', 'extra other'])
    expect(await changed({ layers: ['kite', '@deepseek-ai/dsh-base', 'other'] })).toEqual(['order layers'])
    expect(await changed({ layers: ['@deepseek-ai/dsh-base', 'new', 'kite'] })).toEqual([])
    const packages = lock.packages!.map((line) => line.replace('needed@2.0.0', 'needed@3.0.0').replace('0f1e', '0f2e'))
    expect(await changed({ packages })).toEqual(['packages good@1.0.0 (patch), needed@2.0.0, needed@3.0.0'])
    expect(await changed({ packages: null })).toEqual([])
  })

  test.each([
    ['', 'other-form'],
    ['{', 'not-json'],
    ['[]', 'other-form'],
    ['{"plugmark":3}', 'newer'],
    ['{"plugmark":2}', 'other-form'],
    ['{"plugmark":"2"}', 'other-form'],
    ['{"plugmark":1,"plugins":[{"package":1,"spec":"1","version":null}]}', 'other-form'],
    ['{"dependencies":{"good":1}}', 'other-form'],
    ['null', 'no-lock'],
    ['"good"', 'other-form'],
  ])('cannot be compared where the file is %s: %s', async (text, problem) => {
    expect(value(await its.host.lockDrift('web', text))).toMatchObject({ problem })
    if (problem === 'not-json' || problem === 'newer')
      expect(value(await its.host.calls.planSync({ profile: 'web', text }))).toMatchObject({ problem })
  })
})

describe('a sync', () => {
  const planOf = async (text: string | object, exact = false) => {
    const given = { profile: 'web', text: typeof text === 'string' ? text : JSON.stringify(text), exact }
    const plan = value(await its.host.calls.planSync(given))
    if ('problem' in plan) throw new Error(`${plan.problem} ${plan.where}`)
    return plan
  }
  const taken = ({ changes }: SyncPlan) =>
    changes.map(({ id, action, version }) => `${action} ${id} ${version ?? ''}`.trim())

  test('installs what is missing or differs: a listed package by its listing, all else at its version or commit', async () => {
    const lock = await lockOf()
    const plugins = [
      { ...lock.plugins[0]!, name: 'good', version: '2.0.0', off: false },
      { ...lock.plugins[1]!, commit: 'b2'.repeat(20) },
      { ...lock.plugins[0]!, name: 'stranger', off: false, held: null },
      { ...lock.plugins[0]!, name: 'resting', held: null },
      { ...lock.plugins[1]!, name: 'part', spec: 'git+https://github.com/moss/many.git#path:/part' },
    ]
    const plan = await planOf({ ...lock, plugins, layers: ['stranger', 'good', 'kite'], packages: null })
    // In the order in which the harness loads them.
    expect(taken(plan)).toEqual([
      'install stranger@1.0.0',
      'install a/good 2.0.0',
      `install github:moss/kite#${'b2'.repeat(20)}`,
    ])
    expect(plan.changes.map(({ hold }) => hold)).toEqual([null, { reason: 'It works.' }, null])
    expect(plan.unread).toMatchObject([{ at: 'part', why: 'folder-at-commit' }])
    // What is off in the file stays away; what the file has not stays.
    expect(kinds(plan.left)).toEqual(['off good', 'missing resting', 'missing part', 'extra other'])
    expect(taken(await planOf({ ...lock, plugins: [] }, true))).toEqual(['remove good', 'remove kite', 'remove other'])
    expect(taken(await planOf(lock, true))).toEqual([])
  })

  test('keeps the branch of a repository, or its folder, while that is at the commit of the lock', async () => {
    const [at, part] = [await commit('moss/kite'), await commit('moss/many')]
    const lock = await lockOf()
    const kite = { ...lock.plugins[1]!, commit: at }
    const folder = { ...kite, name: 'part', spec: 'github:moss/many#path:/part', commit: part }
    const wanted = { ...lock, plugins: [kite, folder], layers: ['kite', 'part'] }
    const plan = await planOf(wanted)
    expect(taken(plan)).toEqual(['install github:moss/kite', 'install github:moss/many#path:/part'])
    expect(plan.changes.map((one) => one.commit)).toEqual([at, part])
    // It stays at the branch, so that it is still offered updates; a branch that went on has another commit.
    await commit('moss/kite')
    expect(taken(await planOf(wanted))[0]).toBe(`install github:moss/kite#${at}`)
  })

  test('leaves the store itself as it is, which no job of several can change', async () => {
    const lock = await lockOf()
    its.create({ env, ownPackage: 'good' })
    const plan = await planOf({ ...lock, plugins: [{ ...lock.plugins[0]!, version: '2.0.0', off: false }] })
    expect(taken(plan)).toEqual([])
    expect(kinds(plan.left)).toContain('version good')
    expect(taken(await planOf({ ...lock, plugins: [] }, true))).toEqual(['remove kite', 'remove other'])
  })

  test('takes no file that names what no profile can have', async () => {
    const lock = { ...(await lockOf()), packages: null }
    const good = { ...lock.plugins[0]!, off: false }
    const problemOf = async (...plugins: object[]) => {
      const text = JSON.stringify({ ...lock, plugins })
      const plan = value(await its.host.calls.planSync({ profile: 'web', text }))
      return 'problem' in plan ? plan : plan.unread.map(({ why }) => why)
    }
    const refused = (where: string) => ({ problem: 'other-form', where })
    expect(await problemOf(good, good)).toEqual(refused('plugins'))
    expect(await problemOf({ ...good, version: 'latest' })).toEqual(refused('plugins.0.version'))
    expect(await problemOf({ ...good, version: '^1.0.0' })).toEqual(refused('plugins.0.version'))
    expect(await problemOf({ ...good, held: { reason: 'x'.repeat(201) } })).toEqual(refused('plugins.0.held.reason'))
    const many = Array.from({ length: 501 }, (_, index) => ({ ...good, name: `p${index}` }))
    expect(await problemOf(...many)).toEqual(refused('plugins'))
    const lines = many.map(({ name }) => name).join('\n')
    const planned = async (text: string, exact = false) =>
      value(await its.host.calls.planSync({ profile: 'web', text, exact }))
    expect(await planned(lines)).toMatchObject({ problem: 'too-long' })
    expect(await planned('./x\n'.repeat(501))).toMatchObject({ problem: 'too-long' })
    // What a message quotes is short.
    const long = 'x'.repeat(100_000)
    for (const broken of [
      { dependencies: { [long]: 1 } },
      { ...lock, layers: Array(5000).fill('good') },
      { ...lock, packages: { [long]: '' } },
    ]) {
      const read = await planned(JSON.stringify(broken))
      expect('problem' in read && read.where.length < 300).toBe(true)
    }
    // A list says nothing of what a profile has beside it.
    expect(await planned('good', true)).toMatchObject({ problem: 'no-lock' })
    for (const spec of ['file:../x', 'link:/etc', 'npm:evil@1.0.0', 'https://host.example/x.tgz', './x', '--global'])
      expect(await problemOf({ ...good, name: 'strange', spec, version: null })).toEqual(['not-understood'])
    for (const name of ['__proto__', '../good', 'constructor/x', '-g'])
      expect(await problemOf({ ...good, name, version: '1.0.0' })).toEqual(['not-understood'])
  })

  test('is one job, one undo, and nothing the second time', async () => {
    const { directory } = its.home
    await rm(directory, { recursive: true })
    await mkdir(directory, { recursive: true })
    const manifest = { dependencies: {}, dsh: { profile: { bundles: ['@deepseek-ai/dsh-base'] } } }
    await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
    await furnish(directory)
    await writeFile(
      join(its.home.home, 'program.cjs'),
      FAKE_HARNESS.replace('argv.at(-1)', "argv.at(-1).split('@')[0]"),
    )
    const records = ['good', 'good-too'].map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))
    its.create({ fetch: directoryOf(records).fetch })
    const empty = await lockOf()
    const plugin = {
      spec: '^1.0.0',
      version: '1.0.0',
      integrity: null,
      commit: null,
      off: false,
      held: { reason: 'works' },
    }
    const plugins = [
      { ...plugin, name: 'good' },
      { ...plugin, name: 'good-too', held: null },
    ]
    const wanted = { ...empty, plugins, layers: [...empty.layers, 'good-too', 'good'], packages: null }
    const before = await hashTree(directory)
    const { changes } = await planOf(wanted)
    expect(changes.map(({ id }) => id)).toEqual(['a/good-too', 'a/good'])
    const reviews = await Promise.all(
      changes.map(async ({ id, version, hold }) => {
        const given = { id, profile: 'web', action: 'install', ...(version !== null && { version }) } as const
        return { id, token: value(await its.host.calls.review(given)).token, acknowledged: true, ...(hold && { hold }) }
      }),
    )
    const job = value(await its.host.calls.startAll({ reviews }))
    expect((await ended(job.id)).outcome).toMatchObject({ kind: 'registered', parts: [{}, {}] })
    expect(await driftOf(wanted)).toEqual([])
    expect((await planOf(wanted)).changes).toEqual([])
    const undo = value(await its.host.calls.undo({ profile: 'web', change: job.id }))
    expect((await ended(undo.id)).outcome).toMatchObject({ kind: 'reverted' })
    await rm(join(directory, '.plugmark'), { recursive: true })
    expect(await hashTree(directory)).toBe(before)
  })

  describe('of a whole lock', () => {
    /** Stands in for the package manager: installs what its lock says, and refuses a frozen one that is not for package.json. */
    const PNPM = `#!${process.execPath}
      const { writeFileSync, mkdirSync, readFileSync } = require('node:fs')
      const { parse } = require(${JSON.stringify(createRequire(import.meta.url).resolve('yaml'))})
      if (process.argv.includes('--version')) console.log('11.28.11')
      if (process.argv[2] !== 'install') process.exit()
      const wanted = JSON.parse(readFileSync('package.json', 'utf8')).dependencies
      const { importers } = parse(readFileSync('pnpm-lock.yaml', 'utf8'))
      const locked = importers['.'].dependencies
      if (Object.keys(wanted).some((name) => locked[name]?.specifier !== wanted[name])) {
        console.log('ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"')
        process.exit(1)
      }
      for (const [name, { version }] of Object.entries(locked)) {
        mkdirSync('node_modules/' + name, { recursive: true })
        writeFileSync('node_modules/' + name + '/package.json', JSON.stringify({ name, version, dsh: { bundle: {} } }))
      }
      writeFileSync('node_modules/.modules.yaml', JSON.stringify({ packageManager: 'pnpm@11.28.11' }))`
    const lines = (...names: string[]) => [
      "lockfileVersion: '9.0'",
      'importers:',
      '  .:',
      '    dependencies:',
      ...names.map((name) => `      ${name}: { specifier: ^1.0.0, version: 1.0.0 }`),
      'packages:',
      ...names.map((name) => `  ${name}@1.0.0: { resolution: { integrity: sha512-${name} } }`),
      'snapshots:',
      ...names.map((name) => `  ${name}@1.0.0: {}`),
      '',
    ]
    const pluginOf = (name: string, change: Partial<ProfileLock['plugins'][number]> = {}) => ({
      ...{ name, spec: '^1.0.0', version: '1.0.0', integrity: `sha512-${name}`, commit: null, off: false, held: null },
      ...change,
    })
    const WORKSPACE = '# Mine.\noverrides:\n  "@deepseek-ai/dsh-base": 0.2.1\n  mine: 1.0.0\nfetchRetries: 3\n'
    const LAYERS = ['good-too', '@deepseek-ai/dsh-base', 'other']
    let wanted: ProfileLock
    beforeEach(async () => {
      const { directory, home } = its.home
      await rm(directory, { recursive: true })
      await mkdir(directory, { recursive: true })
      const bundles = ['@deepseek-ai/dsh-base', 'other', 'more']
      const manifest = { dependencies: { more: '^1.0.0', other: '^1.0.0' }, dsh: { profile: { bundles } } }
      await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
      await writeFile(join(directory, 'pnpm-lock.yaml'), lines('more', 'other').join('\n'))
      await writeFile(join(directory, 'pnpm-workspace.yaml'), WORKSPACE)
      for (const name of ['more', 'other']) {
        await mkdir(join(directory, 'node_modules', name), { recursive: true })
        const bundle = JSON.stringify({ name, version: '1.0.0', dsh: { bundle: {} } })
        await writeFile(join(directory, 'node_modules', name, 'package.json'), bundle)
      }
      await mkdir(join(home, 'bin'))
      await writeFile(join(home, 'bin/pnpm'), PNPM, { mode: 0o755 })
      const records = ['good', 'good-too'].map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))
      its.create({
        env: { ...env, PATH: `${home}/bin:${env.PATH}` },
        fetch: directoryOf(records).fetch,
        ownPackage: '@plugmark/store',
      })
      const held = { reason: 'It works.' }
      wanted = {
        ...(await lockOf()),
        plugins: [pluginOf('good', { off: true, held }), pluginOf('good-too'), pluginOf('other')],
        layers: LAYERS,
        packages: lines('good', 'good-too', 'other'),
        settings: { overrides: { needed: '2.0.0' }, patchedDependencies: { other: 'patches/other.patch' } },
        patches: { 'patches/other.patch': ['--- a', '+++ b', ''] },
      }
    })
    const start = async (plan: SyncPlan, named = plan.changes) => {
      const reviews = await Promise.all(
        named.map(async ({ id, version, action }) => {
          const given = { id, profile: 'web', action, ...(version !== null && { version }) } as const
          const review = await (action === 'remove'
            ? its.host.calls.reviewPackage({ package: id, profile: 'web', action })
            : its.host.calls.review(given))
          return { id, token: value(review).token, acknowledged: true }
        }),
      )
      return its.host.calls.startAll({ reviews, ...(plan.token !== null && { sync: plan.token }) })
    }
    const layers = async () =>
      JSON.parse(await readFile(join(its.home.directory, 'package.json'), 'utf8')).dsh.profile.bundles

    test('makes what is on, off and held, the order and the packages in one job, and undoes it as one', async () => {
      const { directory } = its.home
      const before = await hashTree(directory)
      const hold = (name: string) => its.host.calls.hold({ package: name, profile: 'web', reason: 'Mine.' })
      value(await hold('other'))
      const plan = await planOf(wanted)
      expect(taken(plan)).toEqual(['install a/good 1.0.0', 'install a/good-too 1.0.0'])
      expect([plan.unread, kinds(plan.left)]).toEqual([[], ['extra more', 'setting overrides']])
      expect(await start(plan, plan.changes.slice(1))).toMatchObject({ ok: false, code: 'malformed' })
      const job = value(await start(plan))
      const { outcome, output } = await ended(job.id)
      expect([outcome?.kind, JSON.stringify(output)]).toEqual([
        'synced',
        expect.stringContaining('more@1.0.0, other@1.0.0 could not be looked up'),
      ])
      expect(await readFile(join(directory, 'patches/other.patch'), 'utf8')).toBe('--- a\n+++ b\n')
      expect(parse(await readFile(join(directory, 'pnpm-workspace.yaml'), 'utf8'))).toEqual({
        overrides: { '@deepseek-ai/dsh-base': '0.2.1', mine: '1.0.0', needed: '2.0.0' },
        fetchRetries: 3,
        patchedDependencies: { other: 'patches/other.patch' },
      })
      // What the file has not stays where it was.
      expect(await layers()).toEqual(['good-too', '@deepseek-ai/dsh-base', 'other', 'more'])
      expect(kinds(await driftOf(wanted))).toEqual(['extra more', 'setting overrides'])
      expect(await planOf(wanted)).toMatchObject({ changes: [], token: null, made: [] })
      // The undo takes back the holds of the sync, and no other one.
      value(await hold('more'))
      const holds = async () =>
        Object.keys(JSON.parse(await readFile(join(directory, '.plugmark/holds.json'), 'utf8')).holds)
      const undo = async (change: string) => {
        const undone = value(await its.host.calls.undo({ profile: 'web', change }))
        return [(await ended(undone.id)).outcome?.kind, ...(await holds()).toSorted()]
      }
      expect((await holds()).toSorted()).toEqual(['good', 'more'])
      expect(await undo(job.id)).toEqual(['reverted', 'more', 'other'])
      await rm(join(directory, '.plugmark'), { recursive: true })
      expect(await hashTree(directory)).toBe(before)
    })

    test('changes only holds without a test in a copy, and undoes that too', async () => {
      const plan = await planOf(wanted)
      await ended(value(await start(plan)).id)
      value(await its.host.calls.unhold({ package: 'good', profile: 'web' }))
      const rest = await planOf(wanted)
      expect([rest.changes, kinds(rest.made)]).toEqual([[], ['held good']])
      const job = value(await start(rest))
      expect((await ended(job.id)).outcome).toMatchObject({ kind: 'synced', trial: null, activation: 'unchanged' })
      expect(kinds(await driftOf(wanted))).toEqual(['extra more', 'setting overrides'])
      const undo = value(await its.host.calls.undo({ profile: 'web', change: job.id }))
      expect((await ended(undo.id)).outcome?.kind).toBe('reverted')
      expect(kinds(await driftOf(wanted))).toContain('held good')
    })

    test('keeps the reason of a hold as the user wrote it, although the lock has it without its secret', async () => {
      const { directory } = its.home
      const holds = { other: { reason: `See https://me:${SECRET}@host.example/why`, since: 5 } }
      await mkdir(join(directory, '.plugmark'), { recursive: true })
      const file = join(directory, '.plugmark/holds.json')
      await writeFile(file, JSON.stringify({ version: 1, holds }))
      const { held } = (await lockOf()).plugins.find(({ name }) => name === 'other')!
      const plugins = [pluginOf('good'), pluginOf('other', { held })]
      const plan = await planOf({ ...wanted, plugins, layers: ['good', 'other'], packages: lines('good', 'other') })
      expect((await ended(value(await start(plan)).id)).outcome?.kind).toBe('synced')
      expect(JSON.parse(await readFile(file, 'utf8')).holds).toEqual(holds)
    })

    test('takes exactly the packages of the lock, or changes nothing', async () => {
      const { directory } = its.home
      const frozen = async (lock: ProfileLock, exact = true) =>
        value(await its.host.calls.planSync({ profile: 'web', text: JSON.stringify(lock), exact, frozen: true }))
      expect(await frozen(wanted, false)).toEqual({ problem: 'not-frozen', where: 'more' })
      expect(await frozen({ ...wanted, packages: null })).toEqual({ problem: 'not-frozen', where: 'pnpm-lock.yaml' })
      const before = await hashTree(directory)
      const odd = wanted.packages!.map((line) =>
        line.replace('other: { specifier: ^1.0.0', 'other: { specifier: ^1.2.0'),
      )
      const refusing = (await frozen({ ...wanted, packages: odd })) as SyncPlan
      await writeFile(
        join(its.home.home, 'bin/pnpm'),
        PNPM.replace('wanted[name])', 'wanted[name] || name === "good")'),
      )
      expect((await ended(value(await start(refusing)).id)).outcome).toMatchObject({
        kind: 'reinstall-needed',
        rollback: 'complete',
      })
      await rm(join(directory, '.plugmark'), { recursive: true })
      expect(await hashTree(directory)).toBe(before)
      await writeFile(join(its.home.home, 'bin/pnpm'), PNPM)
      const plan = (await frozen(wanted)) as SyncPlan
      expect(taken(plan)).toContain('remove more')
      expect((await ended(value(await start(plan)).id)).outcome?.kind).toBe('synced')
      expect((await readFile(join(directory, 'pnpm-lock.yaml'), 'utf8')).split('\n')).toEqual(wanted.packages)
      expect(await driftOf(wanted)).toEqual([])
    })

    test.each<[string, (line: string) => string]>([
      [
        'another version',
        (line: string) =>
          line.replace('good: { specifier: ^1.0.0, version: 1.0.0', 'good: { specifier: ^1.0.0, version: 1.0.1'),
      ],
      [
        'another package',
        (line: string) =>
          line.replace('good: { specifier: ^1.0.0, version: 1.0.0', 'good: { specifier: ^1.0.0, version: evil@1.0.0'),
      ],
      ['other bytes', (line: string) => line.replace('sha512-good }', 'sha512-evil }')],
      [
        'an address of its own',
        (line: string) => line.replace('sha512-good }', 'sha512-good, tarball: https://evil.example/x.tgz }'),
      ],
      [
        'another plugin',
        (line: string) =>
          line.replace('    dependencies:', '    dependencies:\n      evil: { specifier: "1", version: 1.0.0 }'),
      ],
      [
        'a repository in place of a registry',
        (line: string) =>
          line.replace(
            'sha512-good }',
            `sha512-good, type: git, repo: https://evil.example/x.git, commit: ${COMMIT} }`,
          ),
      ],
      [
        'a folder in place of a registry',
        (line: string) => line.replace('sha512-good }', 'sha512-good, type: directory, directory: ../x }'),
      ],
      [
        'another package under the name of one',
        (line: string) => line.replace('sha512-other } }', 'sha512-other }, name: evil, version: 6.6.6 }'),
      ],
      [
        'an address where only dependencies are',
        (line: string) =>
          line.replace(
            'good@1.0.0: {}',
            'good@1.0.0: { dependencies: { evil: 1.0.0 } }\n  evil@1.0.0: { resolution: { tarball: https://evil.example/x.tgz } }',
          ),
      ],
      [
        'a folder where only dependencies are',
        (line: string) =>
          line.replace('good@1.0.0: {}', 'good@1.0.0: { dependencies: { evil: file:../x } }\n  evil@file:../x: {}'),
      ],
      [
        'dependencies that pnpm takes in place of those of a snapshot',
        (line: string) => line.replace('sha512-good }', 'sha512-good }, dependencies: { evil: 1.0.0 }'),
      ],
      ...['prototype', '"constructo\\u0072"', '"__prot\\u006f__"', '[evil]'].map(
        (key): [string, (line: string) => string] => [
          `the key ${key}`,
          (line: string) => line.replace('good@1.0.0: {}', `good@1.0.0: { dependencies: { ${key}: other@1.0.0 } }`),
        ],
      ),
      ['a key that pnpm merges', (line: string) => line.replace('good@1.0.0: {}', '<<: { optional: true }\n  $&')],
    ])('takes the versions without the packages where these name %s', async (_, change) => {
      const plan = await planOf({ ...wanted, packages: wanted.packages!.map(change).join('\n').split('\n') })
      expect(plan.token).toBe(null)
      expect(plan.unread).toMatchObject([{ at: 'packages', why: 'other-lock' }])
      // A plugin that is off would be on without the lock.
      expect(taken(plan)).toEqual(['install a/good-too 1.0.0'])
    })

    test.each([
      ['an override from an address', { overrides: { needed: 'https://evil.example/x.tgz' } }],
      ['an override from a repository', { overrides: { needed: 'evil/needed' } }],
      ['an override of the harness', { overrides: { '@deepseek-ai/dsh-base': 'npm:evil@1.0.0' } }],
      ['a patch of the harness', { patchedDependencies: { '@deepseek-ai/dsh-base': 'patches/other.patch' } }],
      ['an override of the store', { overrides: { 'x>@plugmark/store@1': 'npm:evil@1.0.0' } }],
      ['a patch of the store', { patchedDependencies: { '@plugmark/store': 'patches/other.patch' } }],
      ['a package from a folder', { packageExtensions: { other: { dependencies: { evil: 'link:../evil' } } } }],
      ['a patch outside of the profile', { patchedDependencies: { other: '../other.patch' } }],
    ])('takes the versions without the packages where its settings have %s', async (_, settings) => {
      expect(await planOf({ ...wanted, settings: { ...wanted.settings, ...settings } })).toMatchObject({
        token: null,
        unread: [{ at: 'packages', text: Object.keys(settings)[0], why: 'other-lock' }],
      })
    })

    test('leaves the layers of the harness, the holds of the store, and those of what is not there', async () => {
      const file = join(its.home.directory, 'package.json')
      const manifest = JSON.parse(await readFile(file, 'utf8'))
      manifest.dsh.profile.bundles.unshift('good')
      await writeFile(file, JSON.stringify(manifest))
      // The harness brings it, and the lock has it as a plugin that is off.
      expect((await ended(value(await start(await planOf(wanted))).id)).outcome).toMatchObject({
        kind: 'not-synced',
        rollback: 'complete',
      })
      manifest.dsh.profile.bundles.shift()
      await writeFile(file, JSON.stringify(manifest))

      const held = { reason: 'It is good.' }
      const plugins = [...wanted.plugins, pluginOf('later', { spec: null, version: null, integrity: null, held })]
      const before = await planOf({ ...wanted, plugins })
      expect((await ended(value(await start(before)).id)).outcome?.kind).toBe('synced')
      expect(await readFile(join(its.home.directory, '.plugmark/holds.json'), 'utf8')).not.toContain('later')
    })

    test('names each entry of a setting, and leaves what stays as the profile has it', async () => {
      const overrides = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`needed-${index}`, '2.0.0']))
      const packages = lines('good', 'good-too', 'more', 'other').map((line) =>
        line.startsWith('      more') ? '' : line.replace('sha512-more', 'sha512-evil'),
      )
      const plan = await planOf({ ...wanted, packages, settings: { ...wanted.settings, overrides } })
      expect(plan.made.filter(({ wanted }) => wanted?.includes('"2.0.0"')).map((one) => one.wanted)).toContain(
        '{"needed-59":"2.0.0"}',
      )
      expect((await ended(value(await start(plan)).id)).outcome?.kind).toBe('synced')
      const written = await readFile(join(its.home.directory, 'pnpm-lock.yaml'), 'utf8')
      expect([written.includes('sha512-more'), written.includes('sha512-evil')]).toEqual([true, false])
      const long = { overrides: { needed: `npm:${'x'.repeat(600)}@1.0.0` } }
      expect(await planOf({ ...wanted, settings: long })).toMatchObject({
        token: null,
        unread: [{ text: 'overrides' }],
      })
    })

    test('takes no package that no other one asks for', async () => {
      const evil = wanted.packages!.map((line) =>
        line
          .replace('good-too@1.0.0: {}', 'good-too@1.0.0: { dependencies: { evil: 1.0.0 } }\n  evil@1.0.0: {}')
          .replace('packages:', 'packages:\n  evil@1.0.0: { resolution: { integrity: sha512-evil } }'),
      )
      const plan = await planOf({ ...wanted, packages: evil.join('\n').split('\n') })
      expect((await ended(value(await start(plan)).id)).outcome).toMatchObject({
        kind: 'unsafe-lock',
        subjects: ['evil', 'good-too'],
        rollback: 'complete',
      })
    })

    test('changes nothing where the profile is another one than when the plan was made', async () => {
      const plan = await planOf(wanted, true)
      const file = join(its.home.directory, 'package.json')
      const manifest = JSON.parse(await readFile(file, 'utf8'))
      manifest.dependencies.mine = '^1.0.0'
      await writeFile(file, JSON.stringify(manifest))
      const before = await hashTree(its.home.directory)
      expect((await ended(value(await start(plan)).id)).outcome).toMatchObject({ kind: 'profile-changed' })
      expect(await hashTree(its.home.directory)).toBe(before)
      // A plan is used once.
      expect(await start({ ...plan, changes: [] })).toMatchObject({ ok: false, code: 'bad-token' })
    })
  })

  test('reads a list of names, line by line, and says what it could not read', async () => {
    await rm(join(its.home.directory, 'node_modules/good'), { recursive: true })
    const plan = await planOf(
      '# mine\na/risky\n\n- other@^3.0.0\nno such thing\nnowhere\n./folder\ngood@1.x\nnowhere@1.0.0\n',
    )
    expect(taken(plan)).toEqual(['install a/risky', 'install nowhere@1.0.0'])
    expect(plan.present).toEqual(['other@^3.0.0'])
    expect(plan.unread).toEqual([
      { at: '5', text: 'no such thing', why: 'not-understood' },
      { at: '7', text: './folder', why: 'not-understood' },
      { at: '6', text: 'nowhere', why: 'not-listed' },
      // No registry answers here.
      { at: '8', text: 'good@1.x', why: 'no-version' },
    ])
  })

  test('reads a package.json and an old export', async () => {
    const dependencies = {
      risky: '^1.0.0 || ^2',
      kite: 'github:moss/kite',
      fern: 'file:../fern',
      leaf: 'github:moss/leaf',
    }
    const plan = await planOf({ name: 'app', dependencies })
    expect(taken(plan)).toEqual(['install github:moss/leaf'])
    expect(plan.present).toEqual(['github:moss/kite'])
    expect(plan.unread.map(({ at }) => at)).toEqual(['risky', 'fern'])

    const plugins = [
      { package: 'risky', id: 'a/risky', spec: '^1.0.0', version: '1.2.0', hold: { reason: 'works' } },
      { package: 'none', id: null, spec: '^1.0.0', version: '1.0.0' },
    ]
    const old = await planOf({ plugmark: 1, profile: 'web', plugins })
    expect(taken(old)).toEqual(['install a/risky 1.2.0', 'install none@1.0.0'])
    expect(old.changes[0]?.hold).toEqual({ reason: 'works' })
  })
})
