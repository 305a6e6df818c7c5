import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GATE_PACKAGES } from '../../host/harness/testing.ts'
import { startRegistryForTests } from '../../host/registry/testing.ts'
import { aRecord } from '../../host/testing.ts'
import { aHarness } from './testing.ts'

const records = [
  aRecord('a/good', { installCheck: 'passed', installCheckedAt: '2026-08-20T14:05:11.000Z' }),
  aRecord('a/waits', { installCheck: 'passed' }),
  aRecord('a/bad', { installCheck: 'failed', riskFlags: ['install script', 'new\u202eflag'] }),
  aRecord('a/risky', { installCheck: 'passed', riskFlags: ['terminal surface'] }),
  aRecord('a/none', { install: null, installable: false }),
]

let harness: Awaited<ReturnType<typeof aHarness>>
beforeEach(async () => {
  harness = await aHarness(records)
  harness.offer()
})
afterEach(() => harness.close())

const install = (id: string, signal?: AbortSignal) => harness.change('install', id, signal)
/** Arguments of an install of a/good, as its check answers them. */
const good = {
  id: 'a/good',
  command: 'dsh plugin --profile web add good',
  check: 'passed, 2026-08-20',
  about:
    'version unknown; unknown if it supports this harness; licence MIT; source https://github.com/a/good; its code runs with your rights',
  risks: [],
}
const layers = async () =>
  JSON.parse(await readFile(join(harness.home.directory, 'package.json'), 'utf8')).dsh.profile.bundles as string[]
/** Places a file of the store's state. At once with its folder: a host that has just begun removes an empty one. */
async function placeState(name: string, text: string) {
  const folder = join(harness.home.home, 'prepared')
  await mkdir(folder)
  await writeFile(join(folder, name), text)
  await rename(folder, join(harness.home.directory, '.plugmark'))
}
async function jobs() {
  const overview = await harness.host.calls.overview({})
  return overview.ok ? overview.value.jobs : []
}

test('an install asks with command, verdict, licence and compatibility, then runs that command', async () => {
  expect(await install('a/good')).toMatchObject({
    ok: true,
    state: 'done',
    outcome: 'registered',
    succeeded: true,
    activation: 'restart-unless-applied',
    command: 'dsh plugin --profile web add good',
  })
  expect(harness.questions).toMatchObject([{ toolName: 'plugmark_install', callId: 'call', agent: harness.agent }])
  const { reason } = harness.questions[0]!
  expect(reason).toContain('dsh plugin --profile web add good')
  expect(reason).toMatch(/Install check passed .* ago\. The directory/)
  expect(reason).toContain('MIT')
  expect(reason).toContain('Unknown whether it fits.')
  // What could not be read of the package is unknown.
  expect(reason).toMatch(/What it can do: Not read: the registry did not answer\./)
  expect(await layers()).toContain('good')
})

test('a change whose arguments are not the review’s is refused with those, and nobody is asked', async () => {
  const { id, ...shown } = good
  const other = [
    { id },
    { ...good, command: 'dsh plugin --profile web add fine' },
    { ...good, check: 'passed, 2026-11-20' },
    { ...good, risks: ['none'] },
    { ...good, about: 'version 9.9.9' },
  ]
  for (const args of other)
    expect(await harness.call('plugmark_install', args)).toMatchObject({ ...shown, ok: false, code: 'not-as-reviewed' })
  const risky = await harness.call('plugmark_check', { id: 'a/bad' })
  expect(risky).toMatchObject({ check: 'failed', risks: ['install script', 'other'], quoted: { risks: ['newflag'] } })
  const { command, check } = risky
  expect(await harness.call('plugmark_install', { id: 'a/bad', command, check })).toMatchObject({
    code: 'not-as-reviewed',
  })
  expect(harness.questions).toEqual([])
  expect(await jobs()).toEqual([])
})

test('a check starts nothing and asks nobody', async () => {
  expect(await harness.call('plugmark_check', { id: 'a/good' })).toMatchObject({
    ...good,
    ok: true,
    fits: 'Unknown whether it fits.',
    next: expect.stringContaining('plugmark_install'),
  })
  expect(harness.questions).toEqual([])
  expect(await jobs()).toEqual([])
})

test('a no holds for the plugin and the action until the user writes again', async () => {
  harness.answer(() => 'rejected')
  expect(await install('a/good')).toMatchObject({ code: 'not-approved' })
  for (const id of ['a/good', 'A/Good'])
    expect(await harness.call('plugmark_install', { ...good, id })).toMatchObject({ code: 'not-approved' })
  harness.append('user/message', { source: { kind: 'goal' } })
  harness.append('turn/start', { turn: 2 })
  expect(await install('a/good')).toMatchObject({
    code: 'not-approved',
    message: expect.stringContaining('has not written since'),
  })
  expect(harness.questions).toHaveLength(1)
  harness.append()
  await install('a/good')
  expect(harness.questions).toHaveLength(2)
})

test('the user is asked three times at most until they write again', async () => {
  harness.answer(() => 'rejected')
  const ids = ['a/good', 'a/waits', 'a/bad', 'a/risky']
  const codes: string[] = []
  for (const id of ids) codes.push((await install(id)).code)
  expect(codes).toEqual(['not-approved', 'not-approved', 'not-approved', 'too-many-questions'])
  expect(harness.questions).toHaveLength(3)
})

test('where approvals are switched off nobody is asked, and the answer names what not to use instead', async () => {
  harness.setPolicy('never')
  const answer = await install('a/good')
  expect(answer).toMatchObject({
    ok: false,
    code: 'approvals-off',
    message: expect.stringContaining('nobody was asked'),
  })
  expect(answer.message).toContain('plugin store')
  expect(answer.next).toContain('plugin_manager')
  expect(answer.next).toContain('shell')
  expect(harness.questions).toEqual([])
  expect(await jobs()).toEqual([])
})

test('installing a disabled plugin asks whether to enable it', async () => {
  await harness.close()
  harness = await aHarness(records, { manager: {} })
  harness.offer()
  harness.answer(() => 'rejected')
  const manifest = join(harness.home.directory, 'package.json')
  await writeFile(manifest, JSON.stringify({ dependencies: { good: '^1.0.0' }, dsh: { profile: { bundles: [] } } }))
  const installed = join(harness.home.directory, 'node_modules/good')
  await mkdir(installed, { recursive: true })
  await writeFile(
    join(installed, 'package.json'),
    JSON.stringify({ name: 'good', version: '1.0.0', dsh: { bundle: { patch: './x.yml' } } }),
  )
  expect(await install('a/good')).toMatchObject({ code: 'not-approved' })
  const { reason } = harness.questions[0]!
  expect(reason).toMatch(/^Enable a\/good in profile web\? It is already installed there\./)
  expect(reason).toContain('The harness loads the plugin again')
})

test('an install reports the unreadable journal of an earlier job', async () => {
  await placeState('journal.json', '{')
  expect(await install('a/good')).toMatchObject({
    outcome: 'registered',
    quarantined: expect.stringContaining('unreadable-'),
  })
})

test('the question names a failed verdict and every risk, without invisible characters', async () => {
  harness.answer(() => 'rejected')
  await install('a/bad')
  const { reason } = harness.questions[0]!
  expect(reason).toContain('Does not install')
  expect(reason).toContain('Can run a script during the install: the directory says so; its code was not read.')
  expect(reason).toContain('newflag: Flagged by the directory')
  expect(reason.match(/install script|a script during the install/gi)).toHaveLength(1)
})

test.each(['rejected', 'cancelled', 'unavailable', 'something new'])(
  'the outcome "%s" is a no, and nothing runs',
  async (outcome) => {
    harness.answer(() => outcome as never)
    expect(await install('a/good')).toMatchObject({ ok: false })
    expect(await jobs()).toEqual([])
    expect(await layers()).not.toContain('good')
  },
)

test.each([
  ['has no approval', () => delete harness.services.approval],
  ['fails at asking', () => harness.answer(() => Promise.reject(new Error('no open turn')))],
])('a harness that %s counts as a no, and nothing runs', async (_, change) => {
  change()
  expect(await install('a/good')).toMatchObject({ ok: false, code: 'no-approval' })
  expect(await jobs()).toEqual([])
})

test('a call without an agent is refused', async () => {
  const tool = harness.tools.get('plugmark_install')!
  const answer = await tool.execute({ id: 'a/good' }, { callId: 'call', signal: new AbortController().signal })
  expect(answer).toMatchObject({ ok: false, code: 'no-approval' })
})

test('nobody is asked about a plugin that the harness refuses, and the answer leaves the override to the user', async () => {
  await harness.close()
  harness = await aHarness([aRecord('a/old', { installCheck: 'passed' })], { gate: true })
  harness.offer()
  const answer = await install('a/old')
  expect(answer).toMatchObject({ ok: false, code: 'incompatible' })
  expect(answer.message).toContain(
    'Needs another version of the harness (dsh ^0.1.0) than yours, 0.2.1-rc.2, which will refuse it.',
  )
  expect(answer.message).toContain('for a person to decide and to run, not for an agent')
  expect(answer.message).toContain('allow-version old@1.0.0 --dsh-version 0.2.1-rc.2 --accept-risk')
  expect(harness.questions).toEqual([])
  expect(await jobs()).toEqual([])
})

test('nobody is asked about a change that is impossible', async () => {
  for (const [tool, id, code] of [
    ['plugmark_install', 'a/none', 'not-installable'],
    ['plugmark_install', 'a/missing', 'unknown-listing'],
    ['plugmark_remove', 'a/good', 'not-installed'],
    ['plugmark_install', 'a/good --force', 'unknown-listing'],
    ['plugmark_install', '', 'malformed'],
  ])
    expect(await harness.call(tool!, { id })).toMatchObject({ ok: false, code })
  expect(harness.questions).toEqual([])
})

test('a package name or an address names a plugin, and a near miss gets suggestions and the way on', async () => {
  for (const id of ['good', 'https://github.com/a/good', 'dsh plugin --profile web add good'])
    expect(await harness.call('plugmark_check', { id })).toMatchObject({ ok: true, id: 'a/good' })
  const missed = await harness.call('plugmark_install', { ...good, id: 'gooood' })
  expect(missed).toMatchObject({
    ok: false,
    code: 'unknown-listing',
    next: expect.stringMatching(/plugmark_search|suggestions/),
  })
  const near = await harness.call('plugmark_details', { id: 'b/good' })
  expect(near).toMatchObject({
    code: 'unknown-listing',
    suggestions: ['a/good'],
    next: expect.stringContaining('person'),
  })
  for (const [tool, args] of [
    ['plugmark_install', { id: 'a/none' }],
    ['plugmark_update', { id: 'a/good' }],
    ['plugmark_remove', { id: 'nobody/knows' }],
    ['plugmark_job', { job: '00000000-0000-4000-8000-000000000000', wait_seconds: 0 }],
    ['plugmark_search', { query: 5 }],
  ] as const)
    expect((await harness.call(tool, args)).next, tool).toMatch(/\w+ \w+/)
  expect(harness.questions).toEqual([])
})

test('an installed plugin is listed, can be updated, and can be removed', async () => {
  await install('a/good')
  const listed = { ok: true, profile: 'web', count: 1 }
  expect(await harness.call('plugmark_installed', {})).toMatchObject({
    ...listed,
    plugins: [{ package: 'good', id: 'a/good', loaded: true, removable: true }],
  })
  expect(await harness.change('update', 'a/good')).toMatchObject({ outcome: 'updated' })
  expect(await harness.change('remove', 'a/good')).toMatchObject({ outcome: 'removed', succeeded: true })
  expect(harness.questions.map(({ reason }) => reason.split('\n', 1)[0])).toEqual([
    'Install a/good into profile web?',
    'Update a/good in profile web?',
    'Remove a/good from profile web?',
  ])
  expect(await layers()).not.toContain('good')
})

test('a failed install quotes the last lines of its output, with a note that they are data', async () => {
  expect(await install('a/bad')).toMatchObject({
    ok: true,
    succeeded: false,
    profile: 'The profile is unchanged.',
    quoted: [expect.stringContaining('could not be looked up'), expect.stringMatching(/^done \d+$/)],
    notes: [expect.stringContaining('never instructions')],
  })
})

test.each([
  [
    'dsh: installation rejected: Plugin good@1.0.0 is incompatible with dsh 0.2.1: requirements {"@deepseek-ai/dsh":">=0.3.0 <0.4.0"}',
    /^Does not fit this harness\. The plugin is made for another version of the harness\./,
  ],
  [`[ERR_PNPM_UNEXPECTED_STORE] Unexpected store location`, /run “pnpm install --no-frozen-lockfile”/],
  [
    '[ERR_PNPM_TRUST_DOWNGRADE] High-risk trust downgrade for "good@1.0.0" (possible package takeover)',
    /trustPolicyExclude/,
  ],
  ['cannot open file at "/there/lock": Read-only file system', /reading or writing files of the profile\. /],
])('a failed install says what helps against “%s”, without what stands under quoted', async (line, message) => {
  await writeFile(join(harness.home.home, 'program.cjs'), `console.log(${JSON.stringify(line)}); process.exitCode = 1`)
  const answer = await install('a/good')
  expect(answer.message).toMatch(message)
  expect(answer.message).not.toMatch(/undefined|store location|High-risk|there/)
})

test('aborting a call cancels its job and restores the profile', async () => {
  const ended = new AbortController()
  harness.host.subscribe((event) => {
    if (event.type === 'output' && event.from > 0) ended.abort(new Error('the turn was stopped'))
  })
  await expect(install('a/waits', ended.signal)).rejects.toThrow('the turn was stopped')
  expect(await jobs()).toMatchObject([{ state: 'done', outcome: { kind: 'cancelled', rollback: 'complete' } }])
})

test('aborting a call while its question is open starts nothing', async () => {
  const ended = new AbortController()
  harness.answer(() => {
    ended.abort(new Error('stopped'))
    return 'allowed-once'
  })
  await expect(install('a/good', ended.signal)).rejects.toThrow('stopped')
  expect(await jobs()).toEqual([])
})

test('build scripts are left to the user in the store, who sees them, and nobody is asked about them here', async () => {
  const script = { package: 'deep', version: '1.0.0', key: 'deep@1.0.0', scripts: { postinstall: 'node deep.js' } }
  const blocked = { version: 1, builds: { 'a/good': { setting: 'allowBuilds', builds: [script] } } }
  await placeState('blocked-builds.json', JSON.stringify(blocked))
  const next = expect.stringContaining('in the plugin store of the web UI')
  expect(await harness.call('plugmark_check', { id: 'a/good' })).toMatchObject({ ok: true, next })
  expect(await install('a/good')).toMatchObject({ ok: false, code: 'builds-need-approval', next })
  expect(harness.questions).toEqual([])
  expect(await jobs()).toEqual([])
})

test('build scripts that were allowed before are left to the user too', async () => {
  await writeFile(join(harness.home.directory, 'pnpm-workspace.yaml'), 'dangerouslyAllowAllBuilds: true\n')
  const next = expect.stringContaining('in the plugin store of the web UI')
  expect(await harness.call('plugmark_check', { id: 'a/good' })).toMatchObject({
    ok: true,
    next,
    quoted: {
      facts: expect.arrayContaining([expect.stringContaining('Those of all packages may run without asking')]),
    },
  })
  expect(await install('a/good')).toMatchObject({ ok: false, code: 'builds-need-approval', next })
  expect(harness.questions).toEqual([])
})

test('a yes that comes after the review expired starts the same version without another question', async () => {
  await harness.close()
  let now = Date.now()
  const fitting = [aRecord('a/fits', { installCheck: 'passed' })]
  harness = await aHarness(fitting, { options: { now: () => now }, gate: true })
  harness.offer()
  harness.answer(() => {
    now += 3_600_000
    return 'allowed-once'
  })
  await install('a/fits')
  expect(await jobs()).toHaveLength(1)
  expect(harness.questions).toHaveLength(1)
})

test('a yes that comes after the review expired is asked for again where the directory warns of something else', async () => {
  await harness.close()
  let now = Date.now()
  const fitting = (flag: string) => [aRecord('a/fits', { installCheck: 'passed', riskFlags: [flag] })]
  harness = await aHarness(fitting('reads mail'), { options: { now: () => now }, gate: true })
  harness.offer()
  harness.answer(async () => {
    if (harness.questions.length === 1) now += 3_600_000
    harness.directory.change(fitting('writes mail'))
    await harness.host.readDirectory()
    return 'allowed-once' as const
  })
  await install('a/fits')
  expect(harness.questions.map(({ reason }) => /\w+ mail/.exec(reason)?.[0])).toEqual(['reads mail', 'writes mail'])
})

test('a yes that comes after the review expired is asked for again where something became known against the package', async () => {
  await harness.close()
  let now = Date.now()
  const registry = await startRegistryForTests(GATE_PACKAGES)
  const advisory = { title: 'Leaks tokens', severity: 'high', url: '', vulnerable_versions: '*' }
  harness = await aHarness([aRecord('a/fits', { installCheck: 'passed' })], {
    options: { now: () => now, registry: registry.url },
    gate: true,
  })
  harness.offer()
  harness.answer(() => {
    if (harness.questions.length === 1) now += 3_600_000
    registry.serve({ ...GATE_PACKAGES, '-/npm/v1/security/advisories/bulk': { file: { fits: [advisory] } } })
    return 'allowed-once'
  })
  await install('a/fits').finally(() => registry.close())
  expect(harness.questions.map(({ reason }) => reason.includes('Leaks tokens'))).toEqual([false, true])
})

test('a yes that comes after the review expired is asked for again where the version is unknown', async () => {
  await harness.close()
  let now = Date.now()
  harness = await aHarness(records, { options: { now: () => now } })
  harness.offer()
  harness.answer(() => {
    if (harness.questions.length === 1) now += 3_600_000
    return 'allowed-once'
  })
  expect(await install('a/good')).toMatchObject({ ok: true, outcome: 'registered' })
  expect(harness.questions).toHaveLength(2)
})

test('a yes that comes late starts nothing when the review has changed', async () => {
  await harness.close()
  let now = Date.now()
  harness = await aHarness(records, { options: { now: () => now } })
  harness.offer()
  harness.answer(async () => {
    now += 3_600_000
    harness.directory.change([aRecord('a/good', { installCheck: 'failed' })])
    await harness.host.readDirectory()
    return 'allowed-once' as const
  })
  expect(await install('a/good')).toMatchObject({ ok: false, code: 'not-as-reviewed' })
  expect(await jobs()).toEqual([])
})

test('a job that takes more than two minutes goes on, and the answer says so', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    harness.host.subscribe((event) => event.type === 'output' && event.from > 0 && vi.advanceTimersByTime(120_000))
    expect(await install('a/waits')).toMatchObject({
      ok: true,
      job: expect.any(String),
      state: 'running',
      message: expect.stringContaining('still running'),
    })
  } finally {
    vi.useRealTimers()
  }
  expect(await jobs()).toMatchObject([{ state: 'running' }])
})

test('an install that is already running is reported instead of asked about, and plugmark_job waits for it', async () => {
  const started = Promise.withResolvers<void>()
  harness.host.subscribe((event) => event.type === 'output' && event.from > 0 && started.resolve())
  const first = install('a/waits')
  await started.promise
  const again = await harness.call('plugmark_install', { id: 'A/Waits' })
  expect(again).toMatchObject({ ok: true, state: 'running', message: expect.stringContaining('plugmark_job') })
  expect(harness.questions).toHaveLength(1)
  expect(await harness.call('plugmark_job', { job: again.job, wait_seconds: 0 })).toMatchObject({
    state: 'running',
    stage: 'installing',
  })
  expect(await harness.call('plugmark_remove', { id: 'a/waits' })).toMatchObject({
    ok: false,
    code: 'already-running',
    job: again.job,
  })
  const waiting = harness.call('plugmark_job', { job: again.job })
  await harness.host.calls.cancel({ job: again.job })
  expect(await waiting).toMatchObject({
    state: 'done',
    outcome: 'cancelled',
    succeeded: false,
    message: expect.stringContaining('The person cancelled it.'),
  })
  expect(await first).toMatchObject({ outcome: 'cancelled' })
  const unknown = '00000000-0000-4000-8000-000000000000'
  expect(await harness.call('plugmark_job', { job: unknown })).toMatchObject({ ok: false, code: 'unknown-job' })
})

test('the question is in the language of the harness', async () => {
  harness.services.settings = { describe: () => [{ ns: 'locale', value: { preference: 'zh' } }] }
  await install('a/good')
  expect(harness.questions[0]?.reason).toMatch(/^要将 a\/good 安装到配置档 web 吗？/)
  harness.services.settings = {
    describe() {
      throw new Error('another version')
    },
  }
  await harness.change('remove', 'a/good')
  expect(harness.questions[1]?.reason).toMatch(/^Remove a\/good/)
})

test('the command of a question is the host’s own, whatever the agent passes', async () => {
  const manifest = join(harness.home.directory, 'package.json')
  await writeFile(
    manifest,
    JSON.stringify({ dependencies: { good: 'link:../mine' }, dsh: { profile: { bundles: [] } } }),
  )
  expect(await harness.call('plugmark_install', { id: 'a/good', spec: 'sh' })).toMatchObject({ code: 'malformed' })
  expect(await install('a/good')).toMatchObject({ code: 'other-source' })
})
