import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HistoryEntry } from '../../protocol/index.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { aHome } from '../testing.ts'
import { addToHistory } from './history.ts'
import { findRestarts } from './restarts.ts'

let home: Awaited<ReturnType<typeof aHome>>
let state: ProfileState
beforeEach(async () => {
  home = await aHome()
  await mkdir(join(home.directory, '.plugmark'))
  await has('1.1.0')
})
afterEach(() => home.dispose())

/** Makes a profile of one plugin. */
async function has(version: string, bundles = ['shelf']) {
  const folder = join(home.directory, 'node_modules/shelf')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shelf', version }))
  const manifest = { dependencies: { shelf: '^1.0.0' }, dsh: { profile: { bundles } } }
  await writeFile(join(home.directory, 'package.json'), JSON.stringify(manifest))
  state = (await readProfileState(home.directory))!
}

const on = (version: string) => ({ version, commit: null, enabled: true })
const off = (version: string) => ({ version, commit: null, enabled: false })
const V1 = on('1.0.0')
const V2 = on('1.1.0')
type Change = Omit<HistoryEntry['changes'][number], 'name'> & { readonly name?: string }
async function changed(
  at: number,
  activation: HistoryEntry['outcome']['activation'],
  ...changes: readonly Change[]
): Promise<void> {
  const job = { id: crypto.randomUUID(), action: 'update', listing: 'a/shelf', more: [], command: null } as const
  const entry = { ...job, client: 'cli', queuedAt: at, startedAt: at, endedAt: at }
  const named = changes.map((change) => ({ name: 'shelf', ...change }))
  const outcome = { ...emptyOutcome('updated'), activation }
  await addToHistory(home.directory, { ...entry, outcome, changes: named }, { output: [], redactions: [] })
}
const due = async (startedAt: number | null = 10) =>
  Object.fromEntries(await findRestarts(home.directory, state, startedAt))

test('names the version of an update that the harness, which started before it, does not use', async () => {
  expect(await due()).toEqual({})
  await changed(20, 'restart', { before: V1, after: V2 })
  expect(await due()).toEqual({ shelf: '1.1.0' })
})

test('names nothing once the harness has started again', async () => {
  await changed(20, 'restart', { before: V1, after: V2 })
  expect(await due(30)).toEqual({})
})

test.each(['live', 'restart-unless-applied'] as const)(
  'names nothing that the harness applied by itself: %s',
  async (activation) => {
    await changed(20, activation, { before: null, after: V2 })
    expect(await due()).toEqual({})
  },
)

test('names nothing once an undo has brought back what the harness still runs', async () => {
  await changed(20, 'restart', { before: V1, after: V2 })
  await changed(21, 'restart', { before: V2, after: V1 })
  await has('1.0.0')
  expect(await due()).toEqual({})
})

test('names nothing once the harness has loaded the new version after all', async () => {
  await changed(20, 'restart', { before: V1, after: V2 })
  await changed(21, 'live', { before: V2, after: off('1.1.0') })
  await changed(22, 'live', { before: off('1.1.0'), after: V2 })
  expect(await due()).toEqual({})
})

test('names nothing of a job that ended in the future, because the clock was wrong then', async () => {
  await changed(Date.now() + 86_400_000, 'restart', { before: V1, after: V2 })
  expect(await due(Date.now())).toEqual({})
})

test('names a plugin that is off, while the harness keeps it', async () => {
  await has('1.1.0', [])
  await changed(20, 'restart-for-page', { before: V2, after: off('1.1.0') })
  expect(await due()).toEqual({ shelf: null })
})

test('names of a job only what it replaced, when it also installed what the harness loads by itself', async () => {
  await changed(20, 'restart', { before: null, after: V2 }, { name: 'other', before: V1, after: V2 })
  expect(await due()).toEqual({})
})

test('says nothing of a plugin that another program changed since, or that is gone', async () => {
  await changed(20, 'restart', { before: V1, after: V2 }, { name: 'gone', before: V1, after: V2 })
  await has('1.2.0')
  expect(await due()).toEqual({})
})

test('reads when a harness of another process last started from the profile', async () => {
  await changed(20, 'restart', { before: V1, after: V2 })
  expect(await due(null)).toEqual({})
  const file = join(home.directory, 'cordis.yml')
  await writeFile(file, '')
  await utimes(file, 0.01, 0.01)
  expect(await due(null)).toEqual({ shelf: '1.1.0' })
  await utimes(file, 0.03, 0.03)
  expect(await due(null)).toEqual({})
})
