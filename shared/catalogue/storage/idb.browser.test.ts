import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { IndexDocument } from '../../contract/index.ts'
import { BUCKETS } from '../buckets.ts'
import { createCatalogue, webLock } from '../index.ts'
import { bucketKey } from '../records.ts'
import type { CatalogueOptions } from '../types.ts'
import { behavesAsStorage } from './contract.ts'
import { idbStorage } from './idb.ts'

let database: string

beforeEach(() => {
  database = `plugmark-test-${crypto.randomUUID()}`
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  indexedDB.deleteDatabase(database)
})

const index: IndexDocument = {
  generated: new Date(Date.now() - 3_600_000).toISOString(),
  count: 1,
  site: 'https://directory.example',
  fields: ['fullName', 'category', 'install', 'path', 'npm'],
  plugins: [['Moss/Field', 'tools', null, null, null]],
}

function openTab(fetchIndex: CatalogueOptions['fetchIndex']) {
  const problems: string[] = []
  const onProblem = ({ kind }: { kind: string }) => problems.push(kind)
  return {
    ...createCatalogue({ fetchIndex, storage: idbStorage({ database }), lock: webLock(database), onProblem }),
    problems,
  }
}

test('is a storage', () => behavesAsStorage(idbStorage({ database })))

test('a value that cannot be cloned leaves everything as it was', async () => {
  const storage = idbStorage({ database })
  await storage.setMany([['a', 1]])
  const entries = [
    ['a', 2],
    ['b', 2],
    ['c', () => {}],
  ] as const
  await expect(storage.setMany(entries)).rejects.toThrow('could not be cloned')
  expect(await storage.getMany(['a', 'b'])).toEqual([1, undefined])
})

test('a large copy is handed over some at a time, and all of it or nothing is kept', async () => {
  const { put } = IDBObjectStore.prototype
  let unanswered = 0
  let most = 0
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
    const request = put.apply(this, given)
    most = Math.max(most, ++unanswered)
    request.addEventListener('success', () => unanswered--)
    return request
  })
  const storage = idbStorage({ database })
  const keys = Array.from({ length: 100 }, (_, i) => `key ${i}`)
  await storage.setMany(keys.map((key) => [key, 1]))
  expect(await storage.getMany(keys)).toEqual(Array(100).fill(1))
  expect(most).toBeLessThan(40)

  const spoilt = keys.map((key, i) => [key, i === 90 ? () => {} : 2] as const)
  await expect(storage.setMany(spoilt)).rejects.toThrow('could not be cloned')
  expect(await storage.getMany(keys)).toEqual(Array(100).fill(1))
})

describe("a catalogue over IndexedDB and the browser's locks", () => {
  test('in five tabs on a cold start is one request, and none for the next', async () => {
    const fetchIndex = vi.fn(async () => index)
    const tabs = Array.from({ length: 5 }, () => openTab(fetchIndex))
    const found = await Promise.all(tabs.map((tab) => tab.byRepository('moss/FIELD')))
    expect(found.map(([listing]) => listing?.fullName)).toEqual(Array(5).fill('Moss/Field'))
    expect(fetchIndex).toHaveBeenCalledTimes(1)

    const next = openTab(fetchIndex)
    expect(await next.byRepository('moss/field')).toHaveLength(1)
    expect(await next.status()).toMatchObject({ state: 'fresh', isSaved: true, count: 1 })
    expect(fetchIndex).toHaveBeenCalledTimes(1)
    expect(tabs.flatMap(({ problems }) => problems)).toEqual([])
  })

  test('pressed in two tabs at the same time is one request', async () => {
    const fetchIndex = vi.fn(async () => index)
    await Promise.all([openTab(fetchIndex), openTab(fetchIndex)].map((tab) => tab.refresh({ force: true })))
    expect(fetchIndex).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['its record', 'index'],
    ['its rows', null],
  ])('that has been damaged is empty, and mended: %s', async (_, key) => {
    const fetchIndex = vi.fn(async () => index)
    await openTab(fetchIndex).refresh()
    const keys = key === null ? Array.from({ length: BUCKETS }, (_, bucket) => bucketKey(bucket)) : [key]
    await idbStorage({ database }).setMany(keys.map((name) => [name, new Date()]))

    const tab = openTab(fetchIndex)
    expect(await tab.byRepository('moss/field')).toHaveLength(1)
    expect(tab.problems).toContain('corrupt')
    expect(fetchIndex).toHaveBeenCalledTimes(2)
    expect(await openTab(fetchIndex).byRepository('moss/field')).toHaveLength(1)
    expect(fetchIndex).toHaveBeenCalledTimes(2)
  })
})

/** Makes the database at a version, without the store in it. */
const openVersion = (version: number) =>
  new Promise<void>((resolve) => {
    const request = indexedDB.open(database, version)
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })

describe('where IndexedDB', () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }

  test.each([
    ['is blocked', () => vi.spyOn(indexedDB, 'open').mockImplementation(denied)],
    ['is absent', () => vi.stubGlobal('indexedDB', undefined)],
    ['has a database of somebody else under the name', () => openVersion(5)],
    [
      'is full',
      () =>
        vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
          throw new DOMException('full', 'QuotaExceededError')
        }),
    ],
  ])('%s the tab goes on from memory', async (_, spoil) => {
    await spoil()
    const fetchIndex = vi.fn(async () => index)
    const tab = openTab(fetchIndex)
    expect(await tab.byRepository('moss/field')).toHaveLength(1)
    expect(await tab.byRepository('moss/field')).toHaveLength(1)
    expect(await tab.status()).toMatchObject({ state: 'fresh', isSaved: false })
    expect(fetchIndex).toHaveBeenCalledTimes(1)
  })
})
