import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Lock, Timer } from '../async/index.ts'
import type { IndexDocument } from '../contract/index.ts'
import { memoryStore } from './index.ts'
import { DAY, edition, HOUR, Machine, MINUTE, pathsOf } from './testing.ts'

let machine: Machine

beforeEach(() => {
  machine = new Machine()
})

describe('a look-up', () => {
  test('finds all listings of a repository, whatever the case of the name', async () => {
    const found = await machine.openTab().byRepositories(['LANTERN/works', 'nobody/nothing', 'lantern/WORKS#elsewhere'])
    expect([...found.keys()]).toEqual(['lantern/works'])
    expect(found.get('lantern/works')!.map(({ fullName }) => fullName)).toEqual([
      'Lantern/Works',
      'lantern/works#packages/one',
    ])
  })

  test('visits every repository once, with all its listings', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    const visited = new Map<string, number>()
    const generated = await tab.eachRepository((repository, listings) => visited.set(repository, listings.length))
    expect(generated).toBe('2026-09-01T00:00:00.000Z')
    expect(Object.fromEntries(visited)).toEqual({ 'lantern/works': 2, 'moss/field': 1 })
  })

  test('returns null from a visit of every repository when the index is replaced meanwhile', async () => {
    const [tab, other] = [machine.openTab(), machine.openTab()]
    await tab.refresh()
    expect(await machine.openTab({ store: memoryStore() }).eachRepository(() => {})).toBeNull()
    machine.time += HOUR
    machine.served = edition(2)
    let isReplaced = false
    const { forEach } = machine.store
    machine.store.forEach = async (visit) => {
      await forEach(visit)
      if (!isReplaced) {
        isReplaced = true
        await other.refresh({ force: true })
      }
    }
    expect(await tab.eachRepository(() => {})).toBeNull()
  })

  test('finds nothing under names that every object has', async () => {
    expect(await machine.openTab().byRepositories(['constructor', '__proto__', 'toString'])).toEqual(new Map())
  })

  test('leaves no timer running, which would keep a program alive', async () => {
    const waiting = new Set<() => void>()
    const timer: Timer = (_ms, fire) => {
      waiting.add(fire)
      return () => waiting.delete(fire)
    }
    await machine.openTab({ timer }).byRepository('moss/field')
    expect(waiting.size).toBe(0)
  })

  test('reads nothing when no repository is requested', async () => {
    const find = vi.spyOn(machine.store, 'find')
    expect(await machine.openTab().byRepositories([])).toEqual(new Map())
    expect(find).not.toHaveBeenCalled()
  })

  test('reads the store once for many repositories', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    const find = vi.spyOn(machine.store, 'find')
    await tab.byRepositories(Array.from({ length: 30 }, (_, i) => `owner/${i}`))
    expect(find).toHaveBeenCalledTimes(1)
  })
})

describe('the cache', () => {
  test('sends no request while the index is fresh', async () => {
    await machine.openTab().byRepository('moss/field')
    machine.time += 6 * HOUR - 1
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('answers from a stale index at once, and refreshes it once in the background', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    machine.time += 6 * HOUR
    machine.served = edition(2)
    let answer = (_: IndexDocument) => {}
    machine.fetchIndex.mockImplementation(() => new Promise((resolve) => (answer = resolve)))
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    await expect.poll(() => machine.fetchIndex.mock.calls.length).toBe(2)
    const refreshed = tab.refresh()
    answer(edition(2))
    expect(await refreshed).toMatchObject({ state: 'fresh', generated: '2026-09-02T00:00:00.000Z' })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/2'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('sends one request for ten tabs without an index', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => pathsOf(machine.openTab(), 'moss/field')))
    expect(answers).toEqual(Array(10).fill(['/plugins/1']))
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('waits a little for a newer index while the stored one is expired, and falls back to it', async () => {
    const alarms: { ms: number; fire: () => void }[] = []
    const timer = (ms: number, fire: () => void) => {
      const alarm = { ms, fire }
      alarms.push(alarm)
      return () => void alarms.splice(alarms.indexOf(alarm), 1)
    }
    await machine.openTab().refresh()
    machine.time += 31 * DAY
    machine.fetchIndex.mockImplementation(() => new Promise(() => {}))
    const tab = machine.openTab({ timer })
    const answer = pathsOf(tab, 'moss/field')
    await expect.poll(() => machine.fetchIndex.mock.calls.length).toBe(2)
    alarms.find(({ ms }) => ms === 5_000)!.fire()
    expect(await answer).toEqual(['/plugins/1'])
    expect(await tab.status()).toMatchObject({ state: 'expired', ageMs: 31 * DAY })

    alarms.find(({ ms }) => ms === MINUTE)!.fire()
    await expect.poll(() => machine.problems.map(({ kind }) => kind)).toContain('fetch')
    machine.time += MINUTE
    const { failure } = await tab.status()
    expect(failure).toMatchObject({ kind: 'timeout', attempts: 1, message: 'The index request took longer than 60 s.' })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('answers from the new index when an expired one is replaced in time', async () => {
    await machine.openTab().refresh()
    machine.time += 31 * DAY
    machine.served = edition(20)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/20'])
  })
})

describe('a failure', () => {
  /** Fails after each pause, in newly opened tabs. @returns the pauses, in minutes */
  async function pausesOf(failures: number): Promise<number[]> {
    const pauses: number[] = []
    for (let failure = 1; failure <= failures; failure++) {
      const { failure: last } = await machine.openTab().refresh()
      const requests = machine.fetchIndex.mock.calls.length
      const pause = last!.nextTryAt - machine.time
      machine.time += pause - 1
      await machine.openTab().refresh()
      expect(machine.fetchIndex).toHaveBeenCalledTimes(requests)
      machine.time += 1
      pauses.push(pause / MINUTE)
    }
    return pauses
  }

  test('a failure is remembered for all tabs, with a pause that doubles when there is an index', async () => {
    await machine.openTab().refresh()
    machine.time += 6 * HOUR
    machine.served = Object.assign(new Error('The directory is down.'), { kind: 'http', status: 503 })
    expect((await machine.openTab().refresh()).failure).toEqual({
      sentAt: machine.time,
      kind: 'http',
      status: 503,
      message: 'The directory is down.',
      attempts: 1,
      nextTryAt: machine.time + 15 * MINUTE,
    })
    machine.time += 15 * MINUTE
    expect(await pausesOf(3)).toEqual([30, 60, 120])
    machine.served = edition(2)
    expect((await machine.openTab().refresh()).failure).toBeNull()
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/2'])
  })

  test.each<[string, unknown]>([
    ['an error', new Error('The directory is down.')],
    ['nothing', undefined],
    ['an HTML page', '<!doctype html><title>Under maintenance</title>'],
    ['another document', { total: 0, count: 0, results: [] }],
    ['an index without listings', { ...edition(1), count: 0, plugins: [] }],
    ['an index without a listing that can be read', { ...edition(1), count: 1, plugins: [['no slash']] }],
  ])('a failure is soon followed by another try while there is no index: %s', async (_, served) => {
    machine.served = served as typeof machine.served
    expect(await pausesOf(6)).toEqual([1, 2, 5, 15, 30, 60])
    machine.served = edition(1)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
    expect((await machine.openTab().status()).failure).toBeNull()
  })

  test('a failure is remembered in a tab whose store loses everything', async () => {
    machine.served = new Error('The directory is down.')
    const store = { ...memoryStore(), load: async () => undefined }
    const tab = machine.openTab({ store })
    const sentAt: number[] = []
    const start = machine.time
    for (let minute = 0; minute <= 60; minute++) {
      machine.time = start + minute * MINUTE
      const requests = machine.fetchIndex.mock.calls.length
      await tab.refresh()
      if (machine.fetchIndex.mock.calls.length > requests) sentAt.push(minute)
    }
    expect(sentAt).toEqual([0, 1, 3, 8, 23, 53])
  })

  test('keeps the index when a document is refused, and is reported', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    machine.time += 6 * HOUR
    machine.served = { ...edition(2), count: 99 }
    const status = await tab.refresh()
    expect(status).toMatchObject({ state: 'stale', generated: '2026-09-01T00:00:00.000Z' })
    expect(status.failure).toMatchObject({ kind: 'refused', message: 'The index is incomplete: 3 of 99 rows.' })
    expect(machine.problems.map(({ kind }) => kind)).toEqual(['refused'])
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
  })

  test('does not come from an older document, which confirms the stored index', async () => {
    const tab = machine.openTab()
    machine.served = edition(5)
    await tab.refresh()
    machine.time += 6 * HOUR
    machine.served = edition(4)
    expect(await tab.refresh()).toMatchObject({ state: 'fresh', generated: '2026-09-05T00:00:00.000Z', ageMs: 0 })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/5'])
  })

  test('leaves an answer unstored that arrives after another tab took the lock', async () => {
    const lock: Lock = { run: async (_, task) => ({ held: true, value: await task() }) }
    let answer = (_: IndexDocument) => {}
    machine.fetchIndex.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)))
    const late = machine.openTab({ lock }).refresh()
    await expect.poll(() => machine.fetchIndex.mock.calls.length).toBe(1)
    machine.time += MINUTE
    machine.served = edition(3)
    await machine.openTab({ lock }).refresh({ force: true })
    answer(edition(2))
    expect(await late).toMatchObject({ generated: '2026-09-03T00:00:00.000Z' })
  })

  test('includes a fetch that throws before it returns', async () => {
    machine.fetchIndex.mockImplementation(() => {
      throw new Error('no network in this page')
    })
    expect((await machine.openTab().refresh()).failure?.message).toBe('no network in this page')
  })
})

describe('a tab that is closed during a request', () => {
  /** A free lock, as if its former holder had been closed. */
  const freeLock = (): Lock => ({ run: async (_, task) => ({ held: true, value: await task() }) })

  /** Sends a request that is never answered, from a tab that is then closed. */
  async function leaveBehind(): Promise<void> {
    machine.fetchIndex.mockImplementationOnce(() => new Promise(() => {}))
    const requests = machine.fetchIndex.mock.calls.length
    void machine.openTab({ lock: freeLock() }).refresh()
    await expect.poll(() => machine.fetchIndex.mock.calls.length).toBeGreaterThan(requests)
  }

  test('delays the next request by five seconds while there is no index', async () => {
    await leaveBehind()
    machine.time += 2_000
    const waits: { ms: number; fire: () => void }[] = []
    const timer = (ms: number, fire: () => void) => {
      waits.push({ ms, fire })
      return () => {}
    }
    const answer = pathsOf(machine.openTab({ lock: freeLock(), timer }), 'moss/field')
    await expect.poll(() => waits.map(({ ms }) => ms)).toContain(3_000)
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
    machine.time += 3_000
    waits.find(({ ms }) => ms === 3_000)!.fire()
    expect(await answer).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('delays the next request by a minute when there is an index', async () => {
    await machine.openTab().refresh()
    machine.time += 6 * HOUR
    await leaveBehind()
    machine.time += MINUTE - 1
    await machine.openTab({ lock: freeLock() }).refresh()
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
    machine.time += 1
    machine.served = edition(2)
    expect(await machine.openTab({ lock: freeLock() }).refresh()).toMatchObject({ state: 'fresh', failure: null })
    expect(machine.fetchIndex).toHaveBeenCalledTimes(3)
  })
})

describe('a refresh by the user', () => {
  test('sends a request despite freshness and back-off', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    machine.time += MINUTE
    machine.served = new Error('down')
    expect((await tab.refresh({ force: true })).failure?.attempts).toBe(1)
    machine.time += MINUTE
    machine.served = edition(3)
    expect(await tab.refresh({ force: true })).toMatchObject({ failure: null, generated: '2026-09-03T00:00:00.000Z' })
    expect(machine.fetchIndex).toHaveBeenCalledTimes(3)
  })

  test('sends one request for two tabs at the same time', async () => {
    const statuses = await Promise.all(
      [machine.openTab(), machine.openTab()].map((tab) => tab.refresh({ force: true })),
    )
    expect(statuses.map(({ state }) => state)).toEqual(['fresh', 'fresh'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })
})

test('leaves the index as it is when the lock is not free in time', async () => {
  const tab = machine.openTab({ lock: { run: async () => ({ held: false }) } })
  expect(await pathsOf(tab, 'moss/field')).toEqual([])
  expect(machine.fetchIndex).not.toHaveBeenCalled()
  expect(machine.problems.map(({ kind }) => kind)).toEqual(['lock'])
})

test('survives a log that throws', async () => {
  machine.served = new Error('down')
  const tab = machine.openTab({
    onProblem: () => {
      throw new Error('log')
    },
  })
  expect((await tab.refresh()).failure?.message).toBe('down')
})

test('counts the rows that did not parse', async () => {
  machine.served = { ...edition(1), count: 4, plugins: [['no slash', null, null, null, null], ...edition(1).plugins] }
  expect(await machine.openTab().refresh()).toMatchObject({
    count: 3,
    rejected: 1,
    isSaved: true,
    site: 'https://directory.example',
  })
})

describe('a failed refresh by the user', () => {
  const press = async (times: number) => {
    for (let time = 0; time < times; time++) {
      machine.time += 5_000
      await machine.openTab().refresh({ force: true })
    }
  }

  test('does not delay the next automatic request, however often it is repeated', async () => {
    machine.served = new Error('The directory is down.')
    let requests = 0
    for (const pause of [1, 2, 5]) {
      await machine.openTab().refresh()
      await press(4)
      requests += 5
      expect(machine.fetchIndex).toHaveBeenCalledTimes(requests)
      machine.time += pause * MINUTE
    }
    machine.served = edition(1)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
  })

  test('counts as the first failure before any automatic request', async () => {
    machine.served = new Error('The directory is down.')
    await press(3)
    expect((await machine.openTab().status()).failure).toMatchObject({ attempts: 1 })
    machine.time += MINUTE
    machine.served = edition(1)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
  })
})

describe('an index of another site', () => {
  const moved = () => ({ ...edition(2), site: 'https://www.directory.example/plugins/' })

  test('does not replace the stored one by itself', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    machine.time += 6 * HOUR
    machine.served = moved()
    expect(await tab.refresh()).toMatchObject({
      state: 'stale',
      failure: {
        message:
          'The index is from https://www.directory.example/plugins, but the stored one is from https://directory.example.',
      },
    })
  })

  test('replaces the stored one once the user has seen the difference and agrees', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    machine.time += MINUTE
    machine.served = moved()
    const { difference } = await tab.refresh({ force: true })
    expect(difference).toMatchObject({
      stored: { site: 'https://directory.example', generated: '2026-09-01T00:00:00.000Z' },
      offered: { site: 'https://www.directory.example/plugins', generated: '2026-09-02T00:00:00.000Z' },
    })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    machine.time += MINUTE
    expect(await tab.refresh({ force: true, replace: true })).toMatchObject({
      state: 'fresh',
      site: 'https://www.directory.example/plugins',
      failure: null,
      difference: null,
    })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/2'])
  })
})

describe('a stored index newer than the offered one', () => {
  test('a stored index newer than the offered one is replaced once the user has seen the difference and agrees', async () => {
    const tab = machine.openTab()
    machine.served = edition(5)
    await tab.refresh()
    machine.time += MINUTE
    machine.served = edition(4)
    const { difference, generated } = await tab.refresh({ force: true })
    expect(generated).toBe('2026-09-05T00:00:00.000Z')
    expect(difference).toMatchObject({ offered: { generated: '2026-09-04T00:00:00.000Z' } })
    machine.time += MINUTE
    expect(await tab.refresh({ force: true, replace: true })).toMatchObject({
      generated: '2026-09-04T00:00:00.000Z',
      difference: null,
    })
  })

  test('a stored index newer than the offered one is replaced automatically when it is dated ahead of the clock', async () => {
    const tab = machine.openTab()
    machine.served = edition(25)
    expect(await tab.refresh()).toMatchObject({ generated: '2026-09-25T00:00:00.000Z' })
    machine.time += 6 * HOUR
    machine.served = edition(9)
    expect(await tab.refresh()).toMatchObject({ generated: '2026-09-09T00:00:00.000Z' })
  })
})

test('keeps the stored index when the new one lacks a column of the contract', async () => {
  const tab = machine.openTab()
  await tab.refresh()
  machine.time += 6 * HOUR
  const { plugins, ...rest } = edition(2)
  machine.served = { ...rest, fields: ['fullName', 'category'], plugins }
  expect((await tab.refresh()).failure?.message).toBe('The index lacks the columns install, path, npm.')
  machine.time += HOUR
  expect(await tab.refresh({ force: true, replace: true })).toMatchObject({ generated: '2026-09-01T00:00:00.000Z' })
})

describe('clear', () => {
  test('deletes the index, so that the next look-up fetches it again at once', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    await tab.clear()
    expect(await machine.store.load()).toBeUndefined()
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test.each(['this tab', 'another tab'])(
    'keeps the answer of a running refresh from being stored: by %s',
    async (tab) => {
      let answer = (_: IndexDocument) => {}
      machine.fetchIndex.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)))
      const onSaved = vi.fn(async () => {})
      const refreshing = machine.openTab({ onSaved })
      const refreshed = refreshing.refresh()
      await expect.poll(() => machine.fetchIndex.mock.calls.length).toBe(1)
      await (tab === 'this tab' ? refreshing : machine.openTab()).clear()
      answer(edition(1))
      await refreshed
      expect(onSaved).not.toHaveBeenCalled()
      expect(await machine.openTab().status()).toMatchObject({ state: 'empty', count: 0, failure: null })
    },
  )

  test('deletes an index that could not be stored, and the failure', async () => {
    const replace = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'))
    const tab = machine.openTab({ store: { ...machine.store, replace } })
    await tab.refresh()
    machine.served = new Error('The directory is down.')
    machine.time += MINUTE
    await tab.refresh({ force: true })
    expect(await tab.status()).toMatchObject({ count: 3, isSaved: false, failure: { attempts: 1 } })
    await tab.clear()
    expect(await tab.status()).toMatchObject({ state: 'empty', count: 0, failure: null })
  })
})
