import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { webLock } from '../../async/index.ts'
import type { IndexDocument } from '../../contract/index.ts'
import { createIndexCache } from '../index.ts'
import type { IndexCacheOptions } from '../types.ts'
import { idbStore } from './idb.ts'
import { describeStore, repository } from './store-contract-testing.ts'

let database: string

beforeEach(() => {
  database = `plugmark-test-${crypto.randomUUID()}`
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  indexedDB.deleteDatabase(database)
})

describeStore(() => idbStore({ database }))

const index: IndexDocument = {
  generated: new Date(Date.now() - 3_600_000).toISOString(),
  count: 1,
  site: 'https://directory.example',
  fields: ['fullName', 'category', 'install', 'path', 'npm'],
  plugins: [['Moss/Field', 'tools', null, null, null]],
}

function openTab(fetchIndex: IndexCacheOptions['fetchIndex']) {
  const problems: string[] = []
  const onProblem = ({ kind }: { kind: string }) => problems.push(kind)
  return {
    ...createIndexCache({ fetchIndex, store: idbStore({ database }), lock: webLock(database), onProblem }),
    problems,
  }
}

test('hands a large index over in many tasks', async () => {
  const { put } = IDBObjectStore.prototype
  let unanswered = 0
  let most = 0
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
    const request = put.apply(this, args)
    most = Math.max(most, ++unanswered)
    request.addEventListener('success', () => unanswered--)
    return request
  })
  const names = Array.from({ length: 2_000 }, (_, at) => `owner/plugin-${at}`)
  await idbStore({ database }).replace(
    names.map((name) => repository(name)),
    {},
  )
  expect(most).toBeLessThan(8)
  expect(await idbStore({ database }).find(['owner/plugin-1999', 'owner/plugin-0', 'owner/plugin'])).toEqual([
    repository('owner/plugin-1999')[1],
    repository('owner/plugin-0')[1],
    undefined,
  ])
})

describe("an index cache over IndexedDB and the browser's locks", () => {
  test('sends one request for five tabs without an index, and none for the next tab', async () => {
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

  test('sends one request when the user refreshes in two tabs at the same time', async () => {
    const fetchIndex = vi.fn(async () => index)
    await Promise.all([openTab(fetchIndex), openTab(fetchIndex)].map((tab) => tab.refresh({ force: true })))
    expect(fetchIndex).toHaveBeenCalledTimes(1)
  })
})

/** Creates the database at a version, without the store in it. */
const openVersion = (version: number) =>
  new Promise<void>((resolve) => {
    const request = indexedDB.open(database, version)
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })

describe('a tab', () => {
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
  ])('continues from memory when IndexedDB %s', async (_, spoil) => {
    await spoil()
    const fetchIndex = vi.fn(async () => index)
    const tab = openTab(fetchIndex)
    expect(await tab.byRepository('moss/field')).toHaveLength(1)
    expect(await tab.byRepository('moss/field')).toHaveLength(1)
    expect(await tab.status()).toMatchObject({ state: 'fresh', isSaved: false })
    expect(fetchIndex).toHaveBeenCalledTimes(1)
  })
})
