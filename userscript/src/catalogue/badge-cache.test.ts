import { inProcessLock } from '@plugmark/shared/async'
import type { IndexListing } from '@plugmark/shared/contract'
import { createIndexCache, memoryStore } from '@plugmark/shared/index-cache'
import { beforeEach, describe, expect, it } from 'vitest'
import { BadgeCache } from './badge-cache.ts'

const KEY = 'badges'
const DAY = 24 * 3_600_000

let kept: Map<string, string>
/** Capacity of the storage in characters; null when it cannot be reached. */
let room: number | null
let names: string[]
let day: number
/** Number of times that the rows were read from the database. */
let visits: number
let cli: string
let store: ReturnType<typeof memoryStore>

beforeEach(() => {
  kept = new Map()
  room = 1_000_000
  names = ['Lantern/Works', 'lantern/works#part', 'moss/field']
  day = 1
  visits = 0
  cli = 'dsh'
  store = memoryStore()
})

/** Opens a tab, and the index that it shares with the others. */
function openTab() {
  const index = createIndexCache({
    store,
    lock: inProcessLock(),
    now: () => day * DAY,
    fetchIndex: async () => ({
      generated: new Date(day * DAY).toISOString(),
      count: names.length,
      site: 'https://directory.example',
      fields: ['fullName', 'category', 'install', 'path', 'npm'],
      plugins: names.map((name) => [name, 'tools', `dsh plugin --profile web add github:${name}`, null, null]),
    }),
    onSaved: (index) => cache.save(index),
  })
  const cache = new BadgeCache({
    key: KEY,
    cli: () => cli,
    storage() {
      if (room === null) throw new DOMException('denied', 'SecurityError')
      return {
        getItem: (key) => kept.get(key) ?? null,
        setItem(key, value) {
          if (value.length > room!) throw new DOMException('full', 'QuotaExceededError')
          kept.set(key, value)
        },
        removeItem: (key) => void kept.delete(key),
      }
    },
  })
  const counting: typeof index = {
    ...index,
    eachRepository(visit) {
      visits++
      return index.eachRepository(visit)
    },
  }
  const refresh = async () => cache.sync((await index.refresh()).generated!, counting)
  return { cache, index, refresh }
}

/** Returns the cached badge that these tests look up. */
const moss = (cache: BadgeCache) => cache.lookup('moss/field')
const COPY = { category: 'tools', count: 1, action: 'copy', isRoot: true }

it('is empty before there is an index, and is written by the refresh that saves one, without reading a row', async () => {
  const { cache, index } = openTab()
  expect(moss(cache)).toBeUndefined()
  expect(cache.generated()).toBeNull()
  await index.refresh()
  expect(moss(cache)).toEqual(COPY)
  expect(cache.lookup('lantern/works')).toEqual({ category: 'tools', count: 2, action: 'copy', isRoot: false })
  expect(cache.lookup('nobody/nothing')).toBeNull()
  expect(cache.generated()).toBe('1970-01-02T00:00:00.000Z')
  expect(visits).toBe(0)
  expect([...kept.values()]).toEqual([
    '5 dsh 1970-01-02T00:00:00.000Z 0\nlantern/works tools 2 copy\nmoss/field tools 1 copy root\n',
  ])
})

describe('an existing badge cache', () => {
  beforeEach(async () => {
    await openTab().refresh()
    visits = 0
  })

  it('answers another tab and another visit at once', async () => {
    const { cache, refresh } = openTab()
    expect(moss(cache)).toEqual(COPY)
    await refresh()
    expect(visits).toBe(0)
  })

  it('an existing badge cache is replaced by a newer index, also in an open tab', async () => {
    const [here, there] = [openTab(), openTab()]
    expect(moss(there.cache)).toEqual(COPY)
    names = ['reed/pond']
    day = 2
    await here.refresh()
    await there.refresh()
    for (const { cache } of [here, there]) {
      expect(cache.lookup('reed/pond')).toEqual(COPY)
      expect(moss(cache)).toBeNull()
    }
    expect(visits).toBe(0)
  })

  it('an existing badge cache is built from the stored index after it was lost', async () => {
    kept.clear()
    const { cache, refresh } = openTab()
    await refresh()
    expect(moss(cache)).toEqual(COPY)
    expect(visits).toBe(1)
  })

  it('an existing badge cache is not used for another program, and is built again for that', async () => {
    cli = 'other'
    const { cache, refresh } = openTab()
    expect(moss(cache)).toBeUndefined()
    await refresh()
    expect(moss(cache)).toEqual({ ...COPY, action: 'other-cli' })
    expect(visits).toBe(1)
  })

  it('an existing badge cache is not built from an index that another tab replaced meanwhile', async () => {
    const { cache, index } = openTab()
    await cache.sync('1970-01-09T00:00:00.000Z', index)
    expect(cache.generated()).toBe('1970-01-02T00:00:00.000Z')
  })

  it('ignores a damaged line and uses the others', () => {
    kept.set(KEY, kept.get(KEY)!.replace('moss/field tools', 'moss/field <b>'))
    const { cache } = openTab()
    expect(moss(cache)).toBeUndefined()
    expect(cache.lookup('lantern/works')).toEqual({ ...COPY, count: 2, isRoot: false })
  })

  it('an existing badge cache is deleted by clear', () => {
    const { cache } = openTab()
    cache.clear()
    expect(moss(cache)).toBeUndefined()
    expect(kept.size).toBe(0)
  })

  it.each([
    ['cut off', (text: string) => text.slice(0, -3)],
    ['of another version', (text: string) => `9${text.slice(1)}`],
    ['without a date', (text: string) => text.replace('1970-01-02T00:00:00.000Z', 'yesterday')],
    ['something else', () => 'null'],
  ])('an existing badge cache is ignored and replaced when its text is %s', async (_, damage) => {
    kept.set(KEY, damage(kept.get(KEY)!))
    const { cache, refresh } = openTab()
    expect(moss(cache)).toBeUndefined()
    await refresh()
    expect(moss(cache)).toEqual(COPY)
  })
})

it('finds each of many repositories, and nothing between, before or after them', async () => {
  room = Number.POSITIVE_INFINITY
  names = [
    'a/b',
    'a/b-c',
    'a/b.c',
    'a/bc',
    'a-b/c',
    'a0/b',
    ...Array.from({ length: 1000 }, (_, n) => `owner-${n}/repo`),
  ]
  const { cache, refresh } = openTab()
  await refresh()
  for (const name of names) expect(cache.lookup(name), name).toEqual(COPY)
  for (const name of [
    '',
    'a/',
    'a/a',
    'a/b-',
    'a/b-d',
    'owner-1/rep',
    'owner-1/repoo',
    'owner-1000/repo',
    'zz/z',
    '4',
    '5 dsh',
  ]) {
    expect(cache.lookup(name), name).toBeNull()
  }
})

describe('a tab whose storage is full or missing', () => {
  it('tries to write the cache once for each index, not on every page', async () => {
    room = 50
    await openTab().refresh()
    const { cache, refresh } = openTab()
    await refresh()
    expect(visits).toBe(0)
    expect(moss(cache)).toBeUndefined()
  })

  it('does not write a cache that is too large for a storage shared with the site', async () => {
    room = Number.POSITIVE_INFINITY
    names = Array.from({ length: 20_000 }, (_, n) => `${'o'.repeat(90)}/${n}`)
    const { cache, refresh } = openTab()
    await refresh()
    expect([...kept.values()]).toEqual(['5 dsh 1970-01-02T00:00:00.000Z 0 not-stored\n'])
    expect(cache.lookup(names[0]!)).toBeUndefined()
  })

  it.each([0, null])('works without a cache (room for %s characters)', async (size) => {
    room = size
    const { cache, refresh } = openTab()
    await refresh()
    expect(moss(cache)).toBeUndefined()
  })
})

it('builds the cache of a newer index although an older one is still being read', async () => {
  const { cache } = openTab()
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const index = (generated: string, fullName: string) => ({
    async eachRepository(visit: (repository: string, listings: readonly IndexListing[]) => void) {
      if (generated.startsWith('1970-01-03')) await isReleased
      visit(fullName, [{ fullName, category: 'tools', install: null, path: null, npm: null }])
      return generated
    },
  })
  const older = cache.sync('1970-01-03T00:00:00.000Z', index('1970-01-03T00:00:00.000Z', 'old/one'))
  const newer = cache.sync('1970-01-04T00:00:00.000Z', index('1970-01-04T00:00:00.000Z', 'new/one'))
  release()
  await Promise.all([older, newer])
  expect(cache.generated()).toBe('1970-01-04T00:00:00.000Z')
  expect(cache.lookup('new/one')).not.toBeNull()
})

it('stays empty when it is cleared while it is being written', async () => {
  names = Array.from({ length: 3000 }, (_, n) => `moss/field-${n}`)
  const { cache } = openTab()
  const repositories = names.map(
    (name) => [name, [{ fullName: name, category: null, install: null, path: null, npm: null }]] as const,
  )
  const saved = cache.save({ generated: new Date(0).toISOString(), repositories, isShared: true })
  cache.clear()
  await saved
  expect(kept.size).toBe(0)
})

it('keeps the badges of the stored listings when a newer index cannot be stored, and asks that index in this tab', async () => {
  await openTab().refresh()
  const [before] = [...kept.values()]
  store.replace = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
  day++
  names = ['fern/new']
  const tab = openTab()
  await tab.refresh()
  expect([...kept.values()]).toEqual([before])
  expect(tab.cache.generated(), 'this tab shows the newer index').toBe(new Date(day * DAY).toISOString())
  expect(tab.cache.lookup('fern/new'), 'only the index can tell').toBeUndefined()
  expect((await tab.index.byRepository('fern/new')).length).toBe(1)
  expect(await tab.index.status()).toMatchObject({ state: 'fresh', isSaved: false, failure: { kind: 'unsaved' } })

  const other = openTab()
  expect(other.cache.lookup('moss/field')).toEqual(COPY)
  expect((await other.index.byRepository('moss/field')).length).toBe(1)
})

it('finds the same badges in a page with hundreds of links', async () => {
  names = Array.from({ length: 500 }, (_, n) => `moss/field-${(n * 7) % 500}`)
  const { cache, refresh } = openTab()
  await refresh()
  for (let n = 0; n < 500; n++) {
    expect(cache.lookup(`moss/field-${n}`)).toEqual(COPY)
    expect(cache.lookup(`moss/teapot-${n}`)).toBeNull()
  }
})

it('tells every tab when the index was last known to be the newest, until the clock is set back', async () => {
  const { cache, refresh } = openTab()
  await refresh()
  expect(cache.ageMs(), 'unknown').toBe(Number.POSITIVE_INFINITY)
  cache.confirm(new Date(DAY).toISOString(), 5000)
  expect(openTab().cache.ageMs()).toBeCloseTo(5000, -3)
  expect(moss(openTab().cache)).toEqual(COPY)
  cache.confirm(new Date(2 * DAY).toISOString(), 0)
  expect(openTab().cache.ageMs(), 'of another index').toBeCloseTo(5000, -3)
  cache.confirm(new Date(DAY).toISOString(), -60_000)
  expect(openTab().cache.ageMs()).toBe(Number.POSITIVE_INFINITY)
})
