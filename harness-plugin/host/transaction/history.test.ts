import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { JobAction } from '../../protocol/index.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { hostForTests, value, whenRecovered } from '../host-testing.ts'
import { aRecord, directoryOf, FAKE_HARNESS, furnish } from '../testing.ts'
import { addToHistory, readHistory, updateHistory } from './history.ts'
import { beginJournal } from './journal.ts'

const { its, ended } = hostForTests()
const records = ['good', 'half'].map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))
const file = (name: string) => join(its.home.directory, '.plugmark/history', name)
const history = async () => value(await its.host.calls.history({ profile: 'web' }))
const aHost = (client = 'cli') => its.create({ client, fetch: directoryOf(records).fetch })

async function perform(id: string, action: JobAction = 'install') {
  const { token } = value(await its.host.calls.review({ id, profile: 'web', action }))
  return ended(value(await its.host.calls.start({ id, token, acknowledged: false })).id)
}
const anEntry = (at: number) => ({
  ...({ id: crypto.randomUUID(), action: 'install', listing: 'a/good', more: [], command: null } as const),
  client: 'cli',
  queuedAt: at,
  startedAt: at,
  endedAt: at,
  outcome: emptyOutcome('registered'),
  changes: [],
})

beforeEach(async () => {
  await furnish(its.home.directory)
  await writeFile(join(its.home.home, 'program.cjs'), FAKE_HARNESS)
  aHost()
  await whenRecovered(its.host)
})

test('keeps every job with its client, its outcome and the versions before and after it, newest first', async () => {
  await perform('a/good')
  await perform('a/good', 'update')
  await perform('a/half')
  aHost('koishi')
  await perform('a/good', 'remove')
  const v1 = { version: '1.0.0', commit: null, enabled: true }
  expect(await history()).toMatchObject([
    { client: 'koishi', action: 'remove', changes: [{ name: 'good', before: { version: '2.0.0' }, after: null }] },
    { client: 'cli', listing: 'a/half', outcome: { kind: 'failed', rollback: 'complete' }, changes: [] },
    { action: 'update', outcome: { kind: 'updated' }, changes: [{ before: v1, after: { version: '2.0.0' } }] },
    { action: 'install', outcome: { kind: 'registered' }, changes: [{ name: 'good', before: null, after: v1 }] },
  ])
})

test('records an undo with the versions that it brought back', async () => {
  const { id } = await perform('a/good')
  await ended(value(await its.host.calls.undo({ profile: 'web', change: id })).id)
  expect((await history())[0]).toMatchObject({
    action: 'undo',
    listing: 'a/good',
    outcome: { kind: 'reverted' },
    changes: [{ name: 'good', before: { version: '1.0.0' }, after: null }],
  })
})

test('keeps the log of a job for its own user only, without secrets and one-time tokens', async () => {
  const secrets = ['http://127.0.0.1:4/?token=one-time', '//registry.example/:_authToken=npm_secretsecretsecret']
  const program = `${FAKE_HARNESS}; console.log(${JSON.stringify(secrets.join('\n'))}); process.exitCode = 1`
  await writeFile(join(its.home.home, 'program.cjs'), program)
  const { id } = await perform('a/half')
  const path = await its.host.logFile('web', id)
  expect(await readFile(path!, 'utf8')).toMatch(
    /^\$ dsh plugin --profile web add half\nKnown problems of half could not be looked up.*\ndone \d+\n/,
  )
  const lines = value(await its.host.calls.jobLog({ profile: 'web', job: id }))
  expect(lines.slice(-2)).toEqual(['http://127.0.0.1:4/?token=***', '//registry.example/:_authToken=***'])
  for (const name of await readdir(file(''))) expect(await readFile(file(name), 'utf8')).not.toMatch(/one-time|npm_s/)
  expect((await stat(file(''))).mode & 0o077).toBe(0)
})

test('keeps what it says of each change of a job of several without secrets', async () => {
  const listing = 'https://me:npm_secretsecretsecret@host.example/a.tgz'
  const parts = [{ listing, kind: 'failed', subjects: [listing] }] as const
  const entry = { ...anEntry(0), listing, more: [listing], outcome: { ...emptyOutcome('failed'), parts } }
  await mkdir(file(''), { recursive: true })
  await addToHistory(its.home.directory, entry, { output: [], redactions: [] })
  const shown = 'https://***@host.example/a.tgz'
  expect(await readHistory(its.home.directory)).toEqual([
    {
      ...entry,
      listing: shown,
      more: [shown],
      outcome: { ...entry.outcome, parts: [{ ...parts[0], listing: shown, subjects: [shown] }] },
    },
  ])
  for (const name of await readdir(file(''))) expect(await readFile(file(name), 'utf8')).not.toMatch(/npm_s/)
})

test('replaces the outcome of a job without private paths', async () => {
  await mkdir(file(''), { recursive: true })
  const entry = anEntry(0)
  await addToHistory(its.home.directory, entry, { output: [], redactions: [] })
  await updateHistory(its.home.directory, entry, emptyOutcome('failed', ['/home/me/x']), [['/home/me', '~']])
  expect(await readHistory(its.home.directory)).toEqual([{ ...entry, outcome: emptyOutcome('failed', ['~/x']) }])
})

test('records a job that ended with its process as interrupted', async () => {
  const job = { ...anEntry(Date.now()), client: 'dsh' }
  await mkdir(join(its.home.directory, '.plugmark'))
  await beginJournal(its.home.directory, job, [{ kind: 'npm', name: 'good' }], { client: 'dsh' })
  aHost()
  expect(await history()).toMatchObject([{ id: job.id, client: 'dsh', outcome: { kind: 'interrupted' }, changes: [] }])
  expect(value(await its.host.calls.jobLog({ profile: 'web', job: job.id }))).toEqual([])
})

test('keeps the last 50 jobs and the end of a long log', async () => {
  await mkdir(join(its.home.directory, '.plugmark'))
  const entries = Array.from({ length: 52 }, (_, n) => anEntry(Date.UTC(2026, 10, 1, 0, 0, n)))
  for (const entry of entries)
    await addToHistory(its.home.directory, entry, { output: ['x'.repeat(200_000), 'the end'], redactions: [] })
  const kept = await readHistory(its.home.directory)
  expect(kept.map(({ id }) => id)).toEqual(
    entries
      .slice(2)
      .map(({ id }) => id)
      .toReversed(),
  )
  const files = await readdir(file(''))
  expect(files).toHaveLength(100)
  const log = await readFile(file(files.find((name) => name.endsWith('.log'))!), 'utf8')
  expect(log.length).toBeLessThanOrEqual(100_001)
  expect(log.endsWith('\nthe end\n')).toBe(true)
})

test('skips entries that cannot be read or that a newer version wrote', async () => {
  await perform('a/good')
  const [name = ''] = (await readdir(file(''))).filter((name) => name.endsWith('.json'))
  const text = await readFile(file(name), 'utf8')
  await writeFile(file('2026-01-01T00-00-00-damaged.json'), text.slice(0, 50))
  await writeFile(file('2026-01-02T00-00-00-newer.json'), text.replace('"version":7', '"version":8'))
  await writeFile(file('2026-01-03T00-00-00-unknown.json'), text.replace('"registered"', '"transformed"'))
  await writeFile(file('2026-01-04T00-00-00-timeless.json'), text.replace(/"endedAt":\d+/, '"endedAt":1e300'))
  expect(await history()).toHaveLength(1)
})

test('refuses the history of a profile that does not exist', async () => {
  expect(await its.host.calls.history({ profile: 'other' })).toMatchObject({ ok: false, code: 'unknown-profile' })
})
