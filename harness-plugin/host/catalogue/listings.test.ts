import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aRecord, directoryOf } from '../testing.ts'
import { Listings } from './listings.ts'
import { catalogueForTests, copied } from './testing.ts'

const { clock, problems, stateDir, catalogueOf, loaded } = catalogueForTests()

const plugins = [
  aRecord('a/b', { installCheck: 'passed' }),
  aRecord('a/c', { installCheck: 'needs-approval', summaryZh: '记忆' }),
  aRecord('a/other'),
]
const found = aRecord('z/found', { stars: 50 })

async function folder(): Promise<string> {
  const [name = ''] = await readdir(stateDir())
  return join(stateDir(), name)
}
const documentPath = async () => join(await folder(), 'listings.json')
interface File {
  readonly version: number
  readonly facts: { readonly loadedAt: number | null }
  readonly records: readonly {
    readonly record: { readonly fullName: string; readonly stars: number }
    readonly verdict: string | null
    readonly seenAt: number
  }[]
}
const readDocument = async (): Promise<File> => JSON.parse(await readFile(await documentPath(), 'utf8'))

/** Opens the records of one process. */
const listingsOf = () =>
  new Listings({
    path: join(stateDir(), 'listings.json'),
    cli: 'dsh',
    now: () => clock.now,
    onProblem: (message) => problems.push(message),
  })
const stored = async () => {
  const listings = listingsOf()
  await listings.reload()
  return listings
}

describe('the document', () => {
  test('the document is the only file besides the index, and has the fields that the store uses', async () => {
    const record = aRecord('a/b', { installCheck: 'passed', inRegistry: true, owner: 'a' })
    await (await loaded(directoryOf([record]))).close()
    expect((await readdir(await folder())).toSorted()).toEqual(['index.json', 'listings.json', 'state.json'])
    const document = await readDocument()
    expect(document).toMatchObject({
      version: 4,
      facts: { loadedAt: clock.now },
      records: [{ verdict: 'passed', seenAt: clock.now, record: { fullName: 'a/b' } }],
    })
    expect(document.records[0]?.record).not.toHaveProperty('owner')
    expect(problems).toEqual([])
  })

  test.each([
    ['is cut off', (text: string) => text.slice(0, -20)],
    ['is empty', () => ''],
    ['is no JSON', (text: string) => `\0${text}`],
    ['is another document', () => '[]'],
    ['is of an older version', (text: string) => text.replace('"version":4', '"version":3')],
    ['has a record that was changed by hand', (text: string) => text.replace('"stars":1', '"stars":"1"')],
    ['has a time that no date has', (text: string) => text.replace(/"loadedAt":\d+/, '"loadedAt":9000000000000000')],
    ['has no records', (text: string) => text.replace('"records"', '"others"')],
  ])('a document that %s is ignored and replaced, and its records are fetched again', async (_, change) => {
    const directory = directoryOf(plugins)
    await (await loaded(directory)).close()
    const path = await documentPath()
    await writeFile(path, change(await readFile(path, 'utf8')))

    const catalogue = catalogueOf(directory, { kept: true })
    expect((await catalogue.page(0)).rows.map(({ described }) => described)).toEqual([false, false, false])
    expect(catalogue.status()).toMatchObject({ state: 'idle', loadedAt: null })
    expect(problems).toEqual(['listings-unreadable'])
    await catalogue.load()
    await catalogue.close()

    const again = catalogueOf(directory, { kept: true })
    expect((await copied(again)).get('a/c')).toMatchObject({ verdict: 'needs-approval', summaryZh: '记忆' })
    expect(problems).toHaveLength(1)
  })

  test('restores rows that do not count as changed when the directory sends them again', async () => {
    const directory = directoryOf(plugins)
    await (await loaded(directory)).close()
    const catalogue = catalogueOf(directory, { kept: true })
    const { end } = (await catalogue.page(0)).status
    await catalogue.load({ force: true })
    expect(catalogue.status()).toMatchObject({ end, revision: 0 })
  })

  test('a document that cannot be written is reported, and the next save writes it without losing records', async () => {
    const directory = directoryOf([...plugins, found])
    const catalogue = await loaded(directory)
    const path = await folder()
    await rename(path, `${path}.away`)
    await writeFile(path, 'a file where the folder was')
    await catalogue.search('z/')
    await catalogue.load({ force: true })
    expect(problems).toContain('listings-unsaved')
    expect(await catalogue.find('z/found')).toMatchObject({ record: { stars: 50 } })
    await rm(path)
    await rename(`${path}.away`, path)
    await catalogue.close()
    const asked = directory.asked.length
    expect(await catalogueOf(directory, { kept: true }).find('z/found')).toMatchObject({ record: { stars: 50 } })
    expect(directory.asked).toHaveLength(asked)
  })

  test('a store closes only when a save that has begun is on the disk', async () => {
    const listings = listingsOf()
    for (let n = 0; n < 3_000; n++) listings.upsert(aRecord(`a/n${n}`), null)
    void listings.save()
    while (!(await readdir(stateDir())).some((name) => name.endsWith('.tmp'))) await new Promise(setImmediate)
    await listings.close()
    expect(await readdir(stateDir())).toEqual(['listings.json'])
  })

  test('keeps what changes during a save although the file is read then', async () => {
    const listings = listingsOf()
    for (let n = 0; n < 3_000; n++) listings.upsert(aRecord(`a/n${n}`), null)
    await listings.save()
    listings.upsert(aRecord('a/new'), null)
    const saving = listings.save()
    while (!(await readdir(stateDir())).some((name) => name.endsWith('.tmp'))) await new Promise(setImmediate)
    await listings.reload()
    await saving
    expect(listings.get('a/new')).not.toBeNull()
  })

  test('keeps a withdrawal and a reading that come after the clock was set back', async () => {
    const listings = listingsOf()
    clock.now += 86_400_000
    listings.upsert(aRecord('a/b'), 'passed')
    await listings.save({ loadedAt: clock.now })
    clock.now -= 86_400_000
    listings.applyVerdicts({ passed: new Set(), waiting: null })
    await listings.save({ loadedAt: clock.now })
    const again = await stored()
    expect([again.described, again.facts.loadedAt]).toEqual([0, clock.now])
  })

  test('believes no reading from the future of another process, whose clock was set back since', async () => {
    const other = listingsOf()
    await other.save({ loadedAt: clock.now + 86_400_000, verifiable: false })
    const listings = listingsOf()
    await listings.save({ loadedAt: clock.now })
    expect((await stored()).facts).toMatchObject({ loadedAt: clock.now, verifiable: true })
  })

  test('replaces a file of another version of the store without keeping a copy', async () => {
    const listings = listingsOf()
    for (let n = 0; n < 2; n++) {
      const text = `{"version":3,"records":[${n}]}`
      await writeFile(join(stateDir(), 'listings.json'), text)
      await listings.reload()
      // Not deleted before there is another one.
      expect(await readFile(join(stateDir(), 'listings.json'), 'utf8')).toBe(text)
      await listings.save({ loadedAt: n })
      expect(await readdir(stateDir())).toEqual(['listings.json'])
    }
    expect((await stored()).facts.loadedAt).toBe(1)
  })

  test('leaves a file of a newer version of the store as it is', async () => {
    const text = '{"version":99}'
    await writeFile(join(stateDir(), 'listings.json'), text)
    const listings = await stored()
    await listings.save({ loadedAt: 1 })
    expect(await readFile(join(stateDir(), 'listings.json'), 'utf8')).toBe(text)
    expect(problems).toEqual(['listings-unsaved'])
  })

  test('the document is complete for readers during a save, and after the process was killed', async () => {
    await (await loaded(directoryOf(plugins))).close()
    const path = await documentPath()
    const program = `
      import { Listings } from ${JSON.stringify(new URL('listings.ts', import.meta.url).href)}
      const listings = new Listings({ path: ${JSON.stringify(path)}, cli: 'dsh', now: Date.now, onProblem: console.error })
      await listings.reload()
      const record = { ...${JSON.stringify(aRecord('a/b'))}, summary: 'x'.repeat(20_000) }
      for (let n = listings.facts.loadedAt + 1; ; n++) {
        listings.upsert({ ...record, fullName: 'a/n' + (n % 20), stars: n }, 'passed')
        await listings.save({ loadedAt: n })
        console.log(n)
      }`
    const host = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let writes = 0
    host.stdout.on('data', () => writes++)
    const expectWhole = async () => {
      const { facts, records } = await readDocument()
      const stars = records.map(({ record }) => record.stars)
      expect([1, facts.loadedAt]).toContain(Math.max(...stars))
    }
    while (writes < 30) await expectWhole()
    host.kill('SIGKILL')
    await once(host, 'exit')
    await expectWhole()
  })
})

describe('an index that was lost', () => {
  test('an index that was lost is fetched again when the store opens, even if the verdicts are recent', async () => {
    const directory = directoryOf(plugins)
    await (await loaded(directory)).close()
    await writeFile(join(await folder(), 'index.json'), 'damaged')
    const catalogue = catalogueOf(directory, { kept: true })
    expect([...(await copied(catalogue)).keys()]).toEqual(['a/b', 'a/c'])
    const asked = directory.asked.length
    await catalogue.load()
    expect([...(await copied(catalogue)).keys()]).toEqual(['a/b', 'a/c', 'a/other'])
    expect(directory.asked).toHaveLength(asked)
  })
})

describe('two hosts over one document', () => {
  test('two hosts over one document read the records of the other when their store opens, and request none twice', async () => {
    const directory = directoryOf(plugins)
    const one = await loaded(directory)
    const other = catalogueOf(directory, { kept: true })
    await other.page(0)
    clock.now += 7 * 3_600_000
    directory.change([
      aRecord('a/b', { installCheck: 'passed', stars: 9 }),
      aRecord('a/new', { installCheck: 'passed' }),
    ])
    await one.load()
    const asked = directory.asked.length
    await other.load()
    expect(directory.asked).toHaveLength(asked)
    expect(other.status()).toMatchObject({ state: 'ready', loadedAt: clock.now, count: 2 })
    const rows = await copied(other)
    expect([...rows.keys()].toSorted()).toEqual(['a/b', 'a/new'])
    expect(rows.get('a/b')).toMatchObject({ stars: 9, verdict: 'passed' })
  })

  test('two hosts over one document keep the newer record of each listing, and the records of both', async () => {
    const directory = directoryOf([...plugins, found])
    const [one, other] = [await loaded(directory), catalogueOf(directory, { kept: true })]
    await other.find('z/found')
    clock.now += 60_000
    directory.change([aRecord('a/b', { installCheck: 'passed', stars: 9 }), found])
    await one.load({ force: true })
    await other.close()
    const { facts, records } = await readDocument()
    const stars = records.map(({ record }) => [record.fullName, record.stars])
    expect(Object.fromEntries(stars)).toEqual({ 'a/b': 9, 'z/found': 50 })
    expect(facts.loadedAt).toBe(clock.now)
  })

  test('two hosts over one document keep a newer record that the other saved while they could not save', async () => {
    const directory = directoryOf([...plugins, found])
    const [one, other] = [await loaded(directory), catalogueOf(directory, { kept: true })]
    await other.find('z/found')
    clock.now += 60_000
    directory.change([...plugins, { ...found, stars: 51 }])
    await one.find('z/found')
    await one.close()
    await other.close()
    const again = catalogueOf(directory, { kept: true })
    expect(await again.find('z/found')).toMatchObject({ record: { stars: 51 } })
  })

  test('two hosts that save one document at the same time leave it complete, with all records', async () => {
    const many = Array.from({ length: 20 }, (_, n) => aRecord(`b/n${n}`))
    const directory = directoryOf([...plugins, ...many])
    await (await loaded(directory)).close()
    const hosts = many.slice(0, 6).map(() => catalogueOf(directory, { kept: true }))
    await Promise.all(hosts.map((host, n) => host.find(`b/n${n}`)))
    await Promise.all(hosts.map((host) => host.close()))
    const { records } = await readDocument()
    expect(records).toHaveLength(2 + hosts.length)
    expect((await readdir(await folder())).toSorted()).toEqual(['index.json', 'listings.json', 'state.json'])
  })
})
