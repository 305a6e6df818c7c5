import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { IndexDocument } from '../contract/index.ts'
import { BUCKETS } from './buckets.ts'
import { createCatalogue, inProcessLock, memoryStorage } from './index.ts'
import type { CatalogueOptions, CatalogueProblem, CatalogueStorage } from './types.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const FIELDS = ['fullName', 'category', 'install', 'path', 'npm']

let time: number
let served: IndexDocument | Error
let problems: CatalogueProblem[]
let storage: CatalogueStorage
let fetchIndex: ReturnType<typeof vi.fn<CatalogueOptions['fetchIndex']>>
let lock: ReturnType<typeof inProcessLock>

beforeEach(() => {
  time = Date.UTC(2026, 8, 10)
  problems = []
  storage = memoryStorage()
  lock = inProcessLock()
  served = edition(1)
  fetchIndex = vi.fn(async () => {
    if (served instanceof Error) throw served
    return served
  })
})

/** The index on a day of September: the repositories carry its number. */
function edition(day: number, ...more: string[]): IndexDocument {
  const names = ['Lantern/Works', 'lantern/works#packages/one', 'moss/field', ...more]
  const plugins = names.map((name) => [name, 'tools', null, `/plugins/${day}`, name === 'moss/field' ? 'moss' : null])
  const generated = new Date(Date.UTC(2026, 8, day)).toISOString()
  return { generated, count: plugins.length, site: 'https://directory.example', fields: FIELDS, plugins }
}

function openTab(options: Partial<CatalogueOptions> = {}) {
  const onProblem = (problem: CatalogueProblem) => problems.push(problem)
  return createCatalogue({ fetchIndex, storage, lock, now: () => time, onProblem, ...options })
}

const pathsOf = async (tab: ReturnType<typeof openTab>, name: string) =>
  (await tab.byRepository(name)).map(({ path }) => path)

describe('look-up', () => {
  test('finds all listings of a repository, whatever the case it is asked in', async () => {
    const found = await openTab().byRepositories(['LANTERN/works', 'nobody/nothing', 'lantern/WORKS#elsewhere'])
    expect([...found.keys()]).toEqual(['lantern/works'])
    expect(found.get('lantern/works')!.map(({ fullName }) => fullName)).toEqual([
      'Lantern/Works',
      'lantern/works#packages/one',
    ])
  })

  test('by package and of the whole copy', async () => {
    const tab = openTab()
    expect((await tab.byPackage('moss')).map(({ fullName }) => fullName)).toEqual(['moss/field'])
    expect(await tab.byPackage('Moss')).toEqual([])
    expect((await tab.all()).map(({ fullName }) => fullName)).toEqual([
      'Lantern/Works',
      'lantern/works#packages/one',
      'moss/field',
    ])
  })

  test('of nothing reads nothing', async () => {
    const getMany = vi.spyOn(storage, 'getMany')
    expect(await openTab().byRepositories([])).toEqual(new Map())
    expect(getMany).not.toHaveBeenCalled()
  })

  test('of many reads once, and only what it needs', async () => {
    const tab = openTab()
    await tab.refresh()
    const getMany = vi.spyOn(storage, 'getMany')
    await tab.byRepositories(Array.from({ length: 30 }, (_, i) => `owner/${i}`))
    expect(getMany).toHaveBeenCalledTimes(1)
    expect(getMany.mock.calls[0]![0].length).toBeLessThanOrEqual(32)
  })
})

describe('freshness', () => {
  test('a fresh copy is asked nothing about', async () => {
    await openTab().byRepository('moss/field')
    time += 6 * HOUR - 1
    expect(await pathsOf(openTab(), 'moss/field')).toEqual(['/plugins/1'])
    expect(fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('a stale copy answers at once, and is refreshed once behind', async () => {
    const tab = openTab()
    await tab.refresh()
    time += 6 * HOUR
    served = edition(2)
    let answer = (_: IndexDocument) => {}
    fetchIndex.mockImplementation(() => new Promise((resolve) => (answer = resolve)))
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    await vi.waitUntil(() => fetchIndex.mock.calls.length === 2)
    const refreshed = tab.refresh()
    answer(edition(2))
    expect(await refreshed).toMatchObject({ state: 'fresh', generated: '2026-09-02T00:00:00.000Z' })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/2'])
    expect(fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('without a copy the look-up waits for it; ten tabs send one request', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => pathsOf(openTab(), 'moss/field')))
    expect(answers).toEqual(Array(10).fill(['/plugins/1']))
    expect(fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('with an expired copy the look-up waits a little for a newer one, falls back, and says so', async () => {
    const alarms: { ms: number; fire: () => void }[] = []
    const timer = (ms: number, fire: () => void) => {
      const alarm = { ms, fire }
      alarms.push(alarm)
      return () => void alarms.splice(alarms.indexOf(alarm), 1)
    }
    await openTab().refresh()
    time += 31 * DAY
    fetchIndex.mockImplementation(() => new Promise(() => {}))
    const tab = openTab({ timer })
    const answer = pathsOf(tab, 'moss/field')
    await vi.waitUntil(() => fetchIndex.mock.calls.length === 2)
    alarms.find(({ ms }) => ms === 5_000)!.fire()
    expect(await answer).toEqual(['/plugins/1'])
    expect(await tab.status()).toMatchObject({ state: 'expired', ageMs: 31 * DAY })

    alarms.find(({ ms }) => ms === MINUTE)!.fire()
    await vi.waitUntil(() => problems.some(({ kind }) => kind === 'fetch'))
    time += MINUTE
    const { failure } = await tab.status()
    expect(failure).toMatchObject({ attempts: 1, message: 'The index request took longer than 60 s.' })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('an expired copy is replaced before the answer when that works', async () => {
    await openTab().refresh()
    time += 31 * DAY
    served = edition(20)
    expect(await pathsOf(openTab(), 'moss/field')).toEqual(['/plugins/20'])
  })
})

describe('failures', () => {
  test('are remembered for all tabs, with a pause that doubles', async () => {
    served = new Error('The directory is down.')
    expect(await pathsOf(openTab(), 'moss/field')).toEqual([])
    expect((await openTab().status()).failure).toEqual({
      message: 'The directory is down.',
      attempts: 1,
      nextTryAt: time + 15 * MINUTE,
    })
    await openTab().refresh()
    expect(fetchIndex).toHaveBeenCalledTimes(1)

    time += 15 * MINUTE
    await openTab().byRepository('moss/field')
    time += 29 * MINUTE
    await openTab().byRepository('moss/field')
    expect(fetchIndex).toHaveBeenCalledTimes(2)
    time += MINUTE
    served = edition(1)
    expect(await pathsOf(openTab(), 'moss/field')).toEqual(['/plugins/1'])
    expect((await openTab().status()).failure).toBeNull()
  })

  test('a refused document leaves the copy, and is told', async () => {
    const tab = openTab()
    await tab.refresh()
    time += 6 * HOUR
    served = { ...edition(2), count: 99 }
    const status = await tab.refresh()
    expect(status).toMatchObject({ state: 'stale', generated: '2026-09-01T00:00:00.000Z' })
    expect(status.failure?.message).toBe('The index is cut off: 3 of 99 rows.')
    expect(problems.map(({ kind }) => kind)).toEqual(['refused'])
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
  })

  test('an older document is a check', async () => {
    const tab = openTab()
    served = edition(5)
    await tab.refresh()
    time += 6 * HOUR
    served = edition(4)
    expect(await tab.refresh()).toMatchObject({ state: 'fresh', generated: '2026-09-05T00:00:00.000Z', ageMs: 0 })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/5'])
  })

  test('a fetch that throws before it returns is a failure like others', async () => {
    fetchIndex.mockImplementation(() => {
      throw new Error('no network in this page')
    })
    expect((await openTab().refresh()).failure?.message).toBe('no network in this page')
  })
})

describe('a person who asks', () => {
  test('passes over freshness and pause', async () => {
    const tab = openTab()
    await tab.refresh()
    time += MINUTE
    served = new Error('down')
    expect((await tab.refresh({ force: true })).failure?.attempts).toBe(1)
    time += MINUTE
    served = edition(3)
    expect(await tab.refresh({ force: true })).toMatchObject({ failure: null, generated: '2026-09-03T00:00:00.000Z' })
    expect(fetchIndex).toHaveBeenCalledTimes(3)
  })

  test('in two tabs at the same time is one request', async () => {
    const statuses = await Promise.all([openTab(), openTab()].map((tab) => tab.refresh({ force: true })))
    expect(statuses.map(({ state }) => state)).toEqual(['fresh', 'fresh'])
    expect(fetchIndex).toHaveBeenCalledTimes(1)
  })
})

describe('storage', () => {
  test('that takes nothing: the tab goes on from memory and says so', async () => {
    storage.setMany = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
    const tab = openTab()
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(await tab.status()).toMatchObject({ state: 'fresh', kept: false, count: 3 })
    time += HOUR
    expect((await tab.all()).length).toBe(3)
    expect(fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('that takes it later has it after the next check', async () => {
    const { setMany } = storage
    storage.setMany = () => Promise.reject(new Error('full'))
    const tab = openTab()
    await tab.refresh()
    storage.setMany = setMany
    time += 6 * HOUR
    expect(await tab.refresh()).toMatchObject({ kept: true })
    expect(await pathsOf(openTab(), 'moss/field')).toEqual(['/plugins/1'])
    expect(fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('that cannot be read: the tab goes on from memory', async () => {
    storage.getMany = () => Promise.reject(new Error('blocked'))
    storage.setMany = () => Promise.reject(new Error('blocked'))
    const tab = openTab()
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect((await tab.status()).kept).toBe(false)
  })

  test.each(['getMany', 'setMany'] as const)('whose %s never answers is gone without', async (call) => {
    const timer: CatalogueOptions['timer'] = (ms, fire) => {
      const id = setTimeout(fire, ms / 1000)
      return () => clearTimeout(id)
    }
    const tab = openTab({ storage: { ...storage, [call]: () => new Promise(() => {}) }, timer })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect((await tab.status()).kept).toBe(false)
    expect(fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('that loses what it is given is not answered with a request a page view', async () => {
    storage.getMany = async (keys) => keys.map(() => undefined)
    const tab = openTab()
    for (let i = 0; i < 5; i++) await tab.byRepository('moss/field')
    expect(fetchIndex).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['its record', 'copy', { schema: 1 }],
    [
      'its record, by another schema',
      'copy',
      { schema: 2, generated: edition(1).generated, site: 'x', count: 3, rejected: 0, savedAt: 0 },
    ],
    ['a bucket that is gone', 'rows', undefined],
    ['a bucket that is no text', 'rows', [['moss/field']]],
    ['a bucket that was cut off', 'rows', '99\nmoss/field\t['],
    ['a bucket whose rows are no JSON', 'rows', '14\nmoss/field\t{\n'],
    ['a bucket whose rows are no rows', 'rows', '15\nmoss/field\t77\n'],
  ])('that is damaged counts as empty: %s', async (_, key, value) => {
    await openTab().refresh()
    const keys = key === 'copy' ? ['copy'] : Array.from({ length: BUCKETS }, (_, bucket) => `rows-${bucket}`)
    await storage.setMany(keys.map((name) => [name, value]))
    served = edition(2)
    expect(await pathsOf(openTab(), 'moss/field')).toEqual(['/plugins/2'])
    expect(problems.map(({ kind }) => kind)).toContain('corrupt')
    expect(fetchIndex).toHaveBeenCalledTimes(2)
  })
})

test('a lock that is not to be had leaves the copy as it is', async () => {
  const tab = openTab({ lock: { run: async () => ({ held: false }) } })
  expect(await pathsOf(tab, 'moss/field')).toEqual([])
  expect(fetchIndex).not.toHaveBeenCalled()
  expect(problems.map(({ kind }) => kind)).toEqual(['lock'])
})

test('a log that throws harms nothing', async () => {
  served = new Error('down')
  const tab = openTab({
    onProblem: () => {
      throw new Error('log')
    },
  })
  expect((await tab.refresh()).failure?.message).toBe('down')
})

test('rows that did not parse are counted', async () => {
  served = { ...edition(1), count: 4, plugins: [['no slash', null, null, null, null], ...edition(1).plugins] }
  expect(await openTab().refresh()).toMatchObject({
    count: 3,
    rejected: 1,
    kept: true,
    site: 'https://directory.example',
  })
})
