import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { IndexDocument } from '../contract/index.ts'
import { inProcessLock, memoryStorage } from './index.ts'
import { CHECK_KEY, INDEX_KEY } from './records.ts'
import { DAY, edition, HOUR, Machine, MINUTE, pathsOf } from './testing.ts'
import type { CatalogueLock } from './types.ts'

let machine: Machine

beforeEach(() => {
  machine = new Machine()
})

describe('look-up', () => {
  test('finds all listings of a repository, whatever the case it is asked in', async () => {
    const found = await machine.openTab().byRepositories(['LANTERN/works', 'nobody/nothing', 'lantern/WORKS#elsewhere'])
    expect([...found.keys()]).toEqual(['lantern/works'])
    expect(found.get('lantern/works')!.map(({ fullName }) => fullName)).toEqual([
      'Lantern/Works',
      'lantern/works#packages/one',
    ])
  })

  test('of every repository visits each once, with all its listings', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    const visited = new Map<string, number>()
    const generated = await tab.eachRepository((repository, listings) => visited.set(repository, listings.length))
    expect(generated).toBe('2026-09-01T00:00:00.000Z')
    expect(Object.fromEntries(visited)).toEqual({ 'lantern/works': 2, 'moss/field': 1 })
  })

  test('of every repository tells when the index is replaced meanwhile', async () => {
    const [tab, other] = [machine.openTab(), machine.openTab()]
    await tab.refresh()
    expect(await machine.openTab({ storage: memoryStorage() }).eachRepository(() => {})).toBeNull()
    machine.time += HOUR
    machine.served = edition(2)
    let isReplaced = false
    const { getMany } = machine.storage
    machine.storage.getMany = async (keys) => {
      const values = await getMany(keys)
      if (!isReplaced) {
        isReplaced = true
        await other.refresh({ force: true })
      }
      return values
    }
    expect(await tab.eachRepository(() => {})).toBeNull()
  })

  test('of names that objects have finds nothing', async () => {
    expect(await machine.openTab().byRepositories(['constructor', '__proto__', 'toString'])).toEqual(new Map())
  })

  test('of nothing reads nothing', async () => {
    const getMany = vi.spyOn(machine.storage, 'getMany')
    expect(await machine.openTab().byRepositories([])).toEqual(new Map())
    expect(getMany).not.toHaveBeenCalled()
  })

  test('of many reads once, and only what it needs', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    const getMany = vi.spyOn(machine.storage, 'getMany')
    await tab.byRepositories(Array.from({ length: 30 }, (_, i) => `owner/${i}`))
    expect(getMany).toHaveBeenCalledTimes(1)
    expect(getMany.mock.calls[0]![0].length).toBeLessThanOrEqual(32)
  })
})

describe('freshness', () => {
  test('a fresh copy is asked nothing about', async () => {
    await machine.openTab().byRepository('moss/field')
    machine.time += 6 * HOUR - 1
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('a stale copy answers at once, and is refreshed once behind', async () => {
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

  test('without a copy the look-up waits for it; ten tabs send one request', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => pathsOf(machine.openTab(), 'moss/field')))
    expect(answers).toEqual(Array(10).fill(['/plugins/1']))
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('with an expired copy the look-up waits a little for a newer one, falls back, and says so', async () => {
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
    expect(failure).toMatchObject({ attempts: 1, message: 'The index request took longer than 60 s.' })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('an expired copy is replaced before the answer when that works', async () => {
    await machine.openTab().refresh()
    machine.time += 31 * DAY
    machine.served = edition(20)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/20'])
  })
})

describe('failures', () => {
  /** Fails for as long as each pause lasts, in tabs that are opened anew. @returns how long each was, minutes */
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

  test('are remembered for all tabs, with a pause that doubles where there is a copy', async () => {
    await machine.openTab().refresh()
    machine.time += 6 * HOUR
    machine.served = new Error('The directory is down.')
    expect((await machine.openTab().refresh()).failure).toEqual({
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
  ])('before there is a copy are soon tried again, over all tabs: %s', async (_, served) => {
    machine.served = served as typeof machine.served
    expect(await pausesOf(6)).toEqual([1, 2, 5, 15, 30, 60])
    machine.served = edition(1)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
    expect((await machine.openTab().status()).failure).toBeNull()
  })

  test('of one tab come no sooner when its storage loses all it is given', async () => {
    machine.served = new Error('The directory is down.')
    const storage = { getMany: async () => [], setMany: async () => {} }
    const tab = machine.openTab({ storage })
    const sentAt: number[] = []
    const start = machine.time
    for (let minute = 0; minute <= 40; minute++) {
      machine.time = start + minute * MINUTE
      const requests = machine.fetchIndex.mock.calls.length
      await tab.refresh()
      if (machine.fetchIndex.mock.calls.length > requests) sentAt.push(minute)
    }
    expect(sentAt).toEqual([0, 1, 3, 8, 23, 38])
  })

  test('a refused document leaves the copy, and is told', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    machine.time += 6 * HOUR
    machine.served = { ...edition(2), count: 99 }
    const status = await tab.refresh()
    expect(status).toMatchObject({ state: 'stale', generated: '2026-09-01T00:00:00.000Z' })
    expect(status.failure?.message).toBe('The index is incomplete: 3 of 99 rows.')
    expect(machine.problems.map(({ kind }) => kind)).toEqual(['refused'])
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
  })

  test('an older document is a check', async () => {
    const tab = machine.openTab()
    machine.served = edition(5)
    await tab.refresh()
    machine.time += 6 * HOUR
    machine.served = edition(4)
    expect(await tab.refresh()).toMatchObject({ state: 'fresh', generated: '2026-09-05T00:00:00.000Z', ageMs: 0 })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/5'])
  })

  test('a fetch that throws before it returns is a failure like others', async () => {
    machine.fetchIndex.mockImplementation(() => {
      throw new Error('no network in this page')
    })
    expect((await machine.openTab().refresh()).failure?.message).toBe('no network in this page')
  })
})

describe('a tab that is closed in mid-request', () => {
  /** A request that is never answered, and its tab with it. */
  async function leaveBehind(): Promise<void> {
    machine.fetchIndex.mockImplementationOnce(() => new Promise(() => {}))
    const requests = machine.fetchIndex.mock.calls.length
    void machine.openTab({ lock: overAll() }).refresh()
    await expect.poll(() => machine.fetchIndex.mock.calls.length).toBeGreaterThan(requests)
  }

  /** A lock of a machine on which nobody else holds it any more. */
  const overAll = (): CatalogueLock => ({ run: async (_, task) => ({ held: true, value: await task(true) }) })

  test('costs the next one nothing', async () => {
    await leaveBehind()
    expect(await pathsOf(machine.openTab({ lock: overAll() }), 'moss/field')).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test.each([
    ['a second time', 2, true],
    ['where no lock is over all tabs, and it may live yet,', 1, false],
  ])('%s costs the next one as long as a request may take', async (_, times, isOverAll) => {
    for (let time = 0; time < times; time++) await leaveBehind()
    machine.time += 10_000
    const alarms: { ms: number; fire: () => void }[] = []
    const timer = (ms: number, fire: () => void) => {
      alarms.push({ ms, fire })
      return () => {}
    }
    const lock = isOverAll ? overAll() : inProcessLock()
    const answer = pathsOf(machine.openTab({ timer, lock }), 'moss/field')
    await expect.poll(() => alarms.map(({ ms }) => ms)).toContain(50_000)
    expect(machine.fetchIndex).toHaveBeenCalledTimes(times)
    machine.time += 50_000
    alarms.find(({ ms }) => ms === 50_000)!.fire()
    expect(await answer).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(times + 1)
  })

  test('is told as such once it is over', async () => {
    await leaveBehind()
    expect((await machine.openTab().status()).failure).toBeNull()
    machine.time += MINUTE
    expect((await machine.openTab().status()).failure).toMatchObject({
      attempts: 1,
      message: 'The last request was broken off before it was answered.',
    })
  })
})

describe('a person who asks', () => {
  test('passes over freshness and pause', async () => {
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

  test('in two tabs at the same time is one request', async () => {
    const statuses = await Promise.all(
      [machine.openTab(), machine.openTab()].map((tab) => tab.refresh({ force: true })),
    )
    expect(statuses.map(({ state }) => state)).toEqual(['fresh', 'fresh'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })
})

test('a lock that is not to be had leaves the copy as it is', async () => {
  const tab = machine.openTab({ lock: { run: async () => ({ held: false }) } })
  expect(await pathsOf(tab, 'moss/field')).toEqual([])
  expect(machine.fetchIndex).not.toHaveBeenCalled()
  expect(machine.problems.map(({ kind }) => kind)).toEqual(['lock'])
})

test('a log that throws harms nothing', async () => {
  machine.served = new Error('down')
  const tab = machine.openTab({
    onProblem: () => {
      throw new Error('log')
    },
  })
  expect((await tab.refresh()).failure?.message).toBe('down')
})

test('rows that did not parse are counted', async () => {
  machine.served = { ...edition(1), count: 4, plugins: [['no slash', null, null, null, null], ...edition(1).plugins] }
  expect(await machine.openTab().refresh()).toMatchObject({
    count: 3,
    rejected: 1,
    isSaved: true,
    site: 'https://directory.example',
  })
})

describe('asking in vain', () => {
  const press = async (times: number) => {
    for (let time = 0; time < times; time++) {
      machine.time += 5_000
      await machine.openTab().refresh({ force: true })
    }
  }

  test('again and again makes no pause before an automatic request longer', async () => {
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

  test('before anything was asked is the first failure', async () => {
    machine.served = new Error('The directory is down.')
    await press(3)
    expect((await machine.openTab().status()).failure).toMatchObject({ attempts: 1 })
    machine.time += MINUTE
    machine.served = edition(1)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
  })
})

describe('clearing', () => {
  test('makes a tab that has just asked ask again at once, when it is next looked up', async () => {
    const tab = machine.openTab()
    await tab.refresh()
    await machine.storage.setMany([INDEX_KEY, CHECK_KEY].map((key) => [key, undefined]))
    tab.forget()
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('takes also what the storage would not have, and why there was none', async () => {
    const setMany = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'))
    const tab = machine.openTab({ storage: { ...machine.storage, setMany } })
    await tab.refresh()
    machine.served = new Error('The directory is down.')
    machine.time += MINUTE
    await tab.refresh({ force: true })
    expect(await tab.status()).toMatchObject({ count: 3, isSaved: false, failure: { attempts: 1 } })
    tab.forget()
    expect(await tab.status()).toMatchObject({ state: 'empty', count: 0, failure: null })
  })
})
