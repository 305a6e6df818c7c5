import { beforeEach, describe, expect, test } from 'vitest'
import { EMPTY_STATE } from './refresh-state.ts'
import { edition, HOUR, Machine, MINUTE, pathsOf } from './testing.ts'
import type { IndexCacheOptions, RepositoryListings } from './types.ts'

let machine: Machine

beforeEach(() => {
  machine = new Machine()
})

describe('a tab', () => {
  test('continues from memory when the store accepts nothing, and says so', async () => {
    const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
    Object.assign(machine.store, { saveState: full, replace: full })
    const tab = machine.openTab()
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(await tab.status()).toMatchObject({ state: 'fresh', isSaved: false, count: 3 })
    machine.time += HOUR
    expect(await tab.byRepository('lantern/works')).toHaveLength(2)
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('stores the index at the next refresh once the store works again', async () => {
    const { replace } = machine.store
    machine.store.replace = () => Promise.reject(new Error('full'))
    const tab = machine.openTab()
    await tab.refresh()
    machine.store.replace = replace
    machine.time += 6 * HOUR
    expect(await tab.refresh()).toMatchObject({ isSaved: true })
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/1'])
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test('drops its own index when the store has a newer one', async () => {
    const replace = () => Promise.reject(new Error('full'))
    const tab = machine.openTab({ store: { ...machine.store, replace } })
    await tab.refresh()
    machine.time += HOUR
    machine.served = edition(2)
    await machine.openTab().refresh({ force: true })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/2'])
  })

  test('makes other tabs pause as after a failure when the store accepts the state but no index', async () => {
    machine.store.replace = () => Promise.reject(new Error('full'))
    await machine.openTab().refresh()
    machine.time += MINUTE - 1
    const failure = { kind: 'unsaved', attempts: 1, message: 'The index could not be stored.' }
    expect(await machine.openTab().refresh()).toMatchObject({ state: 'empty', failure })
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
    machine.time += 1
    await machine.openTab().refresh()
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
    expect(await machine.openTab().refresh()).toMatchObject({ failure: { attempts: 2 } })
  })

  test('continues from memory when the store cannot be read', async () => {
    const blocked = () => Promise.reject(new Error('blocked'))
    Object.assign(machine.store, { load: blocked, find: blocked, saveState: blocked, replace: blocked })
    const tab = machine.openTab()
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect((await tab.status()).isSaved).toBe(false)
  })

  test.each([
    ['reads', ['load', 'find', 'forEach']],
    ['writes', ['saveState', 'replace']],
  ])('does not wait forever when the %s of the store never answer', async (_, calls) => {
    const timer: IndexCacheOptions['timer'] = (ms, fire) => {
      const id = setTimeout(fire, ms / 1000)
      return () => clearTimeout(id)
    }
    const tab = machine.openTab({
      store: { ...machine.store, ...Object.fromEntries(calls.map((call) => [call, () => new Promise(() => {})])) },
      timer,
    })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect((await tab.status()).isSaved).toBe(false)
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })

  test('waits twice in full for a store that never answers, and then briefly', async () => {
    let waitedMs = 0
    const timer: IndexCacheOptions['timer'] = (ms, fire) => {
      const id = setTimeout(() => {
        waitedMs += ms
        fire()
      }, ms / 100)
      return () => clearTimeout(id)
    }
    const silent = () => new Promise<never>(() => {})
    const tab = machine.openTab({
      store: { ...machine.store, load: silent, find: silent, saveState: silent, replace: silent },
      timer,
    })
    expect(await pathsOf(tab, 'moss/field')).toEqual(['/plugins/1'])
    expect(waitedMs).toBeLessThan(12_000)
  })

  test('waits in full again after a late answer of the store', async () => {
    const { load } = machine.store
    const late: (() => void)[] = []
    let isLate = true
    const tab = machine.openTab({
      store: {
        ...machine.store,
        load: () =>
          isLate
            ? new Promise((resolve) => late.push(() => resolve(load())))
            : new Promise((resolve) => setTimeout(() => resolve(load()), 20)),
      },
      // A hundred times faster, so that a read takes longer than the short limit and less than the full one.
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

  test('does not send a request at each page view when the store loses everything', async () => {
    machine.store.load = async () => undefined
    const tab = machine.openTab()
    for (let i = 0; i < 5; i++) await tab.byRepository('moss/field')
    expect(machine.fetchIndex).toHaveBeenCalledTimes(1)
  })

  const header = {
    generated: edition(1).generated,
    site: 'https://directory.example',
    count: 3,
    rejected: 0,
    savedAt: 0,
  }
  test.each([
    ['a text', 'damaged'],
    ['of another schema', { ...EMPTY_STATE, schema: 999, index: header }],
    ['without a header', { ...EMPTY_STATE, index: {} }],
    ['of a day that no calendar has', { ...EMPTY_STATE, index: { ...header, generated: '2026-13-45T00:00:00.000Z' } }],
  ])('treats a store with a damaged state as empty: %s', async (_, state) => {
    await machine.openTab().refresh()
    await machine.store.saveState(state as object)
    machine.served = edition(2)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/2'])
    expect(machine.problems.map(({ kind }) => kind)).toContain('damaged')
    expect(machine.fetchIndex).toHaveBeenCalledTimes(2)
  })

  test.each([
    ['a text', '[]'],
    ['null', null],
    ['a listing that is none', [{ fullName: 'moss' }]],
    ['a listing that lacks a column', [{ fullName: 'moss/field' }]],
  ])('treats a store with damaged listings as empty, in a look-up and in a visit: %s', async (_, listings) => {
    const damage = async () => {
      const state = (await machine.store.load()) as object
      await machine.store.replace([['moss/field', listings]] as unknown as RepositoryListings[], state)
      machine.time += 2 * MINUTE
    }
    await machine.openTab().refresh()
    await damage()
    machine.served = edition(2)
    expect(await pathsOf(machine.openTab(), 'moss/field')).toEqual(['/plugins/2'])
    expect(machine.problems.map(({ kind }) => kind)).toContain('damaged')

    await damage()
    const tab = machine.openTab()
    expect(await tab.eachRepository(() => {})).toBeNull()
    expect(await tab.refresh()).toMatchObject({ state: 'fresh', count: 3 })
    expect(await tab.eachRepository(() => {})).toBe(edition(2).generated)
    expect(machine.fetchIndex).toHaveBeenCalledTimes(3)
  })
})
