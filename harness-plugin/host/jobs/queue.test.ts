import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { JobSettings } from '../harness/job.ts'
import { hostForTests, value } from '../host-testing.ts'
import { whenJob } from '../testing.ts'
import { lockProfile } from '../transaction/journal.ts'
import { JobQueue } from './queue.ts'

const { its, review, install, ended } = hostForTests()

// Each test starts several programs and waits for them to end.
describe('install', () => {
  test('runs only the command that the review showed', async () => {
    const job = await ended((await install('a/good')).id)
    expect(job.command).toBe('dsh plugin --profile web add good')
    expect(job.output.slice(1)).toEqual([`["plugin","--profile","web","add","good"] $DSH_HOME`])
    expect(job.outcome).toMatchObject({ kind: 'failed', profile: { registered: false, changed: [] } })
  })

  test('uses up the token of its review, and refuses that of another listing', async () => {
    const { token } = value(await review('a/good'))
    const call = (id: string) => its.host.calls.start({ id, token, acknowledged: true })
    expect(await call('a/risky')).toMatchObject({ ok: false, code: 'bad-token' })
    expect(await call('a/good')).toMatchObject({ ok: true })
    expect(await call('a/good')).toMatchObject({ ok: false, code: 'bad-token' })
  })

  test('needs acknowledged warnings, and keeps the token valid until then', async () => {
    const { token } = value(await review('a/risky'))
    const call = (acknowledged: boolean) => its.host.calls.start({ id: 'a/risky', token, acknowledged })
    expect(await call(false)).toMatchObject({ ok: false, code: 'not-acknowledged' })
    expect(await call(true)).toMatchObject({ ok: true })
  })

  test('runs alone in a profile, and can be cancelled while it is queued or runs', async () => {
    const running = await install('a/other')
    const waiting = await install('a/good')
    const last = await install('a/risky', true)
    expect(waiting).toMatchObject({ state: 'queued', position: 1 })
    expect(last.position).toBe(2)
    await whenJob(its.host, running.id, ({ output }) => output.length === 2)

    expect(value(await its.host.calls.cancel({ job: waiting.id }))).toMatchObject({ state: 'done' })
    expect((await ended(waiting.id)).outcome).toMatchObject({
      kind: 'cancelled',
      rollback: null,
      profile: null,
    })
    expect(its.host.job(last.id)).toMatchObject({ state: 'queued', position: 1 })

    expect(value(await its.host.calls.cancel({ job: running.id }))).toMatchObject({ state: 'cancelling' })
    expect((await ended(running.id)).outcome?.kind).toBe('cancelled')
    expect((await ended(last.id)).outcome?.kind).toBe('failed')
  })

  test('install is not queued twice for the same listing', async () => {
    await install('a/other')
    const { token } = value(await review('a/other'))
    const again = await its.host.calls.start({ id: 'a/other', token, acknowledged: false })
    expect(again).toMatchObject({ ok: false, code: 'already-running' })
  })

  test('one repair or undo is queued for two requests at once', async () => {
    const { calls } = its.host
    const { digest } = value(await calls.reviewRepair({ profile: 'web' }))
    // The first job waits.
    const lock = await lockProfile(its.home.directory)
    onTestFinished(() => lock?.release())
    for (const request of [
      () => calls.repair({ profile: 'web', digest }),
      () => calls.undo({ profile: 'web', change: 'none' }),
    ]) {
      const answers = await Promise.all([request(), request()])
      expect(answers.map((one) => (one.ok ? 'queued' : one.code)).toSorted()).toEqual(['already-running', 'queued'])
    }
  })

  test('reports a fault of the store that ended a job', async () => {
    const problems: unknown[] = []
    const settings = { home: its.home.home, now: Date.now, redactions: [], running: null, timeLimitMs: 10_000 }
    const queue = new JobQueue(settings as unknown as JobSettings, (...problem) => problems.push(problem), {
      emit: () => {},
      runRecords: { add: async () => {}, hasRun: async () => false },
      harnessVersion: async () => null,
    })
    const fault = new TypeError('x is undefined')
    const allowsMore = () => Promise.reject(fault)
    const request = { action: 'install', listing: 'a/good', more: [], profile: 'web', changes: [], allowsMore } as const
    const { id } = await queue.add(request)
    await expect.poll(() => queue.job(id)?.outcome?.kind).toBe('failed')
    expect(problems).toEqual([['background', fault]])
    await queue.close()
  })

  test('does not create a profile again that was deleted meanwhile', async () => {
    const { token } = value(await review('a/good'))
    await its.home.dispose()
    const { id } = value(await its.host.calls.start({ id: 'a/good', token, acknowledged: false }))
    expect((await ended(id)).outcome?.kind).toBe('profile-missing')
  })

  test('does not run a guessed program unless it answers as the harness does', async () => {
    const program = async (script: string) => {
      const file = join(its.home.home, 'guessed.cjs')
      await writeFile(
        file,
        `${script}; require('node:fs').appendFileSync(__dirname + '/calls', process.argv.at(-1) + ' ')`,
      )
      its.create({ guess: { command: [process.execPath, file], env: { GUESSED: 'of the guess' } } })
      return ended((await install('a/good')).id)
    }
    const calls = () => readFile(join(its.home.home, 'calls'), 'utf8')
    const strange = await program('console.log("Some Shell version 1.0.0")')
    expect(strange.outcome).toMatchObject({ kind: 'program-missing', profile: { changed: [] } })
    expect(strange.output.join()).toContain('guessed.cjs does not answer --version')
    expect(new Set((await calls()).trim().split(' '))).toEqual(new Set(['--version']))

    const harness = await program(
      'console.log(process.argv.at(-1) === "--version" ? "0.2.1-rc.2" : process.env.GUESSED)',
    )
    expect(harness.output.slice(1)).toEqual(['of the guess'])
    expect(await calls()).toMatch(/--version good $/)
  })

  test('sends output and state as they change', async () => {
    const { id } = await install('a/good')
    await ended(id)
    const states = its.events.flatMap((event) => (event.type === 'job' ? [event.job.state] : []))
    expect([...new Set(states)]).toEqual(['queued', 'running', 'done'])
    expect(its.events.some((event) => event.type === 'output' && event.job === id && event.from === 0)).toBe(true)
  })
})

describe('update and remove', () => {
  const depend = async (dependencies: Record<string, string>) => {
    const manifest = {
      dependencies,
      dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', ...Object.keys(dependencies)] } },
    }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
  }

  test('an update and a removal change only a plugin that was installed from the source of the listing', async () => {
    await depend({ good: '^1.0.0' })
    expect(value(await review('a/good', 'web', 'remove'))).toMatchObject({
      action: 'remove',
      command: 'dsh plugin --profile web remove good',
    })
    expect(value(await review('a/good', 'web', 'update')).command).toBe('dsh plugin --profile web update --latest good')
    expect(await review('a/other', 'web', 'remove')).toMatchObject({ ok: false, code: 'not-installed' })
  })

  test('an update and a removal leave a private package of the same name alone, as an install does', async () => {
    await depend({ good: 'git+ssh://git@private.example/good.git' })
    for (const action of ['install', 'update', 'remove'] as const)
      expect(await review('a/good', 'web', action)).toMatchObject({ ok: false, code: 'other-source' })
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([
      { name: 'good', listing: null, removable: false, unmanagedReason: 'other-source' },
    ])
  })

  test('a removal of a plugin that is risky to install has no caution, and an update has one', async () => {
    await depend({ risky: '^1.0.0' })
    expect(value(await review('a/risky', 'web', 'remove')).cautions).toEqual([])
    expect(value(await review('a/risky', 'web', 'update')).cautions).toEqual(['risk-flags'])
  })

  test('a removal does what its own token was issued for, even after another review', async () => {
    await depend({ good: '^1.0.0' })
    const { token } = value(await review('a/good', 'web', 'remove'))
    await review('a/good')
    const job = value(await its.host.calls.start({ id: 'a/good', token, acknowledged: false }))
    expect(job).toMatchObject({ action: 'remove', command: 'dsh plugin --profile web remove good' })
    expect((await ended(job.id)).output[0]).toContain('["plugin","--profile","web","remove","good"]')
  })
})
