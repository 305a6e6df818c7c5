import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aRecord } from '../../host/testing.ts'
import { aHarness } from './testing.ts'

const records = [
  aRecord('a/good', { installCheck: 'passed', installCheckedAt: '2026-08-20T14:05:11.000Z' }),
  aRecord('a/waits', { installCheck: 'passed' }),
  aRecord('a/bad', { installCheck: 'failed', riskFlags: ['install script', 'new\u202eflag'] }),
  aRecord('a/none', { install: null, installable: false }),
]

let harness: Awaited<ReturnType<typeof aHarness>>
beforeEach(async () => {
  harness = await aHarness(records)
  harness.offer()
})
afterEach(() => harness.close())

const bundles = async () =>
  JSON.parse(await readFile(join(harness.home.directory, 'package.json'), 'utf8')).dsh.profile.bundles as string[]
async function jobs() {
  const overview = await harness.host.calls.overview({})
  return overview.ok ? overview.value.jobs : []
}

test('an install asks a person with everything they must know, then runs just that', async () => {
  expect(await harness.call('plugmark_install', { id: 'a/good' })).toMatchObject({
    ok: true,
    state: 'done',
    outcome: 'registered',
    succeeded: true,
    activation: 'restart',
    command: 'dsh plugin --profile web add good',
  })
  expect(harness.questions).toMatchObject([{ toolName: 'plugmark_install', callId: 'call', agent: harness.agent }])
  const { reason } = harness.questions[0]!
  expect(reason).toContain('dsh plugin --profile web add good')
  expect(reason).toContain('Install check passed, 20 Aug 2026.')
  expect(reason).toContain('MIT')
  expect(reason).toContain('It is not known which versions of the harness it supports.')
  expect(await bundles()).toContain('good')
})

test('what an earlier job left and nobody can read is told with the install', async () => {
  await mkdir(join(harness.home.directory, '.plugmark'))
  await writeFile(join(harness.home.directory, '.plugmark/journal.json'), '{')
  expect(await harness.call('plugmark_install', { id: 'a/good' })).toMatchObject({
    outcome: 'registered',
    quarantined: expect.stringContaining('unreadable-'),
  })
})

test('the question names a verdict that is none, and every risk, without what is not seen', async () => {
  harness.answer(() => 'rejected')
  await harness.call('plugmark_install', { id: 'a/bad' })
  const { reason } = harness.questions[0]!
  expect(reason).toContain('Install check failed')
  expect(reason).toContain('Risk: Install script.')
  expect(reason).toContain('Risk: newflag.')
})

test.each(['rejected', 'cancelled', 'unavailable', 'something new'])(
  '%s is no, and nothing is run',
  async (outcome) => {
    harness.answer(() => outcome as never)
    expect(await harness.call('plugmark_install', { id: 'a/good' })).toMatchObject({ ok: false })
    expect(await jobs()).toEqual([])
    expect(await bundles()).not.toContain('good')
  },
)

test.each([
  ['has no approval', () => delete harness.services.approval],
  ['fails at asking', () => harness.answer(() => Promise.reject(new Error('no open turn')))],
])('a harness that %s is no, and nothing is run', async (_, change) => {
  change()
  expect(await harness.call('plugmark_install', { id: 'a/good' })).toMatchObject({ ok: false, code: 'no-approval' })
  expect(await jobs()).toEqual([])
})

test('a call on behalf of nobody is no', async () => {
  const tool = harness.tools.get('plugmark_install')!
  const answer = await tool.execute({ id: 'a/good' }, { callId: 'call', signal: new AbortController().signal })
  expect(answer).toMatchObject({ ok: false, code: 'no-approval' })
})

test('nobody is asked about what the harness refuses, and an agent is told that the way on is not its own', async () => {
  await harness.close()
  harness = await aHarness([aRecord('a/old', { installCheck: 'passed' })], { gate: true })
  harness.offer()
  const answer = await harness.call('plugmark_install', { id: 'a/old' })
  expect(answer).toMatchObject({ ok: false, code: 'incompatible' })
  expect(answer.message).toContain('Requires dsh ^0.1.0; this harness is 0.2.1-rc.2. The harness will refuse it.')
  expect(answer.message).toContain('for a person to decide and to run, not for an agent')
  expect(answer.message).toContain('allow-version old@1.0.0 --dsh-version 0.2.1-rc.2 --accept-risk')
  expect(harness.questions).toEqual([])
  expect(await jobs()).toEqual([])
})

test('nobody is asked about what cannot be done', async () => {
  for (const [tool, id, code] of [
    ['plugmark_install', 'a/none', 'not-installable'],
    ['plugmark_install', 'a/missing', 'unknown-listing'],
    ['plugmark_remove', 'a/good', 'not-installed'],
    ['plugmark_install', 'a/good --force', 'malformed'],
  ])
    expect(await harness.call(tool!, { id })).toMatchObject({ ok: false, code })
  expect(harness.questions).toEqual([])
})

test('what is installed can be removed, and is listed until then', async () => {
  await harness.call('plugmark_install', { id: 'a/good' })
  const listed = { ok: true, profile: 'web', count: 1 }
  expect(await harness.call('plugmark_installed', {})).toMatchObject({
    ...listed,
    plugins: [{ package: 'good', id: 'a/good', loaded: true, removable: true }],
  })
  expect(await harness.call('plugmark_update', { id: 'a/good' })).toMatchObject({ outcome: 'updated' })
  expect(await harness.call('plugmark_remove', { id: 'a/good' })).toMatchObject({ outcome: 'removed', succeeded: true })
  expect(harness.questions.map(({ reason }) => reason.split('\n', 1)[0])).toEqual([
    'Install a/good into profile web?',
    'Update a/good in profile web?',
    'Remove a/good from profile web?',
  ])
  expect(await bundles()).not.toContain('good')
})

test('a failure is told with the last lines of the output, quoted', async () => {
  expect(await harness.call('plugmark_install', { id: 'a/bad' })).toMatchObject({
    ok: true,
    succeeded: false,
    profile: 'The profile is unchanged.',
    quoted: [expect.stringMatching(/^done \d+$/)],
  })
})

test('a call that is ended ends its job, and the profile is as it was', async () => {
  const ended = new AbortController()
  harness.host.subscribe((event) => {
    if (event.type === 'output') ended.abort(new Error('the turn was stopped'))
  })
  await expect(harness.call('plugmark_install', { id: 'a/waits' }, ended.signal)).rejects.toThrow(
    'the turn was stopped',
  )
  expect(await jobs()).toMatchObject([{ state: 'done', outcome: { kind: 'cancelled', rollback: 'complete' } }])
})

test('a call that is ended while the question is open starts nothing', async () => {
  const ended = new AbortController()
  harness.answer(() => {
    ended.abort(new Error('stopped'))
    return 'allowed-once'
  })
  await expect(harness.call('plugmark_install', { id: 'a/good' }, ended.signal)).rejects.toThrow('stopped')
  expect(await jobs()).toEqual([])
})

test('a question that lay open too long starts nothing', async () => {
  await harness.close()
  let now = Date.now()
  harness = await aHarness(records, { options: { now: () => now } })
  harness.offer()
  harness.answer(() => {
    now += 3_600_000
    return 'allowed-once'
  })
  expect(await harness.call('plugmark_install', { id: 'a/good' })).toMatchObject({ ok: false, code: 'bad-token' })
  expect(await jobs()).toEqual([])
})

test('a job that is not over in two minutes goes on, and is told as that', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    harness.host.subscribe((event) => event.type === 'output' && vi.advanceTimersByTime(120_000))
    expect(await harness.call('plugmark_install', { id: 'a/waits' })).toMatchObject({
      ok: true,
      job: expect.any(String),
      state: 'running',
      message: expect.stringContaining('Not over yet'),
    })
  } finally {
    vi.useRealTimers()
  }
  expect(await jobs()).toMatchObject([{ state: 'running' }])
})

test('a job that is going on is told of instead of asked about, and its tool waits for it', async () => {
  const started = Promise.withResolvers<void>()
  harness.host.subscribe((event) => event.type === 'output' && started.resolve())
  const first = harness.call('plugmark_install', { id: 'a/waits' })
  await started.promise
  const again = await harness.call('plugmark_install', { id: 'A/Waits' })
  expect(again).toMatchObject({ ok: true, state: 'running', message: expect.stringContaining('plugmark_job') })
  expect(harness.questions).toHaveLength(1)
  expect(await harness.call('plugmark_job', { job: again.job })).toMatchObject({
    state: 'running',
    stage: 'installing',
  })
  const waiting = harness.call('plugmark_job', { job: again.job, wait_seconds: 60 })
  await harness.host.calls.cancel({ job: again.job })
  expect(await waiting).toMatchObject({ state: 'done', outcome: 'cancelled', succeeded: false })
  expect(await first).toMatchObject({ outcome: 'cancelled' })
  const unknown = '00000000-0000-4000-8000-000000000000'
  expect(await harness.call('plugmark_job', { job: unknown })).toMatchObject({ ok: false, code: 'unknown-job' })
})

test('the person is asked in the language of the harness', async () => {
  harness.services.settings = { describe: () => [{ ns: 'locale', value: { preference: 'zh' } }] }
  await harness.call('plugmark_install', { id: 'a/good' })
  expect(harness.questions[0]?.reason).toMatch(/^要将 a\/good 安装到配置档 web 吗？/)
  harness.services.settings = {
    describe() {
      throw new Error('another version')
    },
  }
  await harness.call('plugmark_remove', { id: 'a/good' })
  expect(harness.questions[1]?.reason).toMatch(/^Remove a\/good/)
})

test('what the agent was told of a listing decides nothing: the command is the host’s own', async () => {
  const manifest = join(harness.home.directory, 'package.json')
  await writeFile(
    manifest,
    JSON.stringify({ dependencies: { good: 'link:../mine' }, dsh: { profile: { bundles: [] } } }),
  )
  expect(await harness.call('plugmark_install', { id: 'a/good', command: 'sh' })).toMatchObject({ code: 'malformed' })
  expect(await harness.call('plugmark_install', { id: 'a/good' })).toMatchObject({ code: 'other-source' })
})
