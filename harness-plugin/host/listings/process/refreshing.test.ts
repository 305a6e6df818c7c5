import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aRecord, directoryOf, serveDirectory } from '../../testing.ts'
import { connectTo } from '../connect.ts'
import { createListings, type Listings } from '../listings.ts'
import { createReaderRefreshing } from './refreshing.ts'
import { type Reader, type StartReader, startReader } from './start.ts'

let folder: string
let readers: Reader[]
let problems: string[]
const closing: { close(): Promise<unknown> }[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-reader-'))
  readers = []
  problems = []
})
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close()
  await rm(folder, { recursive: true })
})

async function serve(directory: Parameters<typeof serveDirectory>[0]): Promise<string> {
  const server = await serveDirectory(directory)
  closing.push(server)
  return server.url
}

/** The same directory, whose answer for this page of the download waits until it is let go. */
function heldAt(page: number, directory: ReturnType<typeof directoryOf>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const held: typeof fetch = async (input) => {
    if (String(input).endsWith(`page=${page}`)) await promise
    return directory.fetch(input)
  }
  return { fetch: held, letGo: resolve }
}
const described = (listings: Listings, count: number) => expect.poll(() => listings.status().described).toBe(count)

function open(baseUrl: string, start: StartReader = startReader): Listings {
  const onProblem = (message: string, cause: unknown) => problems.push(`${message} ${cause}`)
  const listings = createListings({
    connect: connectTo({ baseUrl }),
    baseUrl,
    cli: 'dsh',
    path: join(folder, 'records'),
    now: Date.now,
    onStatus: () => {},
    onProblem,
    refreshing: (given) =>
      createReaderRefreshing({
        ...given,
        baseUrl,
        cli: 'dsh',
        folder,
        onProblem,
        start(...orders) {
          const reader = start(...orders)
          readers.push(reader)
          return reader
        },
      }),
  })
  closing.push(listings)
  return listings
}

const many = Array.from({ length: 250 }, (_, n) => aRecord(`a/n${n}`, { installCheck: n < 100 ? 'passed' : 'failed' }))
const rows = async (listings: Listings) =>
  (await Promise.all([0, 100, 200].map(listings.page))).flatMap(({ rows }) => rows)
const isRunning = (reader: Reader | undefined) => {
  try {
    return process.kill(reader?.pid ?? 0, 0)
  } catch {
    return false
  }
}

test('the process ends when it is done; what it brought is here, and in the files', async () => {
  const url = await serve(directoryOf(many))
  const listings = open(url)
  await Promise.all([listings.load(), listings.load()])
  expect(listings.status()).toMatchObject({ state: 'ready', count: 250, described: 100, failure: null })
  await listings.download()
  expect(listings.status()).toMatchObject({ described: 250, download: null, downloadedAt: expect.any(Number) })
  expect(readers).toHaveLength(2)
  await expect.poll(() => readers.some(isRunning)).toBe(false)
  expect((await rows(listings)).map(({ verdict }) => verdict).filter((one) => one === 'passed')).toHaveLength(100)
  expect((await readdir(folder)).toSorted()).toEqual(['index', 'records'])
  await listings.close()

  const again = open(url)
  expect((await rows(again)).slice(0, 100).every(({ verdict }) => verdict === 'passed')).toBe(true)
  expect((await again.find('a/n249'))?.verdict).toBe('failed')
  expect(again.status()).toMatchObject({ state: 'ready', described: 250 })
  expect(problems).toEqual([])
})

test('rows come while it reads, those that go are gone, and the record of each can be had', async () => {
  const directory = directoryOf(many)
  const listings = open(await serve(directory))
  const loading = listings.load()
  await expect.poll(() => listings.status().count).toBeGreaterThan(0)
  expect((await listings.page(0)).rows[0]).toMatchObject({ id: 'a/n0', described: true, stars: 1 })
  await loading
  const { revision } = listings.status()
  directory.change(many.slice(50).map((record) => ({ ...record, stars: 7 })))
  await listings.load({ force: true })
  expect(listings.status()).toMatchObject({ count: 200, described: 50 })
  expect(listings.status().revision).toBeGreaterThan(revision)
  expect(await listings.find('a/n60')).toMatchObject({ record: { stars: 7 }, verdict: 'passed' })
  expect(await listings.published('n249')).toEqual(['a/n249'])
})

test('a download that is stopped ends the process, and goes on in another', async () => {
  const directory = directoryOf(many)
  const held = heldAt(2, directory)
  const listings = open(await serve(held))
  const ended = listings.download()
  await described(listings, 96)
  await listings.stopDownload()
  await ended
  held.letGo()
  expect(listings.status()).toMatchObject({ download: null, downloadedAt: null, failure: null })
  await expect.poll(() => readers.some(isRunning)).toBe(false)
  await listings.download()
  expect(listings.status()).toMatchObject({ described: 250, downloadedAt: expect.any(Number) })
  expect(directory.asked.map(({ searchParams }) => searchParams.get('page')).join()).toMatch(/^1(,2)?,2,3,4$/)
})

test('a process that dies is a failure that says so; nothing is lost, and another try is a process of its own', async () => {
  const held = heldAt(2, directoryOf(many))
  const listings = open(await serve(held))
  const ended = listings.download()
  await described(listings, 96)
  process.kill(readers[0]?.pid ?? 0, 'SIGKILL')
  await ended
  held.letGo()
  const { failure, download } = listings.status()
  expect(download).toBeNull()
  expect(failure).toEqual({ kind: 'process', message: expect.stringContaining('ended before it was done') })
  expect(problems).toEqual(['The process that reads the directory ended. Error: It ended with SIGKILL'])
  expect((await rows(listings)).filter((row) => row.described)).toHaveLength(96)
  expect((await readdir(folder)).filter((name) => name.endsWith('.news'))).toEqual([])
  await listings.download()
  expect(listings.status()).toMatchObject({ described: 250, failure: null })
})

test('one that cannot be started, and one that runs out of memory, fail alike', async () => {
  const large = Array.from({ length: 20_000 }, (_, n) => aRecord(`a/n${n}`))
  const url = await serve(directoryOf(large))
  const impossible = [
    { with: { file: join(folder, 'missing.js') }, cause: /ended with 1\b.*Cannot find module/s },
    { with: { heapMb: 12 }, cause: /ended with SIGABRT\b.*out of memory/s },
  ]
  for (const { with: given, cause } of impossible) {
    const listings = open(url, (orders, on) => startReader(orders, on, given))
    await listings.load()
    expect(listings.status()).toMatchObject({ state: 'failed', failure: { kind: 'process' } })
    expect(problems.pop()).toMatch(cause)
    await listings.close()
  }
})

test('what a search brings meanwhile stays, whoever writes the file', async () => {
  const others = Array.from({ length: 5 }, (_, n) => aRecord(`b/kite${n}`, { stars: 50 }))
  const directory = directoryOf([...many, ...others])
  const url = await serve(heldAt(2, directory))
  const listings = open(url)
  const ended = listings.download()
  await described(listings, 96)
  await listings.search('b/kite')
  await listings.stopDownload()
  await ended
  expect(await listings.find('b/kite3')).toMatchObject({ record: { stars: 50 } })
  await listings.close()
  const again = open(url)
  const asked = directory.asked.length
  expect(await again.find('b/kite3')).toMatchObject({ record: { stars: 50 } })
  expect(again.status().described).toBe(listings.status().described)
  expect(directory.asked).toHaveLength(asked)
})

test('closing in the middle of it waits for what came to be saved', async () => {
  const url = await serve(heldAt(2, directoryOf(many)))
  const listings = open(url)
  void listings.download()
  await described(listings, 96)
  await listings.close()
  await expect.poll(() => readers.some(isRunning)).toBe(false)
  const again = open(url)
  await again.page(0)
  expect(again.status().described).toBe(96)
})

test('the process of a host that was killed saves what came, ends, and leaves nothing else', async () => {
  const url = await serve(directoryOf(many))
  const script = `
    import { openListings } from ${JSON.stringify(new URL('../open.ts', import.meta.url).href)}
    const [baseUrl, stateDir] = process.argv.slice(1)
    const listings = openListings({
      baseUrl, stateDir, cli: 'dsh', now: Date.now, onProblem() {},
      onStatus: ({ described }) => described > 90 && process.kill(process.pid, 'SIGKILL'),
    })
    await listings.download()`
  const host = spawn(process.execPath, ['--input-type=module', '-e', script, url, folder], { stdio: 'inherit' })
  expect(await once(host, 'exit')).toEqual([null, 'SIGKILL'])
  const files = async () => (await readdir(folder, { recursive: true })).map((path) => basename(path))
  await expect.poll(files).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), 'records'])
})

test('a copy that cannot be written is not needed', async () => {
  // A directory in the place of the file: nothing can be renamed over it.
  await mkdir(join(folder, 'records', 'x'), { recursive: true })
  await writeFile(join(folder, 'index'), '')
  const listings = open(await serve(directoryOf(many)))
  await listings.load()
  expect(listings.status()).toMatchObject({ state: 'ready', count: 250, described: 100 })
  expect(await rows(listings)).toHaveLength(250)
})
