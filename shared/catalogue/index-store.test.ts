import { beforeEach, describe, expect, test } from 'vitest'
import { BUCKETS } from './buckets.ts'
import { bucketKey, INDEX_KEY, SCHEMA } from './records.ts'
import { edition, HOUR, Machine, pathsOf } from './testing.ts'
import type { CatalogueOptions } from './types.ts'

let machine: Machine

beforeEach(() => {
  machine = new Machine()
})

describe('storage', () => {
  test('that takes nothing: the tab goes on from memory and says so', async () => {
    machine.storage.setMany = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
    const tab = machine.openTab()
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(await tab.status()).toMatchObject({ state: 'fresh', isSaved: false, count: 3 })
    machine.time += HOUR
    expect(await tab.byRepository('lantern/works')).toHaveLength(2)
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('that takes it later has it after the next check', async () => {
    const { setMany } = machine.storage
    machine.storage.setMany = () => Promise.reject(new Error('full'))
    const tab = machine.openTab()
    await tab.refresh()
    machine.storage.setMany = setMany
    machine.time += 6 * HOUR
    expect(await tab.refresh()).toMatchObject({ isSaved: true })
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('that cannot be read: the tab goes on from memory', async () => {
    machine.storage.getMany = () => Promise.reject(new Error('blocked'))
    machine.storage.setMany = () => Promise.reject(new Error('blocked'))
    const tab = machine.openTab()
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect((await tab.status()).isSaved).toBe(false)
  })

  test.each(['getMany', 'setMany'] as const)('whose %s never answers is gone without', async (call) => {
    const timer: CatalogueOptions['timer'] = (ms, fire) => {
      const id = setTimeout(fire, ms / 1000)
      return () => clearTimeout(id)
    }
    const tab = machine.openTab({ storage: { ...machine.storage, [call]: () => new Promise(() => {}) }, timer })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect((await tab.status()).isSaved).toBe(false)
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('that is silent in all is waited for twice, and then hardly', async () => {
    let waitedMs = 0
    const timer: CatalogueOptions['timer'] = (ms, fire) => {
      const id = setTimeout(() => {
        waitedMs += ms
        fire()
      }, ms / 1000)
      return () => clearTimeout(id)
    }
    const silent = () => new Promise<never>(() => {})
    const tab = machine.openTab({ storage: { getMany: silent, setMany: silent }, timer })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(waitedMs).toBeLessThan(12_000)
  })

  test('that answers late is waited for again', async () => {
    const { getMany } = machine.storage
    const late: (() => void)[] = []
    let isLate = true
    const tab = machine.openTab({
      storage: {
        ...machine.storage,
        getMany: (keys) =>
          isLate
            ? new Promise((resolve) => late.push(() => resolve(getMany(keys))))
            : new Promise((resolve) => setTimeout(() => resolve(getMany(keys)), 20)),
      },
      // A second is a hundredth of one: a read takes longer than what is silent is given, and shorter than it is given at first.
      timer: (ms, fire) => {
        const id = setTimeout(fire, ms / 100)
        return () => clearTimeout(id)
      },
    })
    await tab.refresh()
    expect(await tab.status()).toMatchObject({ isSaved: false })
    isLate = false
    for (const answer of late) answer()
    await new Promise((resolve) => setTimeout(resolve))
    expect(await tab.status()).toMatchObject({ isSaved: true })
  })

  test('that loses what it is given is not answered with a request a page view', async () => {
    machine.storage.getMany = async (keys) => keys.map(() => undefined)
    const tab = machine.openTab()
    for (let i = 0; i < 5; i++) await tab.byRepository('moss/field')
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['its record', INDEX_KEY, { schema: SCHEMA }],
    [
      'its record, by another schema',
      INDEX_KEY,
      { schema: SCHEMA + 1, generated: edition(1).generated, site: 'x', count: 3, rejected: 0, savedAt: 0 },
    ],
    ['a bucket that is gone', 'buckets', undefined],
    ['a bucket that is a text', 'buckets', '{"moss/field":[]}'],
    ['a bucket whose listings are no list', 'buckets', { 'moss/field': null }],
    ['a bucket with a listing that is none', 'buckets', { 'moss/field': [{ fullName: 'moss' }] }],
    ['a bucket of listings that lack a column', 'buckets', { 'moss/field': [{ fullName: 'moss/field' }] }],
  ])('that is damaged counts as empty: %s', async (_, key, value) => {
    await machine.openTab().refresh()
    const keys = key === INDEX_KEY ? [key] : Array.from({ length: BUCKETS }, (_, bucket) => bucketKey(bucket))
    await machine.storage.setMany(keys.map((name) => [name, value]))
    machine.served = edition(2)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/2'])
    expect(machine.problems.map(({ kind }) => kind)).toContain('corrupt')
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })
})
