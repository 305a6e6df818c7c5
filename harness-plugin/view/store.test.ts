import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Jobs, Store, withLines } from './store.ts'
import { aBridge, aJob, anInstalledPlugin, READY } from './testing.ts'

describe('jobs of different profiles', () => {
  const jobs = new Jobs()
  const now = Date.now()
  const earlier = aJob({ id: 'earlier', profile: 'work', queuedAt: now + 1 })
  const later = aJob({ id: 'later', queuedAt: now + 2 })
  const end = (job: typeof earlier, endedAt: number) =>
    jobs.receive({ type: 'job', job: { ...job, state: 'done', endedAt } })

  test('jobs of different profiles are all shown or listed while they run, and then give way to the one that ended last', () => {
    jobs.know(earlier)
    jobs.know(later)
    expect([jobs.shown.value?.id, jobs.others.value.map(({ id }) => id)]).toEqual(['later', ['earlier']])
    end(later, now + 3)
    expect([jobs.shown.value?.id, jobs.others.value]).toEqual(['earlier', []])
    end(earlier, now + 4)
    expect(jobs.shown.value?.id).toBe('earlier')
    expect(jobs.ended.value.map(({ id }) => id)).toEqual(['earlier', 'later'])
    jobs.know(aJob({ id: 'next', state: 'queued', queuedAt: now + 5 }))
    expect(jobs.shown.value?.id).toBe('next')
  })
})

test('keeps showing a job that ended before midnight', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 27, 23, 59), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const jobs = new Jobs()
  jobs.know(aJob({ id: 'late', state: 'done', endedAt: Date.now() }))
  vi.setSystemTime(new Date(2026, 10, 28, 0, 1))
  jobs.know(aJob({ id: 'old', state: 'done', queuedAt: 0, endedAt: 1 }))
  expect(jobs.shown.value?.id).toBe('late')
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
  await store.installed.read()
  expect(store.installed.refusal.value).not.toBeNull()
  bridge.push({ type: 'profiles', profiles: [{ name: 'web', bundles: [], dependencies: {} }] })
  await expect.poll(() => store.installed.plugins.value?.[0]?.listing).toBeNull()
  bridge.push({ type: 'catalogue', status: { ...READY, generated: '2026-11-27T00:00:00Z' } })
  await expect.poll(() => store.installed.plugins.value?.[0]?.listing).toBe('a/shelf')
  store.close()
})

test('keeps what a check found when an earlier request is answered after it', async () => {
  const bridge = aBridge([])
  const early = Promise.withResolvers<void>()
  bridge.answers.installed = async () => {
    await early.promise
    return { ok: true, value: [anInstalledPlugin('shelf', { latest: null })] }
  }
  bridge.answers.checkUpdates = async () => ({ ok: true, value: [anInstalledPlugin('shelf', { latest: '1.1.0' })] })
  const store = new Store(bridge)
  await store.open()
  const reading = store.installed.read()
  await store.installed.check()
  expect(store.installed.plugins.value?.[0]?.latest).toBe('1.1.0')
  early.resolve()
  await reading
  expect(store.installed.plugins.value?.[0]?.latest).toBe('1.1.0')
  store.close()
})
