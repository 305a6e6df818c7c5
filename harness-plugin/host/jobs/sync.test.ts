import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import type { ProfileLock, SyncPlan } from '../../protocol/index.ts'
import type { PluginManager } from '../harness/running-harness.ts'
import { value } from '../host-testing.ts'
import { edited, kinds, lines, locksForTests, PNPM, pluginOf, SECRET, taken } from '../profile-lock/testing.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import { hashTree, whenJob } from '../testing.ts'

const { its, ended, env, lockOf, driftOf, planOf, commit, openWindow, wholeLock, start, layers } = locksForTests()

let wanted: ProfileLock
beforeEach(async () => {
  wanted = await wholeLock()
})

describe('a sync of a whole lock', () => {
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
    // No command line makes all of it.
    expect([job.command, outcome?.kind, JSON.stringify(output)]).toEqual([
      null,
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
    const patch = join(directory, 'patches/other.patch')
    await appendFile(patch, '# Mine.\n')
    expect(await undo(job.id)).toEqual(['profile-changed', 'good', 'more'])
    expect(await readFile(patch, 'utf8')).toBe('--- a\n+++ b\n# Mine.\n')
    await writeFile(patch, '--- a\n+++ b\n')
    expect(await undo(job.id)).toEqual(['reverted', 'more', 'other'])
    await rm(join(directory, '.plugmark'), { recursive: true })
    expect(await hashTree(directory)).toBe(before)
  })

  test('starts with the reviews of what it plans, and not of another version, action or commit of the same', async () => {
    const refused = { ok: false, code: 'malformed', message: 'These are not the reviews of this plan.' }
    const [at, first] = [await commit('moss/kite'), { '1.0.0': {} }]
    const file = { name: 'kite', version: '1.0.0', dsh: { bundle: {} } }
    const served = { good: { ...first, '2.0.0': {} }, more: first, [`moss/kite/${at}/package.json`]: { file } }
    const registry = await startRegistryForTests(served)
    onTestFinished(() => registry.close())
    openWindow({ registry: registry.url, rawUrl: registry.url })
    const tarball = `https://codeload.github.com/moss/kite/tar.gz/${at}`
    const [head = [], packages = [], snapshots = []] = [lines('good', 'other')].flatMap((all) => [
      [...all.slice(0, 6), `      kite: { specifier: github:moss/kite, version: ${tarball} }`],
      [...all.slice(6, 9), `  kite@${tarball}: { resolution: { tarball: '${tarball}' }, version: 1.0.0 }`],
      [...all.slice(9, 12), `  kite@${tarball}: {}`, ''],
    ])
    const kite = pluginOf('kite', { spec: 'github:moss/kite', integrity: null, commit: at })
    const plugins = [pluginOf('good'), kite, pluginOf('other')]
    const lock = {
      ...wanted,
      plugins,
      layers: ['good', 'kite', 'other'],
      packages: [...head, ...packages, ...snapshots],
    }
    const plan = await planOf(lock, true)
    expect(taken(plan)).toEqual(['install a/good 1.0.0', 'install github:moss/kite', 'remove more'])
    expect(plan.token).not.toBeNull()
    const { review, reviewPackage, reviewSpec, startAll } = its.host.calls
    const on = { profile: 'web' } as const
    const of = {
      good: () => review({ ...on, id: 'a/good', action: 'install', version: '1.0.0' }),
      kite: () => reviewSpec({ ...on, spec: 'github:moss/kite' }),
      more: () => reviewPackage({ ...on, package: 'more', action: 'remove' }),
    }
    const startWith = async (other: Partial<typeof of>) => {
      const all = await Promise.all(Object.values({ ...of, ...other }).map(async (ask) => value(await ask())))
      const reviews = all.map(({ id, token }) => ({ id, token, acknowledged: true }))
      return startAll({ reviews, sync: plan.token! })
    }
    expect(
      await startWith({ good: () => review({ ...on, id: 'a/good', action: 'install', version: '2.0.0' }) }),
    ).toEqual(refused)
    expect(await startWith({ more: () => reviewSpec({ ...on, spec: 'more' }) })).toEqual(refused)
    const rightKite = await of.kite()
    const moved = await commit('moss/kite')
    registry.serve({ ...served, [`moss/kite/${moved}/package.json`]: { file } })
    expect(await startWith({})).toEqual(refused)
    await ended(value(await startWith({ kite: async () => rightKite })).id)
  })

  test('names before the yes what is known of the packages that it adds, and which build scripts run', async () => {
    const leak = { title: 'Leaks tokens', severity: 'high', url: '', vulnerable_versions: '*' }
    const advisories = { 'good-too': [leak], other: [leak] }
    const published = (name: string) => ({ '1.0.0': { dist: { integrity: `sha512-${name}`, tarball: 'x' } } })
    const registry = await startRegistryForTests({
      good: published('good'),
      'good-too': published('good-too'),
      '-/npm/v1/security/advisories/bulk': { file: advisories },
    })
    const { directory, home } = its.home
    its.create({ registry: registry.url, env: { ...env, PATH: `${home}/bin:${env.PATH}` } })
    await appendFile(join(directory, 'pnpm-workspace.yaml'), 'allowBuilds: { good: true, other: true }\n')
    const needing = '  good@1.0.0: { dependencies: { good-too: 1.0.0 } }'
    const packages = edited(lines('good', 'good-too', 'other'), ['  good@1.0.0: {}', needing])
    expect((await planOf({ ...wanted, packages })).warnings).toEqual([
      { kind: 'problems', names: ['good-too@1.0.0: Leaks tokens (high)'] },
      { kind: 'builds', names: ['good'] },
    ])
    await registry.close()
    const [unread] = (await planOf({ ...wanted, packages })).warnings
    expect(unread).toEqual({ kind: 'not-looked-up', names: ['good@1.0.0', 'good-too@1.0.0'] })
  })

  test('names before the yes packages that are for other systems, and those of which no native part is for this one', async () => {
    const other = "os: ['!linux', '!darwin', '!win32'], cpu: [any]"
    const parts = { native: 'cpu: [sparc]', mine: `os: [${process.platform}]`, far: other, pure: 'hasBin: true' }
    const all = Object.entries(parts).map(
      ([name, about]) => `  ${name}@1.0.0: { resolution: { integrity: sha512-x }, ${about} }`,
    )
    const snapshots = [
      '  good-too@1.0.0: { optionalDependencies: { native: 1.0.0, mine: 1.0.0 } }',
      '  pure@1.0.0: {}',
      '  native@1.0.0: { optional: true }',
      '  mine@1.0.0: { optional: true }',
      '  far@1.0.0: {}',
    ]
    const needs = '{ dependencies: { pure: 1.0.0 }, optionalDependencies: { native: 1.0.0, far: 1.0.0 } }'
    const packages = edited(
      wanted.packages,
      ['packages:', ['packages:', ...all].join('\n')],
      ['  good@1.0.0: {}', `  good@1.0.0: ${needs}`],
      ['  good-too@1.0.0: {}', snapshots.join('\n')],
    )
    const { warnings } = await planOf({ ...wanted, packages })
    expect(warnings).toContainEqual({ kind: 'platform', names: ['far@1.0.0', 'good@1.0.0'] })
  })

  test('names what could not be looked up although the list of that is cut short', async () => {
    const many = Array.from({ length: 30 }, (_, at) => `needed-${at}`)
    const needing = (plugins: readonly string[], by: string, needed: readonly string[]) => {
      const all = lines(...plugins, ...needed).filter((line) => !/^ {6}needed/.test(line))
      const dependencies = needed.map((name) => `${name}: 1.0.0`).join(', ')
      return edited(all, [`  ${by}@1.0.0: {}`, `  ${by}@1.0.0: { dependencies: { ${dependencies} } }`])
    }
    // The first twenty are there already: their names are all that is listed.
    const here = needing(['more', 'other'], 'more', many.slice(0, 20))
    await writeFile(join(its.home.directory, 'pnpm-lock.yaml'), here.join('\n'))
    const packages = needing(['good', 'good-too', 'other'], 'good-too', many)
    const { warnings } = await planOf({ ...wanted, packages })
    expect(warnings).toContainEqual({
      kind: 'not-looked-up',
      names: ['good@1.0.0', 'good-too@1.0.0', 'needed-20@1.0.0', 'needed-21@1.0.0', 'needed-22@1.0.0'],
    })
  })

  test('of two windows that make a profile like a file at once, one does, and the other says that the profile changed', async () => {
    const first = its.host
    const plan = await planOf(wanted)
    const begun = start(plan)
    openWindow()
    const begunToo = planOf(wanted, true).then((exact) => start(exact))
    const jobs = [
      { host: first, id: value(await begun).id },
      { host: its.host, id: value(await begunToo).id },
    ]
    const ends = await Promise.all(jobs.map(({ host, id }) => whenJob(host, id)))
    expect(ends.map(({ outcome }) => outcome?.kind).toSorted()).toEqual(['profile-changed', 'synced'])
    // It is as one of the two says, whole.
    const isExact = ends[1]?.outcome?.kind === 'synced'
    expect(kinds(await driftOf(wanted))).toEqual(isExact ? [] : ['extra more', 'setting overrides'])
  })

  test('ends no setting that a lock cannot have, such as a path of this machine, even if it is exact', async () => {
    const file = join(its.home.directory, 'pnpm-workspace.yaml')
    await writeFile(file, 'overrides:\n  mine: link:../mine\n  left: 1.0.0\n')
    const plan = await planOf(wanted, true)
    expect(kinds(plan.made)).toContain('setting overrides')
    expect((await ended(value(await start(plan)).id)).outcome?.kind).toBe('synced')
    expect(parse(await readFile(file, 'utf8')).overrides).toEqual({ mine: 'link:../mine', needed: '2.0.0' })
  })

  describe('in a harness that runs from the profile and has a plugin manager', () => {
    const file = () => join(its.home.directory, 'package.json')
    let rows: Map<string, object>
    /** Called once a plugin is unloaded. */
    let onUnload: () => unknown
    beforeEach(() => {
      onUnload = () => {}
      rows = new Map(['other', 'more'].map((name) => [name, {}]))
      async function setBundleEnabled(name: string, enabled: boolean) {
        const manifest = JSON.parse(await readFile(file(), 'utf8'))
        const others = manifest.dsh.profile.bundles.filter((one: string) => one !== name)
        manifest.dsh.profile.bundles = enabled ? [...others, name] : others
        await writeFile(file(), JSON.stringify(manifest))
        if (enabled) rows.set(name, {})
        else if (rows.delete(name)) await onUnload()
        return { application: 'applied', changed: true }
      }
      const manager = { setBundleEnabled, onLog: () => () => {} } as unknown as PluginManager
      openWindow({
        running: {
          ...{ profile: its.home.directory, program: 'harness', isLive: true, isDesktop: false },
          tree: () => ({
            rows: [...rows].map(([name, instance]) => ({ id: name, name, disabled: false, active: true, instance })),
            layers: null,
          }),
          offers: () => ({ commands: [], tools: [] }),
          pageModules: () => [],
          pluginManager: () => manager,
        },
      })
    })

    test('loads what comes and unloads what goes, at once', async () => {
      const plan = await planOf(wanted, true)
      const { outcome } = await ended(value(await start(plan)).id)
      expect(outcome).toMatchObject({ kind: 'synced', activation: 'live' })
      expect([...rows.keys()].toSorted()).toEqual(['good-too', 'other'])
      expect(await layers()).toEqual(wanted.layers)
    })

    test.each(['the package manager then fails', 'the user then cancels'])(
      'loads again what it had unloaded, where %s',
      async (why) => {
        const before = JSON.parse(await readFile(file(), 'utf8'))
        const plan = await planOf(wanted, true)
        let id = ''
        if (why === 'the user then cancels') onUnload = () => its.host.calls.cancel({ job: id })
        else {
          const failing = PNPM.replace('wanted[name])', 'wanted[name] || name === "good")')
          await writeFile(join(its.home.home, 'bin/pnpm'), failing)
        }
        id = value(await start(plan)).id
        expect((await ended(id)).outcome).toMatchObject({ rollback: 'complete', activation: 'unchanged' })
        expect([...rows.keys()].toSorted()).toEqual(['more', 'other'])
        expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual(before)
      },
    )
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

  test('leaves a hold that the user set after the sync when that is undone', async () => {
    await ended(value(await start(await planOf(wanted))).id)
    value(await its.host.calls.unhold({ package: 'good', profile: 'web' }))
    const job = value(await start(await planOf(wanted)))
    expect((await ended(job.id)).outcome?.kind).toBe('synced')
    const held = async () =>
      value(await its.host.calls.installed({ profile: 'web' })).find(({ name }) => name === 'good')?.hold
    value(await its.host.calls.hold({ package: 'good', profile: 'web', reason: 'Later.' }))
    const undone = value(await its.host.calls.undo({ profile: 'web', change: job.id }))
    expect((await ended(undone.id)).outcome?.kind).toBe('reverted')
    expect(await held()).toMatchObject({ reason: 'Later.' })
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
    expect(await frozen(wanted, false)).toEqual({ problem: 'not-frozen', where: 'more, overrides' })
    expect(await frozen({ ...wanted, packages: null })).toEqual({ problem: 'not-frozen', where: 'pnpm-lock.yaml' })
    const before = await hashTree(directory)
    const odd = edited(wanted.packages, ['other: { specifier: ^1.0.0', 'other: { specifier: ^1.2.0'])
    const refusing = (await frozen({ ...wanted, packages: odd })) as SyncPlan
    await writeFile(join(its.home.home, 'bin/pnpm'), PNPM.replace('wanted[name])', 'wanted[name] || name === "good")'))
    expect((await ended(value(await start(refusing)).id)).outcome).toMatchObject({
      kind: 'pnpm-unusable',
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

  test('changes nothing of a frozen lock where one plugin cannot be had as the file says', async () => {
    const registry = await startRegistryForTests({ good: { '1.0.0': { dist: { integrity: 'sha512-evil' } } } })
    its.create({ registry: registry.url, env: { ...env, PATH: `${its.home.home}/bin:${env.PATH}` } })
    const text = JSON.stringify(wanted)
    const plan = value(await its.host.calls.planSync({ profile: 'web', text, exact: true, frozen: true }))
    expect(plan).toEqual({ problem: 'not-frozen', where: 'good, good-too' })
    await registry.close()
  })

  test('foresees that pnpm 10 refuses the patches in a frozen lock of a newer one', async () => {
    const patched = (patch: string) => {
      const packages = edited(wanted.packages, ['packages:', `patchedDependencies: ${patch}\npackages:`])
      return JSON.stringify({ ...wanted, packages })
    }
    const planned = async (text: string) =>
      value(await its.host.calls.planSync({ profile: 'web', text, exact: true, frozen: true }))
    const use = (version: string) =>
      writeFile(join(its.home.home, 'bin/pnpm'), PNPM.replace('11.28.11', version), { mode: 0o755 })
    await use('10.34.9')
    const problem = { problem: 'not-frozen', where: 'patchedDependencies (pnpm 10)' }
    expect(await planned(patched('{ other@1.0.0: 0f1e }'))).toEqual(problem)
    expect(await planned(patched('{ other@1.0.0: { hash: 0f1e, path: patches/other.patch } }'))).toHaveProperty('token')
    await use('11.28.11')
    expect(await planned(patched('{ other@1.0.0: 0f1e }'))).toHaveProperty('token')
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
    const packages = edited(
      wanted.packages,
      ['good-too@1.0.0: {}', 'good-too@1.0.0: { dependencies: { evil: 1.0.0 } }\n  evil@1.0.0: {}'],
      ['packages:', 'packages:\n  evil@1.0.0: { resolution: { integrity: sha512-evil } }'],
    )
    const plan = await planOf({ ...wanted, packages })
    expect((await ended(value(await start(plan)).id)).outcome).toMatchObject({
      kind: 'unsafe-lock',
      subjects: ['evil', 'good-too'],
      rollback: 'complete',
    })
  })

  test('keeps nothing of which nobody can read what needs it', async () => {
    const plan = await planOf(wanted)
    const pnpm = `${PNPM}\n  writeFileSync('pnpm-lock.yaml', '---\\na: 1\\n---\\n' + readFileSync('pnpm-lock.yaml', 'utf8'))`
    await writeFile(join(its.home.home, 'bin/pnpm'), pnpm)
    expect((await ended(value(await start(plan)).id)).outcome).toMatchObject({
      kind: 'not-synced',
      rollback: 'complete',
    })
  })

  test('changes nothing where build scripts of what it adds were allowed after the plan', async () => {
    const { directory } = its.home
    const packages = edited(
      lines('more', 'other'),
      ['  other@1.0.0: {}', '  other@1.0.0: { dependencies: { deep: 1.0.0 } }\n  deep@1.0.0: {}'],
      ['packages:', 'packages:\n  deep@1.0.0: { resolution: { integrity: sha512-deep } }'],
    )
    const plan = await planOf({ ...(await lockOf()), packages })
    expect([plan.changes, kinds(plan.made)]).toEqual([[], ['packages deep@1.0.0']])
    await appendFile(join(directory, 'pnpm-workspace.yaml'), 'allowBuilds: { deep: true }\n')
    const before = await hashTree(directory)
    expect((await ended(value(await start(plan)).id)).outcome).toMatchObject({ kind: 'profile-changed' })
    expect(await hashTree(directory)).toBe(before)
    // A plan names them.
    const again = await planOf({ ...(await lockOf()), packages })
    expect(again.warnings).toContainEqual({ kind: 'builds', names: ['deep'] })
    expect((await ended(value(await start(again)).id)).outcome?.kind).not.toBe('profile-changed')
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
    // The plan holds for new reviews, such as those that name build scripts, while the profile is as it was.
    delete manifest.dependencies.mine
    await writeFile(file, JSON.stringify(manifest))
    expect((await ended(value(await start(plan)).id)).outcome?.kind).toBe('synced')
  })
})
