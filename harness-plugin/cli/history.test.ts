import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyOutcome } from '../host/harness/outcome.ts'
import { UpdateStates } from '../host/plugins/updates.ts'
import { aHome, FAKE_HARNESS, furnish, hashTree } from '../host/testing.ts'
import { addToHistory } from '../host/transaction/history.ts'
import { NO_DIRECTORY } from './session.ts'
import { placePlugins, runsForTests } from './testing.ts'
import { render } from './text/render.ts'

const { start, json, text } = runsForTests()
let home: Awaited<ReturnType<typeof aHome>>
let env: Record<string, string>
beforeEach(async () => {
  home = await aHome()
  env = { DSH_HOME: home.home }
})
afterEach(() => home.dispose())

const version = { version: '1.0.0', commit: null, enabled: true }
const idOf = (n: number): string => `${n}0000000-0000-4000-8000-000000000000`
const anEntry = (n: number) => ({
  ...({ id: idOf(n), action: 'install', listing: 'a/good', more: [] } as const),
  command: 'dsh plugin add good',
  client: 'koishi',
  queuedAt: n,
  startedAt: n,
  endedAt: n,
  outcome: emptyOutcome('registered'),
  changes: [{ name: 'good', before: null, after: version }],
})
async function record(...entries: ReturnType<typeof anEntry>[]) {
  await mkdir(join(home.directory, '.plugmark'))
  for (const entry of entries) await addToHistory(home.directory, entry, { output: ['its output'], redactions: [] })
}

test('lists the jobs of a profile newest first, and shows one with its log by the beginning of its id', async () => {
  await record(anEntry(1), anEntry(2))
  const { document } = await json(['history'], { env })
  expect(document.data).toMatchObject({ total: 2, jobs: [{ job: anEntry(2).id, output: [] }, { client: 'koishi' }] })
  expect((await json(['history', '-n', '1'], { env })).document.data.jobs).toHaveLength(1)
  expect((await json(['history', '10'], { env })).document.data.jobs).toMatchObject([
    { changes: [{ package: 'good', before: null, after: version }], output: ['$ dsh plugin add good', 'its output'] },
  ])
  const { run, written } = start(['history'], { env })
  expect(await run.finish()).toBe(0)
  expect(written.stdout.split('\n')[0]).toBe(
    `${anEntry(2).id}\t1970-01-01T00:00:00.002Z\tinstall\tregistered\ta/good\tInstalled a/good 1.0.0\tkoishi`,
  )
})

test('says of a job that failed what was tried, and of missing files that they were installed', async () => {
  const unknown = { ...version, version: null }
  await record(
    { ...anEntry(1), outcome: emptyOutcome('breaks-screen'), changes: [] } as never,
    { ...anEntry(2), action: 'repair', changes: [{ name: 'good', before: unknown, after: version }] } as never,
  )
  const { stdout } = await text(['history'], { env })
  expect(stdout).toMatch(/\tInstall a\/good: Breaks the web page\t/)
  expect(stdout).toMatch(/: Installed a\/good 1\.0\.0\t/)
})

test('calls an undo and a redo what they are, with what they changed', async () => {
  const after = { name: 'good', before: version, after: { ...version, version: '1.1.0' } }
  const gone = { name: 'good', before: version, after: null }
  const entry = (n: number, action: 'undo' | 'redo', kind: 'reverted' | 'redone', change: object) =>
    ({ ...anEntry(n), action, outcome: emptyOutcome(kind), changes: [change] }) as never
  await record(anEntry(1), entry(3, 'undo', 'reverted', gone), entry(4, 'redo', 'redone', after))
  const { run, written } = start(['history'], { env })
  expect(await run.finish()).toBe(0)
  expect(written.stdout.split('\n').map((line) => line.split('\t')[5])).toEqual([
    'Redone: a/good 1.0.0 → 1.1.0',
    'Undone: a/good is no longer installed',
    'Installed a/good 1.0.0',
    undefined,
  ])
})

test('names before an undo or a redo what becomes of each package', () => {
  const older = { package: 'good', before: version, after: { ...version, version: '0.9.0' } }
  const newer = { ...older, before: older.after, after: version }
  const shown = (
    action: string,
    changes: (typeof newer | { package: string; before: typeof version; after: null })[],
  ) =>
    (['en', 'zh'] as const).map((locale) => {
      const change = { action, ids: ['a/good'], endedAt: '2026-11-29T01:00:00.000Z', changes }
      const options = { env: {}, stdout: {}, stderr: {}, locale, color: 'never', directory: NO_DIRECTORY } as const
      return render('undo', { profile: 'web', change, job: null }, options).text
    })
  const [undo, zhUndo] = shown('update', [older])
  expect(undo).toMatch(/: Updated a\/good\.\nThis puts back: good 1\.0\.0 → 0\.9\.0\n$/)
  expect(zhUndo).toMatch(/更新了 a\/good。\n将恢复：good 1\.0\.0 → 0\.9\.0\n$/)
  const [redo, zhRedo] = shown('undo', [newer])
  expect(redo).toMatch(/^Undone in profile web, .*:\nThis updates: good 0\.9\.0 → 1\.0\.0\n$/)
  expect(zhRedo).toMatch(/^配置档 web 中 .* 撤销的改动：\n将更新：good 0\.9\.0 → 1\.0\.0\n$/)
  expect(shown('install', [{ ...older, after: null }])).toEqual([
    expect.stringMatching(/\nThis removes good 1\.0\.0\n$/),
    expect.stringMatching(/\n将移除 good 1\.0\.0\n$/),
  ])
})

test('goes one change back: a second undo changes nothing and names redo, and a second redo the history', async () => {
  await furnish(home.directory)
  await placePlugins(home.directory, { good: '^1.0.0' })
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
  const own = { ...env, PLUGMARK_HARNESS: join(home.home, 'program.cjs') }
  const of = async (...argv: string[]) => {
    const { code, document } = await json([...argv, '--profile', 'web'], { env: own })
    return [code, document.error?.code ?? document.data.job?.outcome.kind, document.error?.next]
  }
  expect((await json(['disable', 'good'], { env: own })).code).toBe(0)
  expect(await of('redo')).toEqual([1, 'nothing-to-redo', 'plugmark history --profile web --json'])
  expect(await of('undo')).toEqual([0, 'reverted', undefined])
  const undone = await hashTree(home.directory)
  expect(await of('undo')).toEqual([1, 'nothing-to-undo', 'plugmark redo --profile web --json'])
  expect((await json(['undo', '--profile', 'web'], { env: own })).document.error.message).toMatch(
    /^Undo goes one change back, .*earlier install back: plugmark remove NAME\. .*plugmark history\.$/,
  )
  expect(await hashTree(home.directory)).toBe(undone)
  expect(await of('redo')).toEqual([0, 'redone', undefined])
  expect(await of('redo')).toEqual([1, 'nothing-to-redo', 'plugmark history --profile web --json'])
  expect(await of('undo')).toEqual([0, 'reverted', undefined])
})

test('names what is known against what an enable or an undo brings back, and refuses malware before it asks', async () => {
  await furnish(home.directory)
  await placePlugins(home.directory, { good: '^1.0.0' })
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
  const own = { ...env, PLUGMARK_HARNESS: join(home.home, 'program.cjs') }
  const nothing = { versions: new Map(), waiting: new Map(), commits: new Map(), problems: new Map(), news: new Map() }
  const know = (isMalware: boolean) => {
    const one = {
      package: 'deep',
      path: ['good@1.0.0', 'deep@1.0.0'],
      title: 'Steals tokens',
      severity: 'high',
      url: '',
    }
    const advisories = [{ ...one, isMalware, without: null }]
    const check = { ...nothing, advisories, unknownSince: null, installed: { versions: new Map(), commits: new Map() } }
    return new UpdateStates().change(home.directory, () => ({ check }))
  }
  expect((await json(['disable', 'good'], { env: own })).code).toBe(0)
  for (const [isMalware, exit] of [
    [false, 0],
    [true, 5],
  ] as const) {
    await know(isMalware)
    // A dry run ends where a terminal asks.
    for (const argv of [['enable', 'good'], ['undo']]) {
      const { code, stderr } = await text([...argv, '--dry-run', '--profile', 'web'], { env: own })
      expect([code, stderr]).toEqual([exit, expect.stringMatching(/good@1\.0\.0 › deep@1\.0\.0: .*Steals tokens/)])
    }
  }
})

test('runs no job for a plugin that is on or off already', async () => {
  await furnish(home.directory)
  await placePlugins(home.directory, { good: '^1.0.0' })
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
  const own = { ...env, PLUGMARK_HARNESS: join(home.home, 'program.cjs') }
  const skipped = (on: boolean) => [
    { id: 'good', reason: 'installed', message: `It is ${on ? 'on' : 'off'} already. Nothing was changed.` },
  ]
  const of = async (command: string) => (await json([command, 'good'], { env: own })).document.data
  expect(await of('enable')).toMatchObject({ jobs: [], skipped: skipped(true) })
  expect((await of('disable')).jobs).toHaveLength(1)
  expect(await of('disable')).toMatchObject({ jobs: [], skipped: skipped(false) })
  expect((await json(['history'], { env })).document.data.total).toBe(1)
})

test('refuses an id that no job, or more than one, begins with', async () => {
  await record(anEntry(1), { ...anEntry(2), id: anEntry(1).id.replace('-4000', '-4001') })
  for (const [id, code] of [
    ['10', 'ambiguous'],
    ['f', 'unknown-job'],
  ] as const)
    expect((await json(['history', id], { env })).document.error.code).toBe(code)
})

test('names the home that has no profile, beside the harness that is missing', async () => {
  for (const command of ['history', 'undo']) {
    const { code, document } = await json([command], { env: { DSH_HOME: '/nowhere', PLUGMARK_HARNESS: 'not-here' } })
    expect([code, document.error.message]).toEqual([7, expect.stringMatching(/in \/nowhere\..* program not-here\.$/)])
  }
})
