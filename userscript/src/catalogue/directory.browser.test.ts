import { afterEach, describe, expect, it, vi } from 'vitest'
import { endPages, listing, openTestApp, TestDirectory } from '../testing.ts'

const A = 'acme/anchor'
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  endPages()
})

const indexRequests = ({ requests }: TestDirectory) => requests.filter((url) => url.endsWith('/index')).length

/** Opens another page of the same directory. */
async function visit(directory: TestDirectory) {
  const app = await openTestApp(directory)
  const updated = vi.fn()
  app.index.onUpdate(updated)
  return { app, updated }
}

describe('the index of a directory', () => {
  it('is requested by the first page, and by no other within six hours', async () => {
    const directory = new TestDirectory([listing(A)])
    const first = await visit(directory)
    first.app.index.refreshIfDue()
    await expect.poll(() => first.app.badgeCache.lookup(A)).not.toBeUndefined()
    expect(first.updated).toHaveBeenCalledOnce()
    await expect.poll(() => first.app.badgeCache.ageMs()).toBeLessThan(60_000)
    const open = vi.spyOn(indexedDB, 'open')
    const second = await visit(directory)
    second.app.index.refreshIfDue()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(open, 'nothing is read from the database').not.toHaveBeenCalled()
    expect(indexRequests(directory)).toBe(1)
  })

  it('is requested again after six hours, and when the clock was set back', async () => {
    const directory = new TestDirectory([listing(A)])
    await (await visit(directory)).app.index.refresh()
    const { now } = Date
    for (const [requests, shiftMs] of [
      [2, 7 * 3_600_000],
      [3, -3 * 24 * 3_600_000],
    ] as const) {
      vi.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs)
      const { app } = await visit(directory)
      app.index.refreshIfDue()
      await expect.poll(() => indexRequests(directory)).toBe(requests)
      await expect.poll(() => app.badgeCache.ageMs()).toBeLessThan(60_000)
      app.index.refreshIfDue()
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(indexRequests(directory), 'and not again').toBe(requests)
    }
  })

  it('is requested by a second page while the first one waits only once', async () => {
    const directory = new TestDirectory([listing(A)])
    const late = Promise.withResolvers<void>()
    directory.onRequest = () => late.promise
    const pages = [await visit(directory), await visit(directory), await visit(directory)]
    for (const { app } of pages) app.index.refreshIfDue()
    await expect.poll(() => indexRequests(directory)).toBe(1)
    late.resolve()
    for (const { app } of pages)
      await expect.poll(async () => (await app.directory.index.byRepository(A)).length).toBe(1)
    expect(indexRequests(directory)).toBe(1)
  })

  it('is not reachable while there is none and it cannot be downloaded, until a retry succeeds', async () => {
    const directory = new TestDirectory([listing(A)])
    directory.onRequest = () => Promise.reject(new Error('down'))
    const { app } = await visit(directory)
    const reachable = vi.fn()
    app.index.onReachable(reachable)
    app.index.refreshIfDue()
    await expect.poll(() => app.index.isReachable()).toBe(false)
    directory.onRequest = () => undefined
    await app.index.refresh()
    expect(app.index.isReachable()).toBe(true)
    expect(reachable).toHaveBeenCalledTimes(2)
  })

  it('keeps the stored one while the directory fails', async () => {
    const directory = new TestDirectory([listing(A)])
    await (await visit(directory)).app.index.refresh()
    directory.onRequest = () => Promise.reject(new Error('down'))
    const { app, updated } = await visit(directory)
    expect(await app.index.refresh()).toMatchObject({ count: 1, failure: { kind: 'http', status: 500 } })
    expect(app.badgeCache.lookup(A)).not.toBeNull()
    expect(updated).not.toHaveBeenCalled()
  })

  it('reaches the other pages of the origin once one of them has a newer one', async () => {
    const directory = new TestDirectory([listing(A)])
    const [here, there] = [await visit(directory), await visit(directory)]
    for (const { app } of [here, there]) {
      app.index.refreshIfDue()
      await expect.poll(() => app.badgeCache.lookup(A)).not.toBeUndefined()
    }
    directory.listings = [listing(A), listing('acme/beacon')]
    directory.generated = new Date(Date.now() + 1000).toISOString()
    await here.app.index.refresh()
    const key = `plugmark badges ${directory.api}`
    // As the browser does in every other tab.
    dispatchEvent(new StorageEvent('storage', { key, newValue: localStorage.getItem(key) }))
    await expect.poll(() => there.app.badgeCache.lookup('acme/beacon')).toMatchObject({ count: 1 })
  })

  it('stays deleted when it is deleted during a refresh', async () => {
    const directory = new TestDirectory(Array.from({ length: 3000 }, (_, n) => listing(`acme/plugin-${n}`)))
    const { app } = await visit(directory)
    const late = Promise.withResolvers<void>()
    directory.onRequest = () => late.promise
    const refreshed = app.index.refresh()
    await expect.poll(() => indexRequests(directory)).toBe(1)
    late.resolve()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await app.index.clear()
    await refreshed
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(Object.keys(localStorage).filter((key) => key.includes(directory.api))).toEqual([])
    expect(await app.directory.index.status()).toMatchObject({ generated: null })
  })

  it('does not let another page lose badges when a newer one cannot be stored', async () => {
    const directory = new TestDirectory([listing(A)])
    await (await visit(directory)).app.index.refresh()
    const { put } = IDBObjectStore.prototype
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
      if (Array.isArray(value)) throw new DOMException('full', 'QuotaExceededError')
      return put.call(this, value, key)
    })
    directory.listings = [listing('acme/new')]
    directory.generated = new Date(Date.now() + 1000).toISOString()
    const { app } = await visit(directory)
    expect(await app.index.refresh()).toMatchObject({ isSaved: false, failure: { kind: 'unsaved' } })
    vi.restoreAllMocks()
    const other = await visit(directory)
    expect(other.app.badgeCache.lookup(A)).toMatchObject({ action: 'copy' })
    expect(await other.app.directory.index.byRepository(A)).toHaveLength(1)
    expect(other.app.badgeCache.lookup('acme/new')).toBeNull()
  })
})
