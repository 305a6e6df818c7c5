import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { hostForTests, value, whenRecovered } from '../host-testing.ts'
import { changeHolds, readHolds } from '../profile/holds.ts'
import { updatesFile } from '../profile/state-folder.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import type { HostOptions } from '../settings.ts'
import { whenJob } from '../testing.ts'
import { UpdateStates } from './updates.ts'

const HOUR_MS = 3_600_000
const { its } = hostForTests()
let now: number
let registry: Awaited<ReturnType<typeof startRegistryForTests>>

const create = (options: HostOptions = {}) => its.create({ registry: registry.url, now: () => now, ...options })
const latest = async (ifDue: boolean) => {
  const plugins = value(await its.host.calls.checkUpdates({ profile: 'web', ifDue }))
  return plugins.map(({ latest }) => latest)
}
const checks = async () => value(await its.host.calls.updateChecks({ profile: 'web' }))

beforeEach(async () => {
  now = 1_000_000 * HOUR_MS
  registry = await startRegistryForTests({ good: { '2.0.0': {} } })
  await writeFile(join(its.home.directory, 'package.json'), JSON.stringify({ dependencies: { good: '^1.0.0' } }))
  create()
  await whenRecovered(its.host)
  return () => registry.close()
})

test('checks by itself at most every six hours, in any shell of the machine', async () => {
  expect(await latest(true)).toEqual(['2.0.0'])
  expect(await checks()).toMatchObject({ automatic: true, checkedAt: now })
  now += 6 * HOUR_MS - 1
  create()
  expect(await latest(true)).toEqual(['2.0.0'])
  expect(registry.requests).toHaveLength(1)
  now += 1
  await latest(true)
  expect(registry.requests).toHaveLength(2)
  // The user is never refused.
  await latest(false)
  expect(registry.requests).toHaveLength(3)
})

test('keeps saying that pnpm waits with a release while its settings cannot be read', async () => {
  const release = (hours: number) => ({ release: new Date(now - hours * HOUR_MS).toISOString() })
  registry.serve({ good: { '1.0.0': release(1000), '2.0.0': release(1) } })
  const answers = (text: string) => writeFile(join(its.home.home, 'pnpm'), `#!/bin/sh\necho '${text}'`, { mode: 0o755 })
  create({ env: { PATH: its.home.home } })
  const found = async () =>
    value(await its.host.calls.checkUpdates({ profile: 'web' })).map(({ latest, waiting }) => [
      latest,
      waiting?.version,
    ])
  await answers('{"userAgent":"pnpm/11.28.11"}')
  expect(await found()).toEqual([['1.0.0', '2.0.0']])
  await answers('no')
  expect(await found()).toEqual([['1.0.0', '2.0.0']])
  registry.serve({ good: { '1.0.0': release(1000), '3.0.0': release(1) } })
  expect(await found()).toEqual([['3.0.0', undefined]])
})

test('checks by itself after the clock was set back', async () => {
  now += 5 * HOUR_MS
  await latest(true)
  now -= 5 * HOUR_MS
  await latest(true)
  expect(registry.requests).toHaveLength(2)
})

test('shows an update although another shell checks the same profile at the same time', async () => {
  const answerAll = registry.hold()
  const found = []
  for (const [index, host] of [its.host, create()].entries()) {
    found.push(host.calls.checkUpdates({ profile: 'web', ifDue: true }))
    await expect.poll(registry.atOnce).toBe(index + 1)
  }
  answerAll()
  for (const answer of await Promise.all(found)) expect(value(answer)).toMatchObject([{ latest: '2.0.0' }])
})

/** Stands in for a change of the plugin by another program. */
async function install(version: string) {
  const directory = join(its.home.directory, 'node_modules/good')
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'good', version }))
}

test.for([
  ['2.0.0', '1.0.0', '2.0.0'],
  ['2.0.0', '3.0.0', null],
  ['2.0.0-beta.1', '1.0.0', null],
] as const)(
  'counts what a check of %s found for %s, which an undo brings back: %s',
  async ([before, after, expected]) => {
    registry.serve({ good: { [before]: {} } })
    await install(before)
    expect(await latest(false)).toEqual([null])
    await install(after)
    const [plugin] = value(await its.host.calls.installed({ profile: 'web' }))
    expect(plugin).toMatchObject({ version: after, latest: expected })
  },
)

test('offers no version of which the registry did not tell after an undo', async () => {
  registry.serve({})
  await install('2.0.0')
  expect(await latest(false)).toEqual([null])
  await install('1.0.0')
  const [plugin] = value(await its.host.calls.installed({ profile: 'web' }))
  expect(plugin).toMatchObject({ version: '1.0.0', latest: null, updateProblem: 'not-found' })
})

test('does not check by itself once that is turned off', async () => {
  expect(value(await its.host.calls.setUpdateChecks({ profile: 'web', automatic: false }))).toMatchObject({
    automatic: false,
  })
  create()
  expect(await latest(true)).toEqual([null])
  expect(registry.requests).toEqual([])
  expect(await latest(false)).toEqual(['2.0.0'])
  expect(await checks()).toMatchObject({ automatic: false, checkedAt: now })
})

test('waits longer after each failed check, keeps the last result, and refuses no page', async () => {
  await latest(true)
  await registry.close()
  const attempts = async () => (await new UpdateStates().read(its.home.directory)).failures
  for (const [minutes, failures] of [
    [360, 1],
    [14, 1],
    [1, 2],
    [29, 2],
    [1, 3],
  ] as const) {
    now += minutes * 60_000
    expect(await latest(true)).toEqual(['2.0.0'])
    expect(await attempts(), `${minutes} minutes later`).toBe(failures)
  }
})

test.each([401, 403])('says that the registry wants a log-in when it answers with %i', async (status) => {
  registry.failNext({ status })
  expect(value(await its.host.calls.checkUpdates({ profile: 'web' }))).toMatchObject([
    { latest: null, updateProblem: 'unauthorized' },
  ])
  // Another shell reads it from the profile.
  create()
  expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([{ updateProblem: 'unauthorized' }])
})

test('checks again when the stored check has another form', async () => {
  await latest(true)
  const path = updatesFile(its.home.directory)
  const stored = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...stored, attemptedAt: 0, check: { versions: [1] } }))
  create()
  expect(await latest(true)).toEqual(['2.0.0'])
  expect(registry.requests).toHaveLength(2)
})

test('makes no automatic check while it cannot be read whether that is allowed', async () => {
  await latest(true)
  await writeFile(updatesFile(its.home.directory), '{"version":1,"automatic":fal')
  create()
  await latest(true)
  expect(registry.requests).toHaveLength(1)
  expect(value(await its.host.calls.updateChecks({ profile: 'web' })).automatic).toBe(false)
  // Whoever asks gets an answer.
  expect(value(await its.host.calls.checkUpdates({ profile: 'web' }))[0]?.latest).toBe('2.0.0')
})

test.each([
  '{"version":1,"holds":{"good":{"reason":"too n',
  '{"version":2,"holds":{}}',
  '{"good":{"reason":null,"since":1}}',
])('counts every plugin as held while the holds are %s', async (text) => {
  const path = join(its.home.directory, '.plugmark/holds.json')
  value(await its.host.calls.hold({ package: 'good', profile: 'web', reason: null }))
  await writeFile(path, text)
  create()
  const held = { hold: { reason: null, isUnknown: true } }
  expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([held])
  for (const name of ['hold', 'unhold'] as const)
    expect(await its.host.calls[name]({ package: 'good', profile: 'web', reason: null })).toMatchObject({
      code: 'profile-state',
    })
  expect(await readFile(path, 'utf8')).toBe(text)
})

test('holds a version for every shell, and tells open pages', async () => {
  const holds = async () => value(await its.host.calls.installed({ profile: 'web' })).map(({ hold }) => hold)
  value(await its.host.calls.hold({ package: 'good', profile: 'web', reason: 'too new' }))
  await expect.poll(() => its.events.map(({ type }) => type)).toContain('profiles')
  create()
  expect(await holds()).toEqual([{ reason: 'too new', since: now }])
  value(await its.host.calls.unhold({ package: 'good', profile: 'web' }))
  expect(await holds()).toEqual([null])
  expect(await readFile(join(its.home.directory, '.plugmark/holds.json')).catch(() => null)).toBeNull()
  expect(await its.host.calls.hold({ package: 'other', profile: 'web', reason: null })).toMatchObject({
    code: 'not-installed',
  })
})

test('skips one update, and offers the next one again', async () => {
  const plugin = async () => value(await its.host.calls.checkUpdates({ profile: 'web' }))[0]
  value(await its.host.calls.hold({ package: 'good', profile: 'web', reason: null, skips: '2.0.0' }))
  expect(await plugin()).toMatchObject({ latest: '2.0.0', hold: { skips: '2.0.0' } })
  registry.serve({ good: { '2.0.0': {}, '2.1.0': {} } })
  expect(await plugin()).toMatchObject({ latest: '2.1.0', hold: null })
})

const bulk = '-/npm/v1/security/advisories/bulk'
/** Places a version of the plugin as the package manager does. */
const place = (version: string) =>
  Promise.all([
    mkdir(join(its.home.directory, 'node_modules/good'), { recursive: true }).then(() =>
      writeFile(join(its.home.directory, 'node_modules/good/package.json'), JSON.stringify({ version })),
    ),
    writeFile(
      join(its.home.directory, 'pnpm-lock.yaml'),
      JSON.stringify({
        importers: { '.': { dependencies: { good: { specifier: '^1.0.0', version } } } },
        packages: {
          [`good@${version}`]: { resolution: { integrity: 'a' } },
          'deep@1.0.0': { resolution: { integrity: 'b' } },
        },
        snapshots: { [`good@${version}`]: { dependencies: { deep: '1.0.0' } }, 'deep@1.0.0': {} },
      }),
    ),
  ])

test('says since when no known problems were looked up of a version that an undo brought back', async () => {
  registry.serve({ good: { '2.0.0': {} }, [bulk]: { file: {} } })
  await place('2.0.0')
  await latest(false)
  const checkedAt = now
  expect(await checks()).toMatchObject({ unknownSince: null })
  now += HOUR_MS
  await place('1.0.0')
  expect(await checks()).toMatchObject({ checkedAt, unknownSince: checkedAt })
  await place('2.0.0')
  expect(await checks()).toMatchObject({ unknownSince: null })
  await place('1.0.0')
  await latest(false)
  expect(await checks()).toMatchObject({ checkedAt: now, unknownSince: null })
  // The update that the check found: its review looked them up.
  await place('2.0.0')
  expect(await checks()).toMatchObject({ unknownSince: null })
})

test('says no doubt of a release for which pnpm waited, once that is installed', async () => {
  const release = (hours: number) => ({ release: new Date(now - hours * HOUR_MS).toISOString() })
  registry.serve({ good: { '1.0.0': release(1000), '2.0.0': release(1) }, [bulk]: { file: {} } })
  await writeFile(join(its.home.home, 'pnpm'), `#!/bin/sh\necho '{"userAgent":"pnpm/11.28.11"}'`, { mode: 0o755 })
  create({ env: { PATH: its.home.home } })
  await place('1.0.0')
  await latest(false)
  now += 24 * HOUR_MS
  expect(value(await its.host.calls.installed({ profile: 'web' }))[0]).toMatchObject({ latest: '2.0.0' })
  await place('2.0.0')
  expect(await checks()).toMatchObject({ unknownSince: null })
})

test('uses what a check found although that cannot be stored: for an undo, and to enable nothing that is malware', async () => {
  await mkdir(updatesFile(its.home.directory), { recursive: true })
  registry.serve({ good: { '1.0.0': {} }, [bulk]: { file: { good: [{ title: 'Malware in good' }] } } })
  const manifest = { dependencies: { good: '^1.0.0' }, dsh: { profile: { bundles: ['good'] } } }
  await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
  await place('1.0.0')
  const installed = JSON.stringify({ version: '1.0.0', dsh: { bundle: {} } })
  await writeFile(join(its.home.directory, 'node_modules/good/package.json'), installed)
  await latest(false)
  const flip = (enabled: boolean) =>
    its.host.calls.switchPlugin({ package: 'good', profile: 'web', listing: null, enabled })
  const { id } = value(await flip(false))
  expect((await whenJob(its.host, id)).outcome).toMatchObject({ kind: 'disabled' })
  const brought = [{ isMalware: true, path: ['good@1.0.0'] }]
  expect(value(await its.host.calls.lastChange({ profile: 'web' }))).toMatchObject({ advisories: brought })
  expect(await flip(true)).toMatchObject({ ok: false, code: 'malware' })
  expect(await its.host.calls.undo({ profile: 'web', change: id })).toMatchObject({ ok: false, code: 'malware' })
})

test('still knows what is known against the version before, when an undo brings it back', async () => {
  const known = async () =>
    value(await its.host.calls.installed({ profile: 'web' })).map(({ advisories }) =>
      advisories.map(({ path }) => path),
    )
  const versions = { '1.0.0': {}, '2.0.0': {} }
  const bad = [{ title: 'Malware in good', vulnerable_versions: '1.0.0' }]
  registry.serve({ good: versions, [bulk]: { file: { good: bad } } })
  await place('1.0.0')
  await latest(false)
  expect(await known()).toEqual([[['good@1.0.0']]])
  await place('2.0.0')
  for (const _ of [1, 2]) await latest(false)
  expect(await known()).toEqual([[]])
  await place('1.0.0')
  expect(await known()).toEqual([[['good@1.0.0']]])

  // Also after a removal.
  const manifest = join(its.home.directory, 'package.json')
  const text = await readFile(manifest, 'utf8')
  await writeFile(manifest, '{}')
  await rm(join(its.home.directory, 'pnpm-lock.yaml'))
  await latest(false)
  await writeFile(manifest, text)
  expect(await known()).toEqual([[['good@1.0.0']]])
})

test('tells with a check what is known against a plugin, until it has another version', async () => {
  registry.serve({ good: { '2.0.0': {} }, [bulk]: { file: { deep: [{ title: 'Malware in deep' }] } } })
  await place('1.0.0')
  const [checked] = value(await its.host.calls.checkUpdates({ profile: 'web' }))
  expect(checked?.advisories).toMatchObject([{ isMalware: true, path: ['good@1.0.0', 'deep@1.0.0'] }])
  // Another shell reads it from the profile, and asks nobody.
  const requests = registry.requests.length
  create()
  const [listed] = value(await its.host.calls.installed({ profile: 'web' }))
  expect(listed?.advisories).toEqual(checked?.advisories)
  expect(registry.requests).toHaveLength(requests)
  await place('2.0.0')
  expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([{ advisories: [] }])
  await place('1.0.0')

  // A registry that fails says nothing against what is known.
  registry.serve({ good: { '2.0.0': {} }, [bulk]: { body: '{}', status: 500 } })
  const failedAt = now
  for (const _ of [1, 2]) {
    expect(value(await its.host.calls.checkUpdates({ profile: 'web' }))[0]?.advisories).toEqual(checked?.advisories)
    expect(await checks()).toMatchObject({ unknownSince: failedAt })
    now += HOUR_MS
  }
  registry.serve({ good: { '2.0.0': {} }, [bulk]: { file: {} } })
  expect(value(await its.host.calls.checkUpdates({ profile: 'web' }))).toMatchObject([{ advisories: [] }])
  expect(await checks()).toMatchObject({ unknownSince: null })
})

test('drops what a registry has withdrawn, although another one does not say what is known of its many packages', async () => {
  const other = await startRegistryForTests({ [bulk]: { body: '{}', status: 403 } })
  onTestFinished(other.close)
  await writeFile(join(its.home.directory, '.npmrc'), `@corp:registry=${other.url}`)
  registry.serve({ good: { '1.0.0': {} }, [bulk]: { file: { deep: [{ title: 'Malware in deep' }] } } })
  await place('1.0.0')
  const lockfile = join(its.home.directory, 'pnpm-lock.yaml')
  const lock = JSON.parse(await readFile(lockfile, 'utf8'))
  const dependencies: Record<string, string> = {}
  for (let at = 0; at < 50; at++) {
    dependencies[`@corp/b${at}`] = '1.0.0'
    lock.packages[`@corp/b${at}@1.0.0`] = { resolution: { integrity: 'c' } }
    lock.snapshots[`@corp/b${at}@1.0.0`] = {}
  }
  lock.snapshots['deep@1.0.0'] = { dependencies }
  await writeFile(lockfile, JSON.stringify(lock))
  const known = async () => value(await its.host.calls.checkUpdates({ profile: 'web' }))[0]?.advisories
  expect(await known()).toMatchObject([{ path: ['good@1.0.0', 'deep@1.0.0'] }])
  registry.serve({ good: { '1.0.0': {} }, [bulk]: { file: {} } })
  expect(await known()).toEqual([])
  expect(await checks()).toMatchObject({ unknownSince: now })
})

test('keeps both of two holds that are set at the same moment', async () => {
  await Promise.all(
    ['one', 'two'].map((name) => changeHolds(its.home.directory, { [name]: { reason: null, since: 1 } })),
  )
  expect(Object.keys((await readHolds(its.home.directory))!).toSorted()).toEqual(['one', 'two'])
  await Promise.all(['one', 'two'].map((name) => changeHolds(its.home.directory, { [name]: null })))
  expect(await readHolds(its.home.directory)).toEqual({})
})

test('keeps automatic checks off that are turned off while a check ends', async () => {
  const check = {
    versions: new Map(),
    waiting: new Map(),
    commits: new Map(),
    problems: new Map(),
    advisories: [],
    unknownSince: null,
    news: new Map(),
  }
  const installed = { versions: new Map([['one', '1.0.0']]), commits: new Map() }
  const states = new UpdateStates()
  await Promise.all([
    states.change(its.home.directory, () => ({ check: { ...check, installed }, checkedAt: 7 })),
    states.change(its.home.directory, () => ({ automatic: false })),
  ])
  const state = await states.read(its.home.directory)
  expect(state).toMatchObject({ automatic: false, checkedAt: 7 })
  expect(state.check?.installed.versions.get('one')).toBe('1.0.0')
})
