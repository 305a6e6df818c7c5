import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { listedRows, mixedRows } from './listings.ts'
import { badgedRows, expectedRows } from './rows.ts'
import { hasBadgeCache, hasCopy } from './stored.ts'
import { BADGE, type CodeHost, expect, ORIGIN, test, twoFrames } from './test.ts'

/** Storages that fail in every way there is: the page is marked all the same, from what the tab has in memory. */
const TOPIC = '/topics/harness-plugin'

type Rows = Awaited<ReturnType<typeof badgedRows>>

async function listOf(api: string, codeHost: CodeHost): Promise<Rows> {
  const rows = mixedRows(await listedRows(api))
  codeHost.pages.set(TOPIC, topicPage(rows))
  return expectedRows(api, rows)
}

/** Waits for the badges while the clock of the page runs fast, but not while it has a request: that would be too slow. */
async function expectInTime(page: Page, codeHost: CodeHost, expected: Rows): Promise<void> {
  const look = async () => {
    if (codeHost.carried.length === codeHost.answered()) await page.clock.fastForward(1000)
    return badgedRows(page)
  }
  await expect.poll(look, { intervals: [50] }).toEqual(expected)
}

/** Changes to IndexedDB in the page before the script runs. */
const BROKEN: Readonly<Record<string, () => void>> = {
  'is absent': () => {
    Object.defineProperty(window, 'indexedDB', { value: undefined })
  },
  'is denied': () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The user denied permission to access the database.', 'SecurityError')
    }
  },
  'never opens': () => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  },
  'opens, and never reads': () => {
    IDBObjectStore.prototype.get = () => new EventTarget() as IDBRequest
  },
  'takes seconds to open': () => {
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function (...names) {
      const late = Object.assign(new EventTarget(), { result: undefined }) as unknown as IDBOpenDBRequest
      setTimeout(() => {
        const request = open.apply(this, names)
        for (const type of ['upgradeneeded', 'success', 'error'] as const) {
          request.addEventListener(type, () => {
            Object.assign(late, { result: request.result })
            late[`on${type}`]?.(new Event(type) as IDBVersionChangeEvent)
          })
        }
      }, 3000)
      return late
    }
  },
  'writes nothing': () => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The database is read-only.', 'ReadOnlyError')
    }
  },
  'breaks off what is written': () => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (...given) {
      const request = put.apply(this, given)
      this.transaction.abort()
      return request
    }
  },
}

for (const [how, breaks] of Object.entries(BROKEN)) {
  test(`marks the page with IndexedDB that ${how}`, async ({ page, codeHost, built }) => {
    const expected = await listOf(built.mock.url, codeHost)
    await page.clock.install()
    await page.addInitScript(breaks)
    await page.goto(ORIGIN + TOPIC)
    const began = await page.evaluate(() => Date.now())
    await expectInTime(page, codeHost, expected)
    const tookMs = (await page.evaluate(() => Date.now())) - began
    expect(tookMs, 'a silent one is given up').toBeLessThan(20_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.clock.fastForward(10_000)
    await twoFrames(page)
    expect(await badgedRows(page)).toEqual(expected)
    expect(codeHost.carried, 'a page asks once, whatever its storage forgets').toHaveLength(1)
  })
}

for (const how of ['is absent', 'is denied', 'never opens', 'writes nothing'] as const) {
  test(`requests the index on the first page only with IndexedDB that ${how}`, async ({ page, codeHost, built }) => {
    const expected = await listOf(built.mock.url, codeHost)
    await page.clock.install()
    await page.addInitScript(BROKEN[how]!)
    await page.goto(ORIGIN + TOPIC)
    await expectInTime(page, codeHost, expected)
    const inTime = async () => {
      await page.clock.fastForward(1000)
      return hasBadgeCache(page)
    }
    await expect.poll(inTime).toBe(true)
    await page.reload()
    await expectInTime(page, codeHost, expected)
    await page.clock.fastForward(10_000)
    await twoFrames(page)
    expect(codeHost.carried).toHaveLength(1)
  })
}

test('marks pages with a full disk, and stores the index once there is room again', async ({
  page,
  codeHost,
  built,
}) => {
  const expected = await listOf(built.mock.url, codeHost)
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: ORIGIN, quotaSize: 1 })
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await expect.poll(() => hasBadgeCache(page)).toBe(true)

  await session.send('Storage.overrideQuotaForOrigin', { origin: ORIGIN })
  await page.reload()
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await expect(page.locator('.plugmark-summary')).toBeVisible()
  expect(codeHost.carried, 'it was asked a moment ago').toHaveLength(1)
  await page.locator(BADGE).first().hover()
  await expect.poll(() => hasCopy(page), 'the rows are read when somebody points at a badge').toBe(true)
  const indexes = () => codeHost.carried.filter((url) => url.endsWith('/index'))
  expect(indexes()).toHaveLength(2)
  await page.reload()
  await page.locator(BADGE).first().hover()
  await expect(page.locator('.plugmark-card')).toBeVisible()
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  expect(indexes(), 'what could be kept at last is not asked for again').toHaveLength(2)
})

/** A stored value: the state, or listings by repository. */
type StoredValue = [repository: string][] & { readonly index: object }

/** Returns the damaged form of a stored value; undefined leaves it as it is. The state has the key 0. */
const DAMAGES: Readonly<Record<string, (key: string, value: StoredValue) => unknown>> = {
  'values of other types': (key) => (key === '0' ? [key] : 7),
  'a state without listings': (key) => (key === '0' ? undefined : null),
  'listings without a state': (key) => (key === '0' ? 'none' : undefined),
  'listings of other types': (key, value) => (key === '0' ? undefined : value.map(([name]) => [name, [name]])),
  'listings that lack a column': (key, value) =>
    key === '0' ? undefined : value.map(([name]) => [name, [{ fullName: name }]]),
  'a state of another schema': (key, value) => (key === '0' ? { ...value, schema: 999 } : undefined),
  'a state of a day that no calendar has': (key, value) =>
    key === '0' ? { ...value, index: { ...value.index, generated: '2026-13-45T00:00:00.000Z' } } : undefined,
}

for (const [what, damage] of Object.entries(DAMAGES)) {
  test(`requests the index again when the stored one has ${what}`, async ({ page, codeHost, built }) => {
    const expected = await listOf(built.mock.url, codeHost)
    await page.goto(ORIGIN + TOPIC)
    await expect.poll(() => badgedRows(page)).toEqual(expected)
    await expect.poll(() => hasCopy(page)).toBe(true)
    expect(await rewriteCopy(page, damage)).toBeGreaterThan(0)

    // The badge cache is still there; the rows are read when a person points at a badge.
    await page.reload()
    await page.locator(`${BADGE} .plugmark-copy`).first().hover()
    await expect.poll(codeHost.answered).toBe(2)
    await expect.poll(() => hasCopy(page)).toBe(true)
    await page.reload()
    await expect.poll(() => badgedRows(page)).toEqual(expected)
    await twoFrames(page)
    expect(codeHost.carried).toHaveLength(2)
  })
}

/** Changes the stored values of the index. @returns the number of changed values */
function rewriteCopy(page: Page, damage: (key: string, value: StoredValue) => unknown): Promise<number> {
  return page.evaluate(async (source) => {
    const change = new Function(`return ${source}`)() as typeof damage
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    let changed = 0
    for (const { name } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name!))
      if (database.objectStoreNames.contains('index')) {
        const store = database.transaction('index', 'readwrite').objectStore('index')
        for (const key of await settled(store.getAllKeys())) {
          const value = change(String(key), await settled<StoredValue>(store.get(key)))
          if (value === undefined) continue
          await settled(store.put(value, key))
          changed++
        }
      }
      database.close()
    }
    return changed
  }, String(damage))
}

test('marks the page although another program made a database with the same name', async ({
  page,
  codeHost,
  built,
}) => {
  const expected = await listOf(built.mock.url, codeHost)
  codeHost.pages.set('/topics', '<!doctype html>')
  await page.goto(`${ORIGIN}/topics`)
  await page.evaluate(
    (name) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open(name, 7)
        opening.onupgradeneeded = () => opening.result.createObjectStore('something else')
        opening.onsuccess = () => {
          opening.result.close()
          resolve()
        }
      }),
    `plugmark ${built.mock.url}`,
  )
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
})

for (const [how, answer] of Object.entries({
  throws: () => {
    throw new Error('no storage')
  },
  rejects: () => Promise.reject(new Error('no storage')),
  'never answers': () => new Promise(() => {}),
})) {
  test.describe('in a manager that has only GM.*', () => {
    test.use({ manager: 'greasemonkey' })

    test(`marks the page with a manager’s storage that ${how}`, async ({ page, codeHost, built }) => {
      const expected = await listOf(built.mock.url, codeHost)
      await page.addInitScript(`Object.assign(GM, { getValue: ${answer}, setValue: ${answer} })`)
      await page.goto(ORIGIN + TOPIC)
      await expect.poll(() => badgedRows(page)).toEqual(expected)
      await expect(page.locator(BADGE).first()).toBeVisible()
    })
  })
}

test('removes the badge of a row whose new repository cannot be looked up', async ({ page, codeHost, built }) => {
  const expected = await listOf(built.mock.url, codeHost)
  // Without the table of what is listed, so that the rows are read for every answer.
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The storage is full.', 'QuotaExceededError')
    }
  })
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await page.evaluate(() => {
    IDBDatabase.prototype.transaction = () => {
      throw new DOMException('The database is gone.', 'InvalidStateError')
    }
  })
  const link = page.locator(`a:has(+ ${BADGE})`).first()
  await link.evaluate((link: HTMLAnchorElement) => {
    link.href = '/cobalt-moth/not-asked-for-yet'
  })
  await expect.poll(() => badgedRows(page)).toEqual(expected.slice(1))
})
