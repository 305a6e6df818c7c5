import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readProfileState } from '../profile/state.ts'
import { lastSeenFile } from '../profile/state-folder.ts'
import { WEB_LAYER } from '../trial/trial-home.ts'
import { mayHaveUpgraded } from './news.ts'
import { openLastSeen, openRunRecords, type RunRecords } from './run-records.ts'
import { readPluginStates, type SeenHarness, type SeenRow } from './states.ts'

let directory: string
let runRecords: RunRecords
beforeEach(async () => {
  runRecords = openRunRecords({ path: null, now: () => 7, onProblem: () => {} })
  directory = await mkdtemp(join(tmpdir(), 'plugmark-states-'))
})
afterEach(() => rm(directory, { recursive: true }))

async function place(file: string, content: unknown) {
  await mkdir(dirname(join(directory, file)), { recursive: true })
  await writeFile(join(directory, file), typeof content === 'string' ? content : JSON.stringify(content))
}
const placeProfile = (dependencies: Record<string, string>, layers = Object.keys(dependencies), more = {}) =>
  place('package.json', { dependencies, dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', ...layers] } }, ...more })
async function placePlugin(name: string, manifest: object = {}) {
  await place(`node_modules/${name}/package.json`, {
    name,
    version: '1.0.0',
    dsh: { bundle: { patch: 'patch.yml' } },
    ...manifest,
  })
  await place(`node_modules/${name}/patch.yml`, `- insert:\n    - id: ${name}\n      name: ${name}\n`)
}
const row = (id: string, change: Partial<SeenRow> = {}): SeenRow => ({
  id,
  name: id,
  disabled: false,
  active: true,
  ...change,
})

async function states(given: { version?: string; seen?: SeenHarness | null; ranBefore?: readonly string[] } = {}) {
  const { version = '0.2.1-rc.2', seen = null, ranBefore = [] } = given
  const state = (await readProfileState(directory))!
  const place = { cli: 'dsh', profile: 'web', directory, state, runRecords }
  return readPluginStates({ ...place, harnessVersion: version, seen, ranBefore })
}

test('names each state that the files of a profile tell', async () => {
  await placeProfile(
    { fine: '^1.0.0', off: '^1.0.0', plain: '^1.0.0', old: '^1.0.0', gone: '^1.0.0', shadow: '^1.0.0', lost: '^1.0.0' },
    ['fine', 'old', 'gone', 'shadow', 'orphan'],
  )
  for (const name of ['fine', 'off', 'lost']) await placePlugin(name)
  await placePlugin('plain', { dsh: undefined })
  await placePlugin('old', { engines: { dsh: '^0.1.0' } })
  await placePlugin('shadow', { dependencies: { '@deepseek-ai/dsh-settings': '^0.1.0' } })
  const found = await states({ ranBefore: ['lost', 'dropped', 'fine'] })
  const kinds = Object.fromEntries(found.map(({ name, state }) => [name, state.kind]))
  expect(kinds).toEqual({
    fine: 'untried',
    off: 'off',
    plain: 'not-a-layer',
    old: 'refused',
    gone: 'package-missing',
    shadow: 'shadows-harness',
    lost: 'layer-missing',
    orphan: 'package-missing',
    dropped: 'package-missing',
  })
  expect(found.find(({ name }) => name === 'old')?.state).toEqual({
    kind: 'refused',
    why: ['dsh ^0.1.0'],
    harnessVersion: '0.2.1-rc.2',
    steps: ['update', 'switch-off', 'remove', 'allow-version'],
    allowCommand: 'dsh plugin --profile web allow-version old@1.0.0 --dsh-version 0.2.1-rc.2 --accept-risk',
  })
})

test('refuses nothing for a harness without a gate, nor what the user allowed', async () => {
  await placeProfile({ old: '^1.0.0' })
  await placePlugin('old', { engines: { dsh: '^0.2.9' } })
  expect(await states({ version: '0.1.5-rc.1' })).toMatchObject([{ state: { kind: 'loaded' } }])
  await place('compatibility.json', { 'old@1.0.0': ['0.2.1-rc.2'] })
  expect(await states()).toMatchObject([{ state: { kind: 'loaded' } }])
})

test('reads from a harness that runs which plugins do, in its own words', async () => {
  const names = ['runs', 'throws', 'waits', 'skipped', 'taken', 'switched']
  await placeProfile(Object.fromEntries(names.map((name) => [name, '^1.0.0'])))
  for (const name of names) await placePlugin(name)
  const seen = {
    rows: [
      row('runs'),
      row('throws', { active: false }),
      row('waits', { active: false }),
      row('taken', { name: 'other-plugin' }),
      row('switched', { disabled: true, active: false }),
    ],
    layers: names.filter((name) => name !== 'skipped'),
    changes: 'none' as const,
    lines: ['throws (throws): Error: says no', 'dsh: skipping profile bundle "skipped": Error: no patch'],
  }
  const found = await states({ seen })
  expect(found.map(({ name, state: { kind, why } }) => [name, kind, ...why])).toEqual([
    ['runs', 'running'],
    ['throws', 'does-not-start', 'throws (throws): Error: says no'],
    ['waits', 'does-not-start', 'waits: not active'],
    ['skipped', 'does-not-start', 'dsh: skipping profile bundle "skipped": Error: no patch'],
    ['taken', 'replaced', 'taken', 'other-plugin'],
    ['switched', 'off'],
  ])
})

test('quotes the line of a row, not that of another row whose id ends like it', async () => {
  await placeProfile({ bell: '^1.0.0' })
  await placePlugin('bell')
  const rows = [row('bell', { active: false }), row('copper-bell', { name: 'bell', active: false })]
  const lines = ['copper-bell (bell): Error: of the other', '  bell (bell): Error: its own']
  const [found] = await states({ seen: { rows, layers: ['bell'], changes: 'none', lines } })
  expect(found?.state).toMatchObject({ kind: 'does-not-start', why: ['bell (bell): Error: its own'] })
})

test('says what an earlier start of this version on this harness showed, the web page too', async () => {
  await placeProfile({ bell: '^1.0.0' })
  await placePlugin('bell')
  const [plugin, why] = ['bell@1.0.0', ['document is gone']]
  await runRecords.add([{ plugin, runs: 'no', breaksPage: true, why }], '0.2.1-rc.2')
  // A profile without a web page has none to break.
  expect((await states())[0]?.state).toMatchObject({ kind: 'loaded', why: [] })
  await placeProfile({ bell: '^1.0.0' }, [WEB_LAYER, 'bell'])
  expect((await states())[0]?.state).toMatchObject({ kind: 'breaks-page', why })
  await runRecords.add([{ plugin, runs: 'no', why }], '0.2.1-rc.2')
  expect((await states())[0]?.state).toMatchObject({ kind: 'does-not-start', why })
  expect((await states({ version: '0.2.2', ranBefore: ['bell'] }))[0]?.state).toMatchObject({
    kind: 'untried',
    harnessVersion: '0.2.2',
  })
})

test('tells of a running plugin what its trial saw it add, and of no other', async () => {
  await placeProfile({ bell: '^1.0.0', kite: '^1.0.0' }, ['bell'])
  for (const name of ['bell', 'kite']) await placePlugin(name)
  const adds = { commands: ['ring'], tools: [], settings: ['Hours'] }
  for (const plugin of ['bell@1.0.0', 'kite@1.0.0'])
    await runRecords.add([{ plugin, runs: 'yes', why: [], adds }], '0.2.1-rc.2')
  const found = await states({ seen: { rows: [row('bell')], layers: ['bell'], changes: 'none', lines: [] } })
  expect(found.map(({ state }) => [state.kind, state.adds])).toEqual([
    ['running', adds],
    ['off', undefined],
  ])
})

test('calls only what the harness runs now running, and says of a copy or an earlier start that it ran', async () => {
  await placeProfile({ bell: '^1.0.0' })
  await placePlugin('bell')
  await runRecords.add([{ plugin: 'bell@1.0.0', runs: 'yes', why: [] }], '0.2.1-rc.2')
  const now = { rows: [row('bell')], layers: ['bell'], changes: 'applied' as const, lines: [] }
  for (const [seen, atLastStart] of [
    [now, undefined],
    [{ ...now, changes: 'none' as const }, true],
    [null, true],
  ] as const)
    expect((await states({ seen }))[0]?.state).toMatchObject({ kind: 'running', ...(atLastStart && { atLastStart }) })
  expect((await states({ seen: now }))[0]?.state.atLastStart).toBeUndefined()
})

test('asks the rows of a harness that applies changes, not the layers that it started from', async () => {
  await placeProfile(
    Object.fromEntries(['new', 'pending', 'failed', 'dead', 'rowless'].map((name) => [name, '^1.0.0'])),
  )
  for (const name of ['new', 'pending', 'failed', 'dead']) await placePlugin(name)
  await placePlugin('rowless', { dsh: { bundle: {} } })
  const seen = {
    rows: [row('new'), row('failed', { active: false })],
    layers: ['dead', 'left'],
    changes: 'applied' as const,
    lines: [],
  }
  const found = await states({ seen })
  expect(found.map(({ name, state: { kind } }) => [name, kind])).toEqual([
    ['new', 'running'],
    // The harness may apply a change some seconds later.
    ['pending', 'loaded'],
    ['failed', 'does-not-start'],
    ['dead', 'does-not-start'],
    ['rowless', 'loaded'],
  ])
})

test('names every entry that pins a package of the harness', async () => {
  await placeProfile({ '@deepseek-ai/dsh-one': '0.1.0' }, [], {
    overrides: { '@deepseek-ai/dsh-two': '0.1.0', other: '1.0.0' },
    pnpm: { overrides: { 'plugin>@deepseek-ai/dsh-three': '0.1.0' } },
  })
  await place('pnpm-workspace.yaml', "overrides:\n  '@deepseek-ai/dsh-four': 0.1.0\n")
  expect((await states()).map(({ name, state: { kind, why } }) => [name, kind, ...why])).toEqual([
    ['@deepseek-ai/dsh-one', 'pins-harness', 'dependencies: 0.1.0'],
    ['@deepseek-ai/dsh-two', 'pins-harness', 'overrides: 0.1.0'],
    ['plugin>@deepseek-ai/dsh-three', 'pins-harness', 'pnpm.overrides: 0.1.0'],
    ['@deepseek-ai/dsh-four', 'pins-harness', 'pnpm-workspace.yaml: 0.1.0'],
  ])
})

test('tells after an upgrade of the harness which plugins no longer run, until they do or the user closes it', async () => {
  const path = join(directory, 'shared/last-seen.json')
  const old = { harnessVersion: '0.1.5', program: 'old' }
  const current = { harnessVersion: '0.2.1', program: 'new' }
  const open = () => openLastSeen({ path, onProblem: () => {} })
  await placeProfile({ one: '^1.0.0', two: '^1.0.0', three: '^1.0.0' })
  for (const name of ['one', 'two', 'three']) await placePlugin(name)
  expect(await open().note('web', old, await states({ version: '0.1.5' }))).toBeNull()
  // The upgrade takes one out of the layers, and one out of package.json altogether.
  await placeProfile({ one: '^1.0.0', two: '^1.0.0' }, ['one'])
  await rm(join(directory, 'node_modules/three'), { recursive: true })
  const look = async () => {
    const seen = open()
    return seen.note('web', current, await states({ ranBefore: await seen.ranBefore('web', '0.2.1') }))
  }
  const upgrade = { from: '0.1.5', to: '0.2.1', off: ['two', 'three'], total: 3 }
  expect(await look()).toEqual(upgrade)
  expect(await look()).toEqual(upgrade)
  await placeProfile({ one: '^1.0.0', two: '^1.0.0', three: '^1.0.0' })
  await placePlugin('three')
  expect(await look()).toBeNull()
  await placeProfile({ one: '^1.0.0' })
  const closed = open()
  await closed.dismiss('web')
  expect(await look()).toBeNull()
})

test('a harness looks again only if its program changed, or plugins are still off', async () => {
  const path = lastSeenFile(directory)
  const mayHave = (program: string) => mayHaveUpgraded(directory, 'web', program)
  expect(await mayHave('old')).toBe(false)
  await placeProfile({ one: '^1.0.0' })
  await placePlugin('one')
  const note = async (harnessVersion: string, program: string) =>
    openLastSeen({ path, onProblem: () => {} }).note('web', { harnessVersion, program }, await states())
  await note('0.1.5', 'old')
  expect(await mayHave('old')).toBe(false)
  expect(await mayHave('new')).toBe(true)
  await note('0.2.1', 'new')
  expect(await mayHave('new')).toBe(false)
  await placeProfile({ one: '^1.0.0' }, [])
  expect(await note('0.2.2', 'newest')).toMatchObject({ off: ['one'] })
  expect(await mayHave('newest')).toBe(true)
})

test('two stores of a home see what either noted, and create no home', async () => {
  const path = lastSeenFile(directory)
  const [one, other] = [path, path].map((path) => openLastSeen({ path, onProblem: () => {} }))
  await placeProfile({ one: '^1.0.0' })
  await placePlugin('one')
  await one!.note('web', { harnessVersion: '0.1.5', program: null }, await states())
  await other!.note('work', { harnessVersion: '0.1.5', program: null }, await states())
  expect(await one!.ranBefore('work', '0.2.1')).toEqual(['one'])
  expect(await other!.ranBefore('web', '0.2.1')).toEqual(['one'])

  const none = join(directory, 'no-home')
  const problems: string[] = []
  const nowhere = openLastSeen({ path: lastSeenFile(none), onProblem: (problem) => problems.push(problem) })
  await nowhere.note('web', { harnessVersion: '0.1.5', program: null }, await states())
  expect(problems).toEqual([])
  await expect(stat(none)).rejects.toThrow('ENOENT')
})
