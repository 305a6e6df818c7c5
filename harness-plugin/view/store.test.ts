import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Job, StoreEvent } from '../protocol/index.ts'
import { PendingReview } from './installing/pending-review.ts'
import { Jobs, withLines } from './jobs.ts'
import { Store } from './store.ts'
import { aBridge, aJob, aListing, anInstalledPlugin, anOutcome, READY } from './testing.ts'

const untilRead = () => new Promise((done) => setTimeout(done))

describe('answers that arrive late', () => {
  test('late answers keep the fit of a trial that ended while the fits were read', async () => {
    const bridge = aBridge([aListing('a/good')])
    const store = new Store(bridge)
    onTestFinished(store.close)
    const asked = Promise.withResolvers<void>()
    const known = (fits: boolean) =>
      ({ harnessVersion: '0.2.1-rc.2', fits: [['a/good', fits]], misfits: [], total: 1 }) as const
    let value = known(false)
    bridge.answers.fits = async () => {
      const answer = { ok: true, value } as const
      await asked.promise
      return answer
    }
    await store.open()
    value = known(true)
    bridge.push({ type: 'fits', profile: 'web', id: 'a/good', fits: true, misfit: null })
    asked.resolve()
    await untilRead()
    expect([...store.fits.known.value]).toEqual([['a/good', true]])
  })

  test('late answers show no fit of another profile, while a profile is read or after an event about another', async () => {
    const bridge = aBridge([aListing('a/good')], { fits: [['a/good', true]] })
    const store = new Store(bridge)
    onTestFinished(store.close)
    await store.open()
    await untilRead()
    const known = () => [...store.fits.known.value]
    expect(known()).toEqual([['a/good', true]])
    bridge.push({ type: 'fits', profile: 'other', id: 'a/good', fits: false, misfit: null })
    expect(known()).toEqual([['a/good', true]])
    bridge.answers.fits = async () => ({ ok: false, code: 'internal', message: '' })
    store.profile.value = 'other'
    await untilRead()
    expect(known()).toEqual([])
    store.profile.value = 'web'
    await untilRead()
    bridge.answers.fits = async () => ({
      ok: true,
      value: { harnessVersion: null, fits: [['a/good', true]], misfits: [], total: 1 },
    })
    await expect.poll(known).toEqual([['a/good', true]])
  })

  test('late answers leave the refusal of what the user did on the screen until the user does something else', async () => {
    const bridge = aBridge([aListing('a/good')])
    const store = new Store(bridge)
    onTestFinished(store.close)
    await store.open()
    const late = Promise.withResolvers<void>()
    const { refresh } = bridge.answers
    bridge.answers.refresh = async (input) => {
      await late.promise
      return refresh!(input)
    }
    bridge.answers.cancel = async () => ({ ok: false, code: 'unknown-job', message: '' })
    const refreshing = store.refresh()
    await store.cancel('gone')
    late.resolve()
    await refreshing
    bridge.push({ type: 'catalogue', status: { ...READY, revision: 9 } })
    await untilRead()
    expect(store.refusal.value?.code).toBe('unknown-job')
    await store.refresh()
    expect(store.refusal.value).toBeNull()
    await store.cancel('gone')
    bridge.answers.undo = async () => ({ ok: true, value: aJob({ id: 'undo', action: 'undo' }) })
    await store.undo('job')
    expect(store.refusal.value).toBeNull()
  })

  test('a late answer is read again where the user has set something meanwhile', async () => {
    const bridge = aBridge([])
    const store = new Store(bridge)
    onTestFinished(store.close)
    await store.open()
    await untilRead()
    const { updateChecks } = bridge.answers
    const late = Promise.withResolvers<void>()
    bridge.answers.updateChecks = async (input) => {
      const answer = await updateChecks!(input)
      await late.promise
      return answer
    }
    const reading = store.installed.read()
    await store.installed.setAutomatic(false)
    late.resolve()
    await reading
    expect(store.installed.checks.value?.automatic).toBe(false)
  })

  test('a refused setting is said, and nothing is checked for it', async () => {
    const bridge = aBridge([], { checks: { automatic: false } })
    const store = new Store(bridge)
    onTestFinished(store.close)
    await store.open()
    await untilRead()
    const calls = bridge.calls.length
    bridge.answers.setUpdateChecks = async () => ({ ok: false, code: 'unknown-profile', message: '' })
    expect(await store.installed.setAutomatic(true)).toMatchObject({ code: 'unknown-profile' })
    expect(bridge.calls.slice(calls)).toEqual(['setUpdateChecks web true'])
    expect(store.installed.checks.value?.automatic).toBe(false)
  })

  test('check for updates only when it is known that nobody has', async () => {
    const bridge = aBridge([], { checks: { checkedAt: 7 } })
    const store = new Store(bridge)
    onTestFinished(store.close)
    await store.open()
    // The answer is not there yet.
    await store.installed.checkOnce()
    const checks = () => bridge.calls.filter((call) => call === 'checkUpdates web')
    expect(checks()).toEqual([])
    bridge.answers.updateChecks = async () => ({ ok: false, code: 'profile-state', message: 'Not readable.' })
    const unread = new Store(bridge)
    onTestFinished(unread.close)
    await unread.open()
    await unread.installed.checkOnce()
    expect(checks()).toEqual([])
  })
})

const success = anOutcome('registered')
const shownIn = (jobs: Jobs) => jobs.shown.value.map(({ id }) => id)

describe('the lines of jobs', () => {
  const now = Date.now()
  const aRunning = (id: string, queuedAt: number, change: Partial<Job> = {}) =>
    aJob({ id, queuedAt: now + queuedAt, ...change })
  const end = (jobs: Jobs, job: Job, endedAt: number, outcome = success) =>
    jobs.receive({ type: 'job', job: { ...job, state: 'done', endedAt: now + endedAt, outcome } })

  afterEach(() => void vi.unstubAllGlobals())

  test('the lines of jobs are those of the running job and of the newest end; other running jobs are listed', () => {
    const jobs = new Jobs()
    const [earlier, later] = [aRunning('earlier', 1, { profile: 'work' }), aRunning('later', 2)]
    jobs.addOwn(earlier)
    jobs.addOwn(later)
    expect([shownIn(jobs), jobs.others.value.map(({ id }) => id)]).toEqual([['later'], ['earlier']])
    end(jobs, later, 3)
    expect([shownIn(jobs), jobs.others.value]).toEqual([['later', 'earlier'], []])
    end(jobs, earlier, 4)
    expect(shownIn(jobs)).toEqual(['earlier'])
    expect(jobs.ended.value.map(({ id }) => id)).toEqual(['earlier', 'later'])
    jobs.know(aRunning('next', 5, { state: 'queued' }))
    expect(shownIn(jobs)).toEqual(['earlier', 'next'])
  })

  test('the line of a job stays while its end is read, although the next job of its profile runs', () => {
    const jobs = new Jobs()
    jobs.addOwn(aRunning('ending', 1))
    jobs.addOwn(aRunning('next', 2))
    expect(shownIn(jobs)).toEqual(['ending'])
  })

  test('the lines of jobs keep the outcome of this tab beside and after a job of another one', () => {
    const jobs = new Jobs()
    const [own, other] = [aRunning('own', 1), aRunning('other', 2)]
    jobs.addOwn(own)
    end(jobs, own, 3)
    jobs.know(other)
    expect(shownIn(jobs)).toEqual(['own', 'other'])
    end(jobs, other, 4)
    expect(shownIn(jobs)).toEqual(['own'])
    jobs.hide('own')
    expect(shownIn(jobs)).toEqual(['other'])
  })

  test.each(['registered', 'cancelled'] as const)('never greet another window with a job that ended as %s', (kind) => {
    const jobs = new Jobs()
    jobs.know(aRunning('other', 1, { state: 'done', endedAt: now, outcome: anOutcome(kind) }))
    expect(shownIn(jobs)).toEqual([])
  })

  test('the lines of jobs are told apart by whether their page has seen them run', () => {
    const jobs = new Jobs()
    const done = aRunning('done', 1, { state: 'done', endedAt: now, outcome: success })
    jobs.addOwn(done)
    jobs.addOwn(aRunning('running', 2))
    expect([jobs.hasSeen('done'), jobs.hasSeen('running')]).toEqual([false, true])
  })

  test('the lines of jobs keep the failure of another tab until it is hidden', () => {
    const jobs = new Jobs()
    end(jobs, aRunning('other', 1), 2, anOutcome('does-not-start'))
    expect(shownIn(jobs)).toEqual(['other'])
    jobs.hideEnded()
    expect(shownIn(jobs)).toEqual([])
  })

  test('the lines of jobs are there again in a store that was closed and opened in the same tab', () => {
    const stored = new Map<string, string>()
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    }
    vi.stubGlobal('sessionStorage', storage)
    const own = aRunning('own', 1)
    new Jobs().addOwn(own)
    const jobs = new Jobs()
    end(jobs, own, 2)
    expect(shownIn(jobs)).toEqual(['own'])
  })

  test('the lines of jobs keep a job that ended before midnight', () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 27, 23, 59), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const jobs = new Jobs()
    jobs.addOwn(aJob({ id: 'late', state: 'done', endedAt: Date.now(), outcome: success }))
    vi.setSystemTime(new Date(2026, 10, 28, 0, 1))
    jobs.addOwn(aJob({ id: 'old', state: 'done', queuedAt: 0, endedAt: 1, outcome: success }))
    expect(shownIn(jobs)).toEqual(['late'])
  })
})

describe('the output of a job', () => {
  const job = { ...aJob(), output: ['a', 'b'], dropped: 3 }
  test('continues at its end, without repeating lines', () => {
    expect(withLines(job, 5, ['c']).output).toEqual(['a', 'b', 'c'])
    expect(withLines(job, 4, ['b', 'c']).output).toEqual(['a', 'b', 'c'])
    expect(withLines(job, 3, ['a', 'b']).output).toEqual(['a', 'b'])
  })

  test('the output of a job is bounded', () => {
    const long = withLines(
      job,
      5,
      Array.from({ length: 2500 }, (_, n) => `${n}`),
    )
    expect(long.output).toHaveLength(2000)
    expect(long.dropped).toBe(3 + 502)
    expect(long.output.at(-1)).toBe('2499')
  })
})

test('reads the installed plugins again when the directory was read, and when they could not be read before', async () => {
  const bridge = aBridge([], { status: { generated: null } })
  let reads = 0
  bridge.answers.installed = async () => {
    reads++
    if (reads === 1) return { ok: false, code: 'internal', message: 'The console did not answer.' }
    return { ok: true, value: [anInstalledPlugin('shelf', { listing: reads === 2 ? null : 'a/shelf' })] }
  }
  bridge.answers.checkUpdates = () => new Promise(() => {})
  const store = new Store(bridge)
  await store.open()
  await expect.poll(() => store.installed.refusal.value).not.toBeNull()
  bridge.push({ type: 'profiles', profiles: [{ name: 'web', layers: [], dependencies: {} }] })
  await expect.poll(() => store.installed.plugins.value?.[0]?.listing).toBeNull()
  bridge.push({ type: 'catalogue', status: { ...READY, generated: '2026-11-27T00:00:00Z' } })
  await expect.poll(() => store.installed.plugins.value?.[0]?.listing).toBe('a/shelf')
  store.close()
})

describe('the installed plugins', () => {
  const shelf = (latest: string | null) => ({ ok: true, value: [anInstalledPlugin('shelf', { latest })] }) as const
  const profiles: StoreEvent = { type: 'profiles', profiles: [{ name: 'web', layers: [], dependencies: {} }] }

  /** Opens a store over a bridge whose host answers with `its.latest`, as late as `its.gate`. */
  async function open() {
    const bridge = aBridge([])
    const its = { latest: null as string | null, gate: Promise.resolve() }
    bridge.answers.installed = async () => {
      const answer = shelf(its.latest)
      await its.gate
      return answer
    }
    const store = new Store(bridge)
    onTestFinished(() => store.close())
    const latest = () => store.installed.plugins.value?.[0]?.latest
    return { bridge, store, its, latest }
  }

  test('the installed plugins are what the host answers after a check, also when an earlier request is answered after it', async () => {
    const { store, its, latest } = await open()
    const early = Promise.withResolvers<void>()
    its.gate = early.promise
    await store.open()
    const reading = store.installed.read()
    its.latest = '1.1.0'
    const checked = store.installed.check()
    early.resolve()
    await Promise.all([reading, checked])
    expect(latest()).toBe('1.1.0')
  })

  test('the installed plugins are read again after an event that came while they were read for the first time', async () => {
    const { bridge, store, its, latest } = await open()
    const early = Promise.withResolvers<void>()
    its.gate = early.promise
    await store.open()
    its.latest = '1.1.0'
    bridge.push(profiles)
    early.resolve()
    await expect.poll(latest).toBe('1.1.0')
  })

  test('the installed plugins are shown while the check of another page runs, and when it ends', async () => {
    const { bridge, store, its, latest } = await open()
    bridge.answers.checkUpdates = () => new Promise(() => {})
    await store.open()
    await expect.poll(latest).toBeNull()
    its.latest = '1.1.0'
    bridge.push(profiles)
    await expect.poll(latest).toBe('1.1.0')
  })

  test('the installed plugins are asked for again when the host did not answer', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { bridge, store, its, latest } = await open()
    its.latest = '1.1.0'
    const answer = bridge.answers.installed!
    bridge.answers.installed = async () => ({ ok: false, code: 'internal', message: 'The console did not answer.' })
    bridge.answers.checkUpdates = bridge.answers.installed
    await store.open()
    await vi.advanceTimersByTimeAsync(2500)
    expect([latest(), store.installed.refusal.value?.code]).toEqual([undefined, 'internal'])
    bridge.answers.installed = answer
    await vi.advanceTimersByTimeAsync(10_000)
    expect([latest(), store.installed.refusal.value]).toEqual(['1.1.0', null])
  })

  test('the installed plugins are read when a profile could not be listed at first', async () => {
    const { bridge, store, its, latest } = await open()
    its.latest = '1.1.0'
    const overview = bridge.answers.overview!
    bridge.answers.overview = async (input) => {
      const answer = await overview(input)
      return answer.ok ? { ...answer, value: { ...answer.value, profiles: [] } } : answer
    }
    await store.open()
    expect(latest()).toBeUndefined()
    bridge.push(profiles)
    await expect.poll(latest).toBe('1.1.0')
  })
})

test('a start that is refused late leaves the review that was asked for meanwhile', async () => {
  const bridge = aBridge([aListing('a/first')])
  const { promise: refusing, resolve: refuse } = Promise.withResolvers<never>()
  bridge.answers.start = () => refusing
  const store = new Store(bridge)
  onTestFinished(() => store.close())
  await store.open()
  const pending = new PendingReview(store, { id: 'a/first', action: 'install' })
  await pending.look()
  pending.acknowledged.value = true
  const started = pending.start()
  await pending.look()
  refuse({ ok: false, code: 'bad-token', message: '' } as never)
  expect(await started).toBe(false)
  expect([pending.problem.value, pending.isStarting.value]).toEqual([null, false])
})

test('a review that answers after another profile was chosen says so, and can be asked for again', async () => {
  const bridge = aBridge([aListing('a/first')])
  const store = new Store(bridge)
  onTestFinished(() => store.close())
  await store.open()
  const { value: profile } = store.profile
  const pending = new PendingReview(store, { id: 'a/first', action: 'install' })
  const review = bridge.answers.review!
  bridge.answers.review = (input) => {
    store.profile.value = 'other'
    return review(input)
  }
  await pending.look()
  expect([pending.review.value, pending.problem.value?.code]).toEqual([null, 'plan-changed'])
  bridge.answers.review = review
  store.profile.value = profile
  await pending.look()
  expect([pending.review.value?.profile, pending.problem.value]).toEqual([profile, null])
})

test('events that arrive while the overview fails are left out, as the next overview has what they tell', async () => {
  const bridge = aBridge([aListing('a/first')], { overview: { jobs: [aJob({ id: 'new' })] } })
  const { overview } = bridge.answers
  bridge.answers.overview = async () => ({ ok: false, code: 'internal', message: '' })
  const store = new Store(bridge)
  onTestFinished(() => store.close())
  await store.open()
  bridge.push({ type: 'job', job: aJob({ id: 'old' }) })
  bridge.answers.overview = overview!
  await store.open()
  expect(['old', 'new'].filter((id) => store.jobs.hasSeen(id))).toEqual(['new'])
})
