import { describe, expect, test } from 'vitest'
import { aRecord, directoryOf } from '../testing.ts'
import { catalogueForTests, copied } from './testing.ts'

const { clock, statuses, onTold, catalogueOf, loaded } = catalogueForTests()

describe('rows', () => {
  test('rows are all listings of the index, and only the records of those that passed are requested', async () => {
    const directory = directoryOf([
      aRecord('a/failed', { installCheck: 'failed', npmPackage: null }),
      aRecord('a/passed', { installCheck: 'passed', stars: 3 }),
      aRecord('a/waits', { installCheck: 'needs-approval' }),
    ])
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    const rows = await copied(catalogue)
    expect(rows.get('a/passed')).toMatchObject({ described: true, verdict: 'passed', stars: 3, installable: true })
    expect(rows.get('a/failed')).toMatchObject({ described: false, verdict: null, stars: null, installable: true })
    expect(catalogue.status()).toMatchObject({ state: 'ready', count: 3, described: 2, loadedAt: clock.now })
    expect(rows.get('a/waits')).toMatchObject({ described: true, verdict: 'needs-approval' })
    const verdicts = directory.asked.map((url) => url.searchParams.get('installCheck'))
    expect(new Set(verdicts)).toEqual(new Set(['passed', 'needs-approval']))
  })

  test('rows with invisible or bidirectional characters in their names are left out', async () => {
    const names = ['a/b', 'a/b\u200b', 'evil/\u202eb', 'a/c#d\u2066e']
    const directory = directoryOf([
      ...names.map((name) => aRecord(name, { installCheck: 'passed', npmPackage: 'b' })),
      aRecord('a/failed\u00ad', { installCheck: 'failed' }),
    ])
    const catalogue = await loaded(directory)
    expect([...(await copied(catalogue)).keys()]).toEqual(['a/b'])
  })

  test('rows name each risk once', async () => {
    const riskFlags = ['install script', 'terminal surface', 'install script']
    const catalogue = await loaded(directoryOf([aRecord('a/b', { installCheck: 'passed', riskFlags })]))
    expect((await copied(catalogue)).get('a/b')?.riskFlags).toEqual(['install script', 'terminal surface'])
  })

  test('rows come in pages, and a status goes out while they arrive', async () => {
    const records = Array.from({ length: 700 }, (_, n) => aRecord(`a/n${n}`, { installCheck: 'passed' }))
    const catalogue = catalogueOf(directoryOf(records))
    await catalogue.load()
    const first = await catalogue.page(0)
    expect([first.rows.length, first.next]).toEqual([100, 100])
    expect((await catalogue.page(100)).next).toBe(200)
    expect((await catalogue.page(600)).rows).toHaveLength(100)
    expect((await catalogue.page(10_000)).rows).toEqual([])
    expect(statuses.filter(({ state }) => state === 'loading').length).toBeGreaterThan(5)
  })

  test('rows are sent to the same page again only when they changed', async () => {
    const directory = directoryOf([
      aRecord('a/b', { installCheck: 'passed' }),
      aRecord('a/c', { installCheck: 'passed' }),
    ])
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    const { end, revision } = catalogue.status()
    directory.change([aRecord('a/b', { installCheck: 'passed', stars: 9 }), aRecord('a/c', { installCheck: 'passed' })])
    await catalogue.load({ force: true })
    const page = await catalogue.page(end)
    expect(page.status.revision).toBe(revision)
    expect(page.rows).toMatchObject([{ id: 'a/b', stars: 9 }])
  })

  test('disappear with their listings, and lose the verdict passed when they no longer pass', async () => {
    const directory = directoryOf([
      aRecord('a/b', { installCheck: 'passed' }),
      aRecord('a/c', { installCheck: 'passed' }),
    ])
    await (await loaded(directory)).close()
    const catalogue = catalogueOf(directory, { kept: true })
    const { revision } = (await catalogue.page(0)).status
    directory.change([aRecord('a/c', { installCheck: 'failed' })])
    clock.now += 60_000
    await catalogue.load({ force: true })
    expect(catalogue.status().revision).toBeGreaterThan(revision)
    expect([...(await copied(catalogue))]).toMatchObject([['a/c', { verdict: null }]])
  })
})

describe('a listing that the index does not have', () => {
  test('stays for some hours after its record arrived, and is removed with the next index after that', async () => {
    const directory = directoryOf([aRecord('a/b'), aRecord('a/new')])
    const withoutNew: typeof fetch = async (input, init) => {
      const answer = await directory.fetch(input, init)
      if (!String(input instanceof Request ? input.url : input).endsWith('/index')) return answer
      const index = await answer.json()
      return Response.json({ ...index, count: 1, plugins: index.plugins.slice(0, 1) })
    }
    const catalogue = catalogueOf({ fetch: withoutNew })
    await catalogue.find('a/new')
    for (const [hours, ids] of [
      [5, ['a/b', 'a/new']],
      [2, ['a/b']],
    ] as const) {
      clock.now += hours * 3_600_000
      directory.change([aRecord('a/b'), aRecord('a/new')])
      await catalogue.load({ force: true })
      expect([...(await copied(catalogue)).keys()].toSorted()).toEqual(ids)
    }
  })
})

describe('rows that do not parse', () => {
  test('rows that do not parse are counted anew at each reading', async () => {
    const broken = { ...aRecord('a/b', { installCheck: 'passed' }), stars: -1 }
    const catalogue = catalogueOf(directoryOf([broken, aRecord('a/c', { installCheck: 'passed' })]))
    await catalogue.load()
    await catalogue.search('a/')
    await catalogue.load({ force: true })
    expect(catalogue.status()).toMatchObject({ described: 1, rejected: 1 })
  })
})

describe('loading', () => {
  test('skips recent data, reads old data again, and always reads when the user asks', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    const once = directory.asked.length
    clock.now += 6 * 3_600_000 - 1
    await catalogue.load()
    expect(directory.asked.length).toBe(once)
    await catalogue.load({ force: true })
    expect(directory.asked.length).toBe(2 * once)
    clock.now += 6 * 3_600_000
    await catalogue.load()
    expect(directory.asked.length).toBe(3 * once)
  })

  test('sends one set of requests for two overlapping calls', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const catalogue = catalogueOf(directory)
    await Promise.all([catalogue.load(), catalogue.load(), catalogue.load({ force: true })])
    expect(directory.asked.map(({ search }) => /passed.*page=1$/.test(search)).filter(Boolean)).toHaveLength(1)
  })

  test('reads the directory when the user asks while the stored copy is still being read', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    await (await loaded(directory)).close()
    const asked = directory.asked.length
    const catalogue = catalogueOf(directory, { kept: true })
    await Promise.all([catalogue.load(), catalogue.load({ force: true })])
    expect(directory.asked.length).toBe(2 * asked)
  })

  test('reads again when the user asks once the answer is announced but the reading has not ended', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const catalogue = await loaded(directory)
    let again: Promise<void> | undefined
    onTold.status = ({ state, loadedAt }) => {
      if (again || state !== 'ready' || loadedAt !== clock.now) return
      directory.fail(true)
      again = catalogue.load({ force: true })
    }
    clock.now += 1000
    await catalogue.load({ force: true })
    await again
    expect(catalogue.status()).toMatchObject({ state: 'failed', count: 1 })
  })

  test('keeps the rows and the reason after a failure, and does not retry at once when a page opens', async () => {
    const directory = directoryOf([aRecord('a/b', { installCheck: 'passed' })])
    const catalogue = catalogueOf(directory)
    await catalogue.load()
    directory.fail(true)
    await catalogue.load({ force: true })
    expect(catalogue.status()).toMatchObject({ state: 'failed', count: 1, failure: { kind: 'http' } })
    const asked = directory.asked.length
    clock.now += 29_999
    await catalogue.load()
    expect(directory.asked.length).toBe(asked)
    clock.now += 1
    directory.fail(false)
    await catalogue.load()
    expect(catalogue.status()).toMatchObject({ state: 'ready', count: 1, failure: null })
  })
})

// The request itself would give up after a minute.
test('closes without waiting for an answer that never comes', { timeout: 30_000 }, async () => {
  const catalogue = catalogueOf({
    fetch: (_, init) =>
      new Promise((__, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  })
  void catalogue.load()
  await expect.poll(() => catalogue.status().state).toBe('loading')
  await catalogue.close()
  expect(catalogue.status().loadedAt).toBeNull()
})

describe('a stored copy', () => {
  test('a stored copy is shown at a start without a network, with the listings that passed first', async () => {
    const directory = directoryOf([
      aRecord('a/few', { installCheck: 'passed', stars: 1 }),
      aRecord('a/many', { installCheck: 'passed', stars: 5 }),
      aRecord('a/other'),
    ])
    await (await loaded(directory)).close()
    directory.fail(true)
    const again = catalogueOf(directory, { kept: true })
    const first = await again.page(0)
    expect(first.rows.map(({ id }) => id)).toEqual(['a/many', 'a/few', 'a/other'])
    expect(first.status).toMatchObject({ state: 'ready', loadedAt: clock.now })
    await again.load({ force: true })
    expect([...(await copied(again)).keys()]).toEqual(['a/many', 'a/few', 'a/other'])
    expect(again.status()).toMatchObject({ state: 'failed', loadedAt: clock.now })
  })

  test('a stored copy of another directory is not used', async () => {
    await (await loaded(directoryOf([aRecord('a/b', { installCheck: 'passed' })]))).close()
    const other = catalogueOf(directoryOf([]), { kept: true, baseUrl: 'https://other.example' })
    expect((await other.page(0)).rows).toEqual([])
  })
})

describe('an index of another site', () => {
  test('an index of another site is reported, and replaces the stored one when the user agrees', async () => {
    const directory = directoryOf([aRecord('a/b')])
    let site: string | null = null
    const moved: typeof fetch = async (input, init) => {
      const answer = await directory.fetch(input, init)
      if (!String(input instanceof Request ? input.url : input).endsWith('/index') || site === null) return answer
      return Response.json({ ...(await answer.json()), site })
    }
    const catalogue = catalogueOf({ fetch: moved })
    await catalogue.load()
    site = 'https://www.directory.example'
    directory.change([aRecord('a/b'), aRecord('a/new')])
    clock.now += 60_000
    await catalogue.load({ force: true })
    expect(catalogue.status()).toMatchObject({ count: 1, difference: { offered: { site } } })

    // The agreement counts although a reading is running that was asked before.
    clock.now += 60_000
    const { promise: reading, resolve } = Promise.withResolvers<void>()
    onTold.status = ({ state }) => state === 'loading' && resolve()
    const running = catalogue.load({ force: true })
    void running.then(() => clock.now++)
    await reading
    await Promise.all([running, catalogue.load({ force: true, replace: true })])
    expect(catalogue.status()).toMatchObject({ count: 2, difference: null })
  })
})
