import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EntryState } from '../../protocol/index.ts'
import { openLastSeen, openRunRecords, unrecordedRuns } from './run-records.ts'

const HARNESS = '0.2.1-rc.2'
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-run-records-'))
})
afterEach(() => rm(folder, { recursive: true }))

const open = () =>
  openRunRecords({
    path: join(folder, 'plugmark/trials.json'),
    now: () => 7,
    onProblem: (_, cause) => expect.fail(String(cause)),
  })
const state = (kind: EntryState['state']['kind']): EntryState['state'] => ({
  kind,
  why: ['says no'],
  harnessVersion: HARNESS,
  steps: [],
  allowCommand: null,
})

test('keeps what two stores record at the same moment', async () => {
  const stores = Array.from({ length: 20 }, open)
  await Promise.all(
    stores.map((store, index) => store.add([{ plugin: `p${index}@1.0.0`, runs: 'yes', why: [] }], HARNESS)),
  )
  const later = open()
  await later.refresh()
  expect(stores.map((_, index) => later.find(`p${index}@1.0.0`, HARNESS)?.runs)).toEqual(stores.map(() => true))
})

test('keeps the upgrade notices of two profiles that are noted at the same moment', async () => {
  const path = join(folder, 'plugmark/last-seen.json')
  const names = Array.from({ length: 10 }, (_, index) => `profile-${index}`)
  const states = [{ name: 'kite', state: state('running') }]
  const note = (name: string, harnessVersion: string) =>
    openLastSeen({ path, onProblem: () => {} }).note(name, { harnessVersion, program: null }, states)
  await Promise.all(names.map((name) => note(name, '0.1.5')))
  const later = openLastSeen({ path, onProblem: () => {} })
  expect(await Promise.all(names.map((name) => later.ranBefore(name, '0.2.1')))).toEqual(names.map(() => ['kite']))
})

test('keeps what a plugin was seen to add, also when a later start saw only that it runs', async () => {
  const adds = { commands: ['kite'], tools: [], settings: ['Wind'] }
  const store = open()
  await store.add([{ plugin: 'kite@1.0.0', runs: 'yes', why: [], adds }], HARNESS)
  await store.add([{ plugin: 'kite@1.0.0', runs: 'yes', why: [] }], HARNESS)
  const later = open()
  await later.refresh()
  expect(later.find('kite@1.0.0', HARNESS)).toMatchObject({ runs: true, adds })
})

test('keeps the pages of Settings that a trial saw, until a trial in a browser sees others', async () => {
  const store = open()
  const parts = { commands: ['kite'], tools: [] }
  const see = (adds: object) =>
    store.add([{ plugin: 'kite@1.0.0', runs: 'yes', why: [], adds: { ...parts, ...adds } }], HARNESS)
  const kept = () => store.find('kite@1.0.0', HARNESS)?.adds
  await see({})
  expect(kept()).toEqual(parts)
  await see({ settings: ['Wind'] })
  await see({})
  expect(kept()).toEqual({ ...parts, settings: ['Wind'] })
  await see({ settings: [] })
  expect(kept()).toEqual({ ...parts, settings: [] })
})

test.each([1e300, -1, '1e999'])('reads no trial at a time that no date has: %s', async (at) => {
  const path = join(folder, 'trials.json')
  const trial = { plugin: 'kite@1.0.0', harnessVersion: HARNESS, runs: true, why: [], at: 7 }
  await writeFile(path, JSON.stringify({ version: 1, trials: [trial] }).replace('7', String(at)))
  const problems: unknown[] = []
  const store = openRunRecords({ path, now: () => 7, onProblem: (kind) => void problems.push(kind) })
  await store.refresh()
  expect(store.find('kite@1.0.0', HARNESS)).toBeNull()
  expect(problems).toEqual(['declarations-unreadable'])
})

test('keeps what was seen last, also after the clock was set back', async () => {
  const path = join(folder, 'plugmark/clock.json')
  const at = (now: number) => openRunRecords({ path, now: () => now, onProblem: () => {} })
  await at(2000).add([{ plugin: 'kite@1.0.0', runs: 'no', why: [] }], HARNESS)
  const later = at(1000)
  await later.add([{ plugin: 'kite@1.0.0', runs: 'yes', why: [] }], HARNESS)
  expect(later.find('kite@1.0.0', HARNESS)?.runs).toBe(true)
  const third = at(500)
  await third.refresh()
  expect(third.find('kite@1.0.0', HARNESS)?.runs).toBe(true)
})

test('records nothing of what is unknown', async () => {
  const runRecords = open()
  await runRecords.add([{ plugin: 'kite@1.0.0', runs: 'unknown', why: [] }], HARNESS)
  expect(runRecords.find('kite@1.0.0', HARNESS)).toBeNull()
})

test('creates no home of the harness', async () => {
  const runRecords = openRunRecords({
    path: join(folder, 'no-home/plugmark/trials.json'),
    now: () => 7,
    onProblem: (_, cause) => expect.fail(String(cause)),
  })
  await runRecords.add([{ plugin: 'kite@1.0.0', runs: 'yes', why: [] }], HARNESS)
  expect(runRecords.find('kite@1.0.0', HARNESS)?.runs).toBe(true)
})

test.each([
  ['records', 'a copy', true, 'no'],
  ['does not record', 'the running harness, which may be unloading it', false, undefined],
])('%s that a plugin does not start in %s', (_verb, _where, isCopy, runs) => {
  const states = [
    { name: 'leaving', state: state('does-not-start') },
    { name: 'good', state: state('running') },
    { name: 'replaced', state: state('running') },
  ]
  // A running harness may run an older version of what was updated since it started.
  const versions = new Map([
    ['leaving', '1.0.0'],
    ['good', '2.0.0'],
    ['replaced', null],
  ])
  const dependencies = { leaving: '^1.0.0', good: '^2.0.0', replaced: '^1.0.0' }
  const given = {
    runRecords: { find: () => null },
    dependencies,
    commits: new Map(),
    versions,
    harnessVersion: HARNESS,
    isCopy,
  }
  const found = unrecordedRuns(states, given)
  expect(found.find(({ plugin }) => plugin === 'leaving@1.0.0')?.runs).toBe(runs)
  expect(found.find(({ plugin }) => plugin === 'good@2.0.0')?.runs).toBe('yes')
  expect(found.some(({ plugin }) => plugin.startsWith('replaced'))).toBe(false)
})

test('keeps that a plugin broke the web page, until a start in which that page loads', () => {
  const runRecords = openRunRecords({ path: null, now: () => 7, onProblem: () => {} })
  const plugin = 'kite@1.0.0'
  void runRecords.add([{ plugin, runs: 'no', breaksPage: true, why: [] }], HARNESS)
  const versions = new Map([['kite', '1.0.0']])
  const of = { runRecords, harnessVersion: HARNESS, isCopy: false, versions, commits: new Map() }
  const given = { ...of, dependencies: { kite: '^1.0.0' } }
  const seen = [{ name: 'kite', state: state('running') }]
  for (const page of [undefined, { loads: 'unknown' }, { loads: 'yes' }] as const)
    expect(unrecordedRuns(seen, { ...given, page })).toHaveLength(page?.loads === 'yes' ? 1 : 0)
})

test.each(['link:../mine', 'file:kite.tgz', 'npm:other@1.0.0'])(
  'records a start of %s under its source, not as the published version of that name',
  (source) => {
    const states = [{ name: 'kite', state: state('running') }]
    const given = { runRecords: { find: () => null }, harnessVersion: HARNESS, isCopy: true }
    const versions = new Map([['kite', '1.0.0']])
    const found = unrecordedRuns(states, { ...given, versions, commits: new Map(), dependencies: { kite: source } })
    expect(found.map(({ plugin }) => plugin)).toEqual([`kite@1.0.0 from ${source}`])
  },
)

test.each(['github:o/kite', 'github:o/kite#0123456'])(
  'records a start of %s for its commit only, and not when that is unknown',
  (source) => {
    const given = { runRecords: { find: () => null }, harnessVersion: HARNESS, isCopy: true }
    const versions = new Map([['kite', '1.0.0']])
    const found = (commits: ReadonlyMap<string, string>) =>
      unrecordedRuns([{ name: 'kite', state: state('running') }], {
        ...given,
        versions,
        commits,
        dependencies: { kite: source },
      })
    const commit = '0a'.repeat(20)
    expect(found(new Map([['kite', commit]]))[0]?.plugin).toBe(`kite@1.0.0 from ${source} at ${commit}`)
    expect(found(new Map())).toEqual([])
  },
)
