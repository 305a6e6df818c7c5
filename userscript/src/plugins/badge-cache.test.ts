import { createCatalogue, inProcessLock, memoryStorage } from '@plugmark/shared/catalogue'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFaces } from './badge-cache.ts'
import { followCopy } from './sync-badge-cache.ts'

const KEY = 'faces'
const DAY = 24 * 3_600_000

let kept: Map<string, string>
/** Characters the storage takes; null where it cannot be reached. */
let room: number | null
let names: string[]
let day: number
let visits: number
let cli: string
let storage: ReturnType<typeof memoryStorage>

beforeEach(() => {
  kept = new Map()
  room = 1_000_000
  names = ['Lantern/Works', 'lantern/works#part', 'moss/field']
  day = 1
  visits = 0
  cli = 'dsh'
  storage = memoryStorage()
})

/** A tab, and the copy of the index it shares with the others. */
function openTab() {
  const catalogue = createCatalogue({
    storage,
    lock: inProcessLock(),
    now: () => day * DAY,
    fetchIndex: async () => ({
      generated: new Date(day * DAY).toISOString(),
      count: names.length,
      site: 'https://directory.example',
      fields: ['fullName', 'category', 'install', 'path', 'npm'],
      plugins: names.map((name) => [name, 'tools', `dsh plugin --profile web add github:${name}`, null, null]),
    }),
  })
  const faces = createFaces({
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
  const followTo = followCopy({
    faces,
    cli: () => cli,
    eachRepository(visit) {
      visits++
      return catalogue.eachRepository(visit)
    },
  })
  const follow = async () => followTo((await catalogue.refresh()).generated)
  return { faces, follow, followTo }
}

describe('before there is a table', () => {
  it('nothing can be said, and a copy makes one', async () => {
    const { faces, follow } = openTab()
    expect(faces.find('lantern/works')).toBeUndefined()
    expect(faces.generated()).toBeNull()
    await follow()
    expect(faces.find('lantern/works')).toBeGreaterThan(0)
    expect(faces.find('nobody/nothing')).toBeNull()
    expect(faces.generated()).toBe('1970-01-02T00:00:00.000Z')
  })

  it('of no copy none is made', async () => {
    const { faces, followTo } = openTab()
    await followTo(null)
    expect(visits).toBe(0)
    expect(faces.find('moss/field')).toBeUndefined()
  })
})

describe('with a table', () => {
  beforeEach(async () => {
    await openTab().follow()
    visits = 0
  })

  it('another tab and another visit have it at once', async () => {
    const { faces, follow } = openTab()
    expect(faces.find('moss/field')).toBeGreaterThan(0)
    await follow()
    expect(visits).toBe(0)
  })

  it('a newer copy replaces it, in a tab that is open as well', async () => {
    const [here, there] = [openTab(), openTab()]
    expect(there.faces.find('moss/field')).toBeGreaterThan(0)
    names = ['reed/pond']
    day = 2
    await here.follow()
    await there.follow()
    for (const { faces } of [here, there]) {
      expect(faces.find('reed/pond')).toBeGreaterThan(0)
      expect(faces.find('moss/field')).toBeNull()
    }
    expect(visits).toBe(1)
  })

  it('it is not used for another program, and made anew for it', async () => {
    cli = 'other'
    const { faces, follow } = openTab()
    expect(faces.find('moss/field')).toBeUndefined()
    await follow()
    expect(faces.find('moss/field')).toBeGreaterThan(0)
    expect(visits).toBe(1)
  })

  it('it stays where no copy can be had', async () => {
    const { faces, followTo } = openTab()
    await followTo(null)
    for (const { find } of [faces, openTab().faces]) expect(find('moss/field')).toBeGreaterThan(0)
    expect(visits).toBe(0)
  })

  it('it goes when it is cleared', () => {
    const { faces } = openTab()
    faces.clear()
    expect(faces.find('moss/field')).toBeUndefined()
    expect(kept.size).toBe(0)
  })

  it.each([
    ['cut off', (text: string) => text.slice(0, -3)],
    ['without its rows', (text: string) => text.slice(0, text.indexOf('\n'))],
    ['of another version', (text: string) => `9${text.slice(1)}`],
    ['without a date', (text: string) => text.replace('1970-01-02T00:00:00.000Z', 'yesterday')],
    ['something else', () => 'null'],
  ])('one that is %s is none, and is made anew', async (_, damage) => {
    kept.set(KEY, damage(kept.get(KEY)!))
    const { faces, follow } = openTab()
    expect(faces.find('moss/field')).toBeUndefined()
    await follow()
    expect(faces.find('moss/field')).toBeGreaterThan(0)
  })
})

describe('where it cannot be kept', () => {
  it('a full storage is found out once a copy, not on every page', async () => {
    room = 50
    await openTab().follow()
    expect(visits).toBe(1)
    const { faces, follow } = openTab()
    await follow()
    expect(visits).toBe(1)
    expect(faces.find('moss/field')).toBeUndefined()
  })

  it.each([0, null])('one that takes %s characters costs nothing', async (size) => {
    room = size
    const { faces, follow } = openTab()
    await follow()
    expect(visits).toBe(0)
    expect(faces.find('moss/field')).toBeUndefined()
  })
})
