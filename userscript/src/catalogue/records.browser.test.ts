import type { PluginRecord } from '@plugmark/shared/contract'
import { createStore, set } from 'idb-keyval'
import { describe, expect, it, vi } from 'vitest'
import { Records } from './records.ts'

const DAY = 24 * 3_600_000
const INSTALL = 'dsh plugin --profile web add kite'

const recordOf = (fullName: string): PluginRecord => ({
  fullName,
  summary: null,
  summaryZh: null,
  category: null,
  stars: 1,
  license: null,
  npmPackage: 'kite',
  installKind: 'npm',
  install: INSTALL,
  installable: true,
  installOptions: [],
  riskFlags: [],
  repoUrl: 'https://github.com/acme/kite',
  url: 'https://directory.example/plugins/kite',
  installCheck: 'passed',
})

/** Returns the names of those listings whose verdict is stored. */
async function passed(records: Records, fullNames: readonly string[]): Promise<string[]> {
  const listings = fullNames.map((fullName) => ({
    fullName,
    category: null,
    install: INSTALL,
    path: null,
    npm: 'kite',
  }))
  await records.loadVerdicts(listings)
  return listings.filter((listing) => records.verdictOf(listing) === 'passed').map(({ fullName }) => fullName)
}

/** Creates records over a database of this test, opened again each time as another page would. */
function browser(database = `records ${crypto.randomUUID()}`) {
  let time = 1_000_000
  const fetchRecord = vi.fn(async (fullName: string): Promise<PluginRecord | null> => recordOf(fullName))
  return {
    database,
    fetchRecord,
    pass: (ms: number) => {
      time += ms
    },
    openPage: (maxRecords = 300) => new Records({ database, fetchRecord, maxRecords, now: () => time }),
  }
}

describe('the records', () => {
  it('fetch a record once a day, whatever the page and the spelling', async () => {
    const { openPage, fetchRecord, pass } = browser()
    expect(await openPage().get('Acme/Kite')).toEqual(recordOf('Acme/Kite'))
    await openPage().get('acme/kite')
    pass(DAY - 1)
    await openPage().get('acme/kite')
    expect(fetchRecord).toHaveBeenCalledOnce()
    pass(1)
    await openPage().get('acme/kite')
    expect(fetchRecord).toHaveBeenCalledTimes(2)
  })

  it('fetch no record within a minute after the directory failed', async () => {
    const { openPage, fetchRecord, pass } = browser()
    fetchRecord.mockRejectedValueOnce(new Error('status 500'))
    const records = openPage()
    await expect(records.get('acme/kite')).rejects.toThrow('status 500')
    pass(30_000)
    await expect(records.get('acme/kite')).rejects.toThrow('failed')
    await expect(records.get('acme/other')).rejects.toThrow('failed')
    pass(30_000)
    expect(await records.get('acme/kite')).toEqual(recordOf('acme/kite'))
    expect(fetchRecord).toHaveBeenCalledTimes(2)
  })

  it('fetch no record on another page within that minute', async () => {
    const { openPage, fetchRecord, pass } = browser()
    fetchRecord.mockRejectedValue(new Error('status 500'))
    await expect(openPage().get('acme/kite')).rejects.toThrow('status 500')
    pass(59_999)
    for (const name of ['acme/kite', 'acme/other']) await expect(openPage().get(name)).rejects.toThrow('failed')
    expect(fetchRecord).toHaveBeenCalledOnce()
    pass(1)
    await expect(openPage().get('acme/other')).rejects.toThrow('status 500')
    await expect(openPage().get('acme/kite')).rejects.toThrow('failed')
    expect(fetchRecord).toHaveBeenCalledTimes(2)
    pass(60_000)
    fetchRecord.mockResolvedValue(recordOf('acme/kite'))
    expect(await openPage().get('acme/kite')).toEqual(recordOf('acme/kite'))
  })

  it('the records send one request while the answer is pending', async () => {
    const { openPage, fetchRecord } = browser()
    const records = openPage()
    await Promise.all([records.get('acme/kite'), records.get('ACME/kite')])
    expect(fetchRecord).toHaveBeenCalledOnce()
  })

  it('the records return an old record rather than none, and fetch it again when the clock was set back', async () => {
    const { openPage, fetchRecord, pass } = browser()
    await openPage().get('acme/kite')
    pass(-1)
    await openPage().get('acme/kite')
    expect(fetchRecord).toHaveBeenCalledTimes(2)
    pass(3 * DAY)
    fetchRecord.mockRejectedValue(new Error('offline'))
    expect(await openPage().get('acme/kite')).toEqual(recordOf('acme/kite'))
    await expect(openPage().get('acme/other')).rejects.toThrow('failed')
  })

  it('the records do not fetch a record again that the directory does not have', async () => {
    const { openPage, fetchRecord } = browser()
    fetchRecord.mockResolvedValue(null)
    expect(await openPage().get('acme/kite')).toBeNull()
    expect(await openPage().get('acme/kite')).toBeNull()
    expect(fetchRecord).toHaveBeenCalledOnce()
  })

  it('delete the oldest records when there are too many', async () => {
    const { openPage, fetchRecord, pass } = browser()
    const records = openPage(2)
    for (const name of ['acme/a', 'acme/b', 'acme/c']) {
      await records.get(name)
      pass(1)
    }
    expect(await passed(openPage(), ['acme/a', 'acme/b', 'ACME/c'])).toEqual(['acme/b', 'ACME/c'])
    await openPage().get('acme/c')
    expect(fetchRecord).toHaveBeenCalledTimes(3)
    await openPage().get('acme/a')
    expect(fetchRecord).toHaveBeenCalledTimes(4)
  })

  it('pause after a failure that a full database does not store, and not after clear', async () => {
    const { openPage, fetchRecord, pass } = browser()
    fetchRecord.mockRejectedValue(new Error('status 500'))
    const records = openPage()
    await expect(records.get('acme/kite')).rejects.toThrow('status 500')
    pass(60_000)
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await expect(records.get('acme/kite')).rejects.toThrow('status 500')
    await expect(records.get('acme/kite')).rejects.toThrow('a moment ago')
    vi.restoreAllMocks()
    fetchRecord.mockResolvedValue(recordOf('acme/kite'))
    await records.clear()
    expect(await records.get('acme/kite')).toEqual(recordOf('acme/kite'))
  })

  it('ignore a damaged record', async () => {
    const { openPage, fetchRecord, database } = browser()
    await set('acme/kite', { at: 1_000_000, record: { fullName: 7 } }, createStore(database, 'records'))
    expect(await passed(openPage(), ['acme/kite'])).toEqual([])
    expect(await openPage().get('acme/kite')).toEqual(recordOf('acme/kite'))
    expect(fetchRecord).toHaveBeenCalledOnce()
  })

  it('delete everything on clear', async () => {
    const { openPage, fetchRecord } = browser()
    await openPage().get('acme/kite')
    await openPage().clear()
    expect(await passed(openPage(), ['acme/kite'])).toEqual([])
    await openPage().get('acme/kite')
    expect(fetchRecord).toHaveBeenCalledTimes(2)
  })

  it('the records stay deleted when an answer arrives after clear', async () => {
    const { openPage, fetchRecord } = browser()
    const answer = Promise.withResolvers<PluginRecord>()
    fetchRecord.mockReturnValueOnce(answer.promise)
    const records = openPage()
    const asked = records.get('acme/kite')
    await expect.poll(() => fetchRecord.mock.calls.length).toBe(1)
    await records.clear()
    answer.resolve(recordOf('acme/kite'))
    expect(await asked).toEqual(recordOf('acme/kite'))
    expect(await passed(records, ['acme/kite'])).toEqual([])
  })

  it('the records return a record within a second and a half although IndexedDB never answers', async () => {
    vi.spyOn(indexedDB, 'open').mockReturnValue({} as IDBOpenDBRequest)
    const { openPage } = browser()
    const late = new Promise((resolve) => setTimeout(resolve, 1_500, 'late'))
    expect(await Promise.race([openPage().get('acme/kite'), late])).toEqual(recordOf('acme/kite'))
    vi.restoreAllMocks()
  })

  it('the records are kept for this tab when IndexedDB refuses, and so is the pause after a failure', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('not here', 'SecurityError')
    })
    const { openPage, fetchRecord } = browser()
    const records = openPage()
    for (const name of ['acme/a', 'acme/b', 'acme/b']) await records.get(name)
    expect(fetchRecord).toHaveBeenCalledTimes(2)
    expect(await passed(records, ['acme/a', 'acme/b'])).toEqual(['acme/a', 'acme/b'])
    fetchRecord.mockRejectedValueOnce(new Error('down'))
    await expect(records.get('acme/c')).rejects.toThrow('down')
    await expect(records.get('acme/c')).rejects.toThrow('a moment ago')
    expect(fetchRecord).toHaveBeenCalledTimes(3)
    vi.restoreAllMocks()
  })
})
