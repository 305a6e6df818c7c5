import { execFileSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { value } from '../host-testing.ts'
import { kinds, locksForTests, SECRET, taken } from '../profile-lock/testing.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import { aRecord, directoryOf, FAKE_HARNESS, furnish, hashTree } from '../testing.ts'

const { its, ended, env, lockOf, driftOf, planOf, commit } = locksForTests()

describe('a sync', () => {
  test('installs what is missing or differs: a listed package by its listing, all else at its version or commit', async () => {
    const older = await commit('moss/kite')
    await commit('moss/kite')
    const lock = await lockOf()
    const plugins = [
      { ...lock.plugins[0]!, name: 'good', version: '2.0.0', off: false },
      { ...lock.plugins[1]!, commit: older },
      { ...lock.plugins[0]!, name: 'stranger', off: false, held: null },
      { ...lock.plugins[0]!, name: 'resting', held: null },
      { ...lock.plugins[1]!, name: 'part', spec: 'git+https://github.com/moss/many.git#path:/part' },
    ]
    const plan = await planOf({ ...lock, plugins, layers: ['stranger', 'good', 'kite'], packages: null })
    // In the order in which the harness loads them.
    expect(taken(plan)).toEqual(['install stranger@1.0.0', 'install a/good 2.0.0', `install github:moss/kite#${older}`])
    expect(plan.changes.map(({ hold }) => hold)).toEqual([null, { reason: 'It works.' }, null])
    expect(plan.unread).toMatchObject([{ at: 'part', why: 'folder-at-commit' }])
    // What is off in the file stays away; what the file has not stays.
    expect(kinds(plan.left)).toEqual([
      'off good',
      'missing resting',
      'missing part',
      'extra other',
      'harness @deepseek-ai/dsh-base',
    ])
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

  test('takes no commit that no branch or tag has: the code host serves those of every fork too', async () => {
    const git = (...args: string[]) => {
      const cwd = join(its.home.home, 'github/moss/kite.git')
      return execFileSync('git', args, { cwd, env }).toString().trim()
    }
    await commit('moss/kite')
    const foreign = git('commit-tree', 'HEAD^{tree}', '-m', 'evil')
    const lock = await lockOf()
    const planned = (at: string) => planOf({ ...lock, plugins: [{ ...lock.plugins[1]!, commit: at }], layers: [] })
    expect(await planned(foreign)).toMatchObject({
      changes: [],
      unread: [{ at: 'kite', text: expect.stringContaining(foreign), why: 'no-commit' }, { at: 'packages' }],
    })
    git('tag', 'v1', foreign)
    expect(taken(await planned(foreign))).toEqual([`install github:moss/kite#${foreign}`])
    await rm(join(its.home.home, 'github'), { recursive: true })
    expect(await planned(foreign)).toMatchObject({
      changes: [],
      unread: [{ why: 'commit-unknown' }, { at: 'packages' }],
    })
  })

  test('leaves the store itself as it is, which no job of several can change', async () => {
    const lock = await lockOf()
    its.create({ env, ownPackage: 'good' })
    const plan = await planOf({ ...lock, plugins: [{ ...lock.plugins[0]!, version: '2.0.0', off: false }] })
    expect(taken(plan)).toEqual([])
    expect(kinds(plan.left)).toContain('version good')
    expect(taken(await planOf({ ...lock, plugins: [] }, true))).toEqual(['remove kite', 'remove other'])
  })

  test('reads a plugin of a scope from its own registry with its token, which the lock does not have', async () => {
    const dist = { integrity: 'sha512-theirs' }
    const registry = await startRegistryForTests({ '@moss/kite': { '1.0.0': {}, '2.0.0': { dist } } })
    const { host } = new URL(registry.url)
    const settings = `@moss:registry=${registry.url}\n//${host}/:_authToken=${SECRET}\n`
    await writeFile(join(its.home.directory, '.npmrc'), settings)
    const lock = await lockOf()
    expect(JSON.stringify(lock)).not.toContain(SECRET)
    const kite = { ...lock.plugins[0]!, name: '@moss/kite', version: '2.0.0', off: false }
    const planned = (integrity: string) => planOf({ ...lock, plugins: [{ ...kite, integrity }], packages: null })
    expect(taken(await planned('sha512-theirs'))).toEqual(['install @moss/kite@2.0.0'])
    expect((await planned('sha512-ours')).unread).toMatchObject([{ at: '@moss/kite', why: 'other-bytes' }])
    // Where the registry has no digest of a version, nothing is said of its bytes.
    const older = { ...kite, version: '1.0.0', integrity: 'sha512-ours' }
    expect(await planOf({ ...lock, plugins: [older], packages: null })).toMatchObject({
      changes: [{ id: '@moss/kite@1.0.0' }],
      unread: [],
    })
    expect(registry.requests.map(({ headers }) => headers.authorization)).toContain(`Bearer ${SECRET}`)
    await registry.close()
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
    expect(await planned('./x\n'.repeat(501))).toMatchObject(refused(''))
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

  test('reads a package.json, and names what it cannot read of it', async () => {
    const dependencies = {
      good: '*',
      risky: '^1.0.0 || ^2',
      kite: 'github:moss/kite',
      fern: 'file:../fern',
      leaf: 'github:moss/leaf',
    }
    const plan = await planOf({ name: 'app', dependencies })
    expect(taken(plan)).toEqual(['install github:moss/leaf'])
    expect(plan.present).toEqual(['good@x', 'github:moss/kite'])
    expect(plan.unread.map(({ text }) => text)).toEqual(['risky@^1.0.0 || ^2', 'fern@file:../fern'])
  })
})
