import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fits, misfitOf } from '../../protocol/fit.ts'
import { type Declaration, type DeclarationAnswer, declarationOf } from './declarations.ts'
import { toFit } from './fit-check.ts'
import { openRunRecords, type RunRecords } from './run-records.ts'

let folder: string
let runRecords: RunRecords
const onProblem = () => {}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-fit-'))
  runRecords = openRunRecords({ path: join(folder, 'trials.json'), now: () => 7, onProblem })
})
afterEach(() => rm(folder, { recursive: true }))

const HARNESS = '0.2.1-rc.2'
const read = (manifest: object, others: Declaration['others'] = []): DeclarationAnswer => {
  const declaration = declarationOf({ name: 'kite', version: '1.0.0', ...manifest })!
  return { state: 'read', declaration: { ...declaration, others } }
}

test.each([
  [{ engines: { dsh: '^0.2.0' } }, 'declared-to-fit'],
  [{ engines: { dsh: '^0.1.0' } }, 'declared-not-to-fit'],
  [{ peerDependencies: { '@deepseek-ai/dsh-settings': '^9.0.0' } }, 'declared-not-to-fit'],
  [{ engines: { node: '>=20' } }, 'not-declared'],
])('%j is %s', (manifest, state) => {
  expect(toFit(read(manifest), HARNESS, runRecords, {})).toMatchObject({ state, plugin: 'kite@1.0.0' })
})

test('is unknown without a declaration, and without a version of the harness', () => {
  expect(toFit(null, HARNESS, runRecords, {}).state).toBe('unknown')
  expect(toFit(read({ engines: { dsh: '^0.2.0' } }), null, runRecords, {}).state).toBe('unknown')
})

test('says that registry or code host do not have it', () => {
  const fit = toFit({ state: 'not-found' }, HARNESS, runRecords, {})
  expect([fit.state, fits(fit), misfitOf(fit)]).toEqual(['not-found', false, { reason: 'not-found', triedAt: null }])
})

test.each([
  [{ engines: { dsh: '^0.3.0' } }, 'needs-newer'],
  [{ engines: { dsh: '^0.2.1' } }, 'needs-newer'],
  [{ engines: { dsh: '>=0.1.0-rc.8 <0.2.0-0' } }, 'needs-older'],
  [{ peerDependencies: { '@deepseek-ai/dsh': '^0.1.0', '@deepseek-ai/dsh-settings': '^9.0.0' } }, 'other'],
  [{ engines: { dsh: '0.1.0 || 9.0.0' } }, 'other'],
  [{ engines: { dsh: 'any' } }, 'other'],
])('the misfit of %j is %s', (manifest, reason) => {
  expect(misfitOf(toFit(read(manifest), HARNESS, runRecords, {}))).toEqual({ reason, triedAt: null })
})

test('the misfit of what did not start has the time of its trial', async () => {
  await runRecords.add([{ plugin: 'kite@1.0.0', runs: 'no', why: [] }], HARNESS)
  expect(misfitOf(toFit(read({}), HARNESS, runRecords, {}))).toEqual({ reason: 'did-not-start', triedAt: 7 })
})

test('believes a trial more than a declaration, until either version changes', async () => {
  await runRecords.add([{ plugin: 'kite@1.0.0', runs: 'yes', why: [] }], HARNESS)
  const old = read({ engines: { dsh: '^0.1.0' } })
  expect(toFit(old, HARNESS, runRecords, { 'kite@1.0.0': [HARNESS] })).toMatchObject({ state: 'runs', triedAt: 7 })
  expect(toFit(old, '0.2.2', runRecords, {})).toMatchObject({ state: 'declared-not-to-fit', triedAt: null })
  expect(toFit(read({ version: '1.0.1' }), HARNESS, runRecords, {})).toMatchObject({ state: 'not-declared' })
})

test('says that a plugin does not run which the harness refuses now, although it ran once', async () => {
  const old = { engines: { dsh: '^0.1.0' } }
  await runRecords.add([{ plugin: 'kite@1.0.0', runs: 'yes', why: [] }], HARNESS)
  expect(toFit(read(old), HARNESS, runRecords, { 'kite@1.0.0': ['0.2.0'] })).toMatchObject({
    state: 'declared-not-to-fit',
    triedAt: null,
  })
  // A harness without the gate loads it.
  await runRecords.add([{ plugin: 'kite@1.0.0', runs: 'yes', why: [] }], '0.1.5-rc.1')
  expect(toFit(read({ engines: { dsh: '^0.2.0' } }), '0.1.5-rc.1', runRecords, {})).toMatchObject({ state: 'runs' })
})

test('tells a plugin that broke the web page from one that did not start', async () => {
  await runRecords.add([{ plugin: 'kite@1.0.0', runs: 'no', breaksPage: true, why: [] }], HARNESS)
  const fit = toFit(read({}), HARNESS, runRecords, {})
  expect(fit).toMatchObject({ state: 'does-not-run', breaksPage: true })
  expect(misfitOf(fit)).toEqual({ reason: 'broke-page', triedAt: 7 })
})

test('gives the words of the harness for what did not start, after a restart too', async () => {
  await runRecords.add([{ plugin: 'kite@1.0.0', runs: 'no', why: ['kite: says no'] }], HARNESS)
  const next = openRunRecords({ path: join(folder, 'trials.json'), now: () => 8, onProblem })
  await next.refresh()
  expect(toFit(read({}), HARNESS, next, {})).toMatchObject({ state: 'does-not-run', why: ['kite: says no'] })
})

test('names the newest other version that declares to fit', () => {
  const others = [
    { version: '0.9.0', requirements: { 'engines.dsh': '^0.3.0' } },
    { version: '0.8.0', requirements: { 'engines.dsh': '>=0.2.0 <0.3.0-0' } },
    { version: '0.7.0', requirements: {} },
  ]
  expect(toFit(read({ engines: { dsh: '^0.1.0' } }, others), HARNESS, runRecords, {}).fitting).toBe('0.8.0')
})
