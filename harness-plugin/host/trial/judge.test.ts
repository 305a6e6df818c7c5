import { expect, test, vi } from 'vitest'
import type { JobContext } from '../harness/job.ts'
import { Output } from '../harness/output.ts'
import type { Boot, FailedStart, StartedHarness } from './boot.ts'
import { attribute, type Judgement, judgeBoot } from './judge.ts'

const row = (name: string, state = 2) => ({ id: name, name, disabled: false, state })
const up = (change: Partial<StartedHarness> = {}): StartedHarness => ({
  up: true,
  rows: [row('kite'), row('other')],
  layers: null,
  parts: null,
  page: { loads: 'yes', text: '' },
  lines: [],
  ...change,
})
const down = (...why: string[]): FailedStart => ({ up: false, why, lines: why, hung: false })
const broken = (text: string) => ({ loads: 'no', text }) as const
const NOT_TRIED = { loads: 'unknown', text: '' } as const

const judge = (boot: Boot, without: Boot | (() => Promise<Boot>)) =>
  judgeBoot(boot, {
    context: {
      signal: new AbortController().signal,
      output: new Output({ redactions: [], onLines: () => {} }),
      settings: { trial: { startLimitMs: 90_000 } },
    } as unknown as JobContext,
    plugins: ['kite'],
    isWeb: true,
    changes: new Map(),
    mayBreakPage: true,
    startWithout: async () => (typeof without === 'function' ? without() : without),
  })

test('does not blame a plugin for a broken page that nobody could try without it', async () => {
  const judgement = await judge(up({ page: broken('Something went wrong') }), up({ page: NOT_TRIED }))
  expect(judgement).toMatchObject({ passed: false, kind: 'breaks-screen', blame: 'unknown' })
})

test('blames a plugin that the broken page names, and one whose absence repairs the page', async () => {
  const text = 'Failed to load plugins kite: import failed'
  expect(await judge(up({ page: broken(text) }), up({ page: NOT_TRIED }))).toMatchObject({ blame: 'yes' })
  expect(await judge(up({ page: broken('an error') }), up())).toMatchObject({ kind: 'breaks-screen', blame: 'yes' })
  const longer = up({ page: broken('Failed to load plugins kite-two') })
  expect(await judge(longer, up({ page: NOT_TRIED }))).toMatchObject({ blame: 'unknown' })
})

test('needs no comparison with a page that names the plugin on trial as the only part of it that does not run', async () => {
  const without = vi.fn(async () => up({ page: broken('an error') }))
  const judged = (text: string, rows = up().rows) => judge(up({ page: broken(text), rows }), without)
  const error = 'HARNESS · Failed to load plugins · kite · web boot: 1 entry did not activate · kite: failed'
  expect(await judged(error)).toMatchObject({ kind: 'breaks-screen', subjects: [error], blame: 'yes' })
  expect(without).not.toHaveBeenCalled()
  for (const other of [
    'HARNESS · Failed to load plugins · web boot: 2 entries did not activate · kite: failed · other: failed',
    'HARNESS · Failed to load plugins · web boot: 1 entry did not activate · kite-two: failed',
    'HARNESS · Failed to load plugins · web boot: 1 entry did not activate · other: import failed: no · kite: lost',
    'HARNESS · Failed to load plugins · failed to apply loader entry cb081b54 (kite): no',
  ])
    expect(await judged(other)).toMatchObject({ kind: 'profile-broken', blame: 'no' })
  expect(await judged(error, [row('kite'), row('other', 0)])).toMatchObject({ kind: 'breaks-others' })
  expect(without).toHaveBeenCalledTimes(5)
})

test('compares a page that does not answer, and blames the plugin without which it comes up', async () => {
  const silent = { loads: 'unknown', text: 'The page does not answer.', isSilent: true } as const
  expect(await judge(up({ page: silent }), up())).toMatchObject({ kind: 'breaks-screen', blame: 'yes' })
  const unseen = { passed: true, trial: { harnessStarted: true, pageLoaded: false } }
  expect(await judge(up({ page: silent }), up({ page: silent }))).toEqual(unseen)
  expect(await judge(up({ page: NOT_TRIED }), up())).toEqual(unseen)
})

test('does not clear a plugin that breaks the page by a start with the others in which nobody saw the page', () => {
  const passed: Judgement = { passed: true, trial: { harnessStarted: true, pageLoaded: false } }
  const judgement: Judgement = { passed: false, kind: 'breaks-screen', subjects: ['an error'], blame: 'yes' }
  const alone = { boot: up({ page: broken('an error') }), judgement, plugins: ['kite'] }
  expect(attribute(passed, up({ page: NOT_TRIED }), alone)).toEqual({ ...judgement, blame: 'unknown' })
  const seen: Judgement = { passed: true, trial: { harnessStarted: true, pageLoaded: true } }
  expect(attribute(seen, up(), alone)).toEqual(seen)
})

test('tells what the harness had only with a plugin that passed', async () => {
  const adds = { commands: ['harbor-note'], tools: [], settings: [] }
  expect(await judge(up({ adds }), up())).toMatchObject({ passed: true, adds })
  expect(await judge(up(), up())).toEqual({ passed: true, trial: { harnessStarted: true, pageLoaded: true } })
})

test('accepts a plugin without which the harness does not start, although another row does not run', async () => {
  const boot = up({ rows: [row('kite'), row('other', 0)] })
  expect(await judge(boot, down('Error: kite is missing'))).toMatchObject({ passed: true })
})

test('calls the profile broken where the page is broken with and without the plugin', async () => {
  const page = broken('an error')
  expect(await judge(up({ page }), up({ page }))).toMatchObject({ kind: 'profile-broken', blame: 'no' })
  expect(await judge(up({ page }), down())).toMatchObject({ kind: 'profile-broken', blame: 'no' })
})

test.each<[string, Boot, Judgement | null, FailedStart, object]>([
  ['the same error as without the others', down('Error: lost'), null, down('Error: lost'), { kind: 'stops-harness' }],
  ['its own name', down('waits'), null, down('fatal: kite (kite): no'), { subjects: ['fatal: kite (kite): no'] }],
  [
    'what it showed without the others',
    up(),
    { passed: false, kind: 'does-not-start', subjects: ['kite: says no'], blame: 'yes' },
    down('Error: fails after eight seconds'),
    { kind: 'does-not-start', subjects: ['kite: says no'] },
  ],
  [
    'its own error without the others',
    down('failed to apply loader entry kite (kite): says no'),
    null,
    down('Error: fails after eight seconds'),
    { kind: 'stops-harness', subjects: ['failed to apply loader entry kite (kite): says no'] },
  ],
  [
    'the profile, where nothing names it',
    down('Error: waiting for service: sea'),
    null,
    down('Error: fails after eight seconds'),
    { kind: 'profile-broken', subjects: ['Error: fails after eight seconds'], blame: 'no' },
  ],
])('a harness that ends with the other plugins is the fault of: %s', (_, boot, judgement, started, expected) => {
  const all: Judgement = { passed: false, kind: 'stops-harness', subjects: started.why, blame: 'yes' }
  expect(attribute(all, started, { boot, judgement, plugins: ['kite'] })).toMatchObject(expected)
})
