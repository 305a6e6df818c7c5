import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AllListings, createStoreHost, type StoreHost } from '../host/index.ts'
import { aHome, aRecord, directoryOf, FAKE_HARNESS } from '../host/testing.ts'
import { unwrap } from './client-error.ts'
import { findInstalled, findTarget } from './name-lookup.ts'
import { toReviewData } from './published.ts'
import { agreedTo, type ChangeAction, type Reviewed, StoreClient } from './store-client.ts'

let home: Awaited<ReturnType<typeof aHome>>
let host: StoreHost
const { signal } = new AbortController()

/** Creates a client over a profile with unlisted plugins, some of them from other sources. */
async function clientOver(fetch: typeof globalThis.fetch): Promise<StoreClient> {
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
  const dependencies = { good: '^1.0.0', 'good-local': 'file:../good-local', 'good-pinned': 'github:a/pinned#0123abc' }
  const layers = ['@deepseek-ai/dsh-base', ...Object.keys(dependencies)]
  await writeFile(
    join(home.directory, 'package.json'),
    JSON.stringify({ dependencies, dsh: { profile: { bundles: layers } } }),
  )
  for (const name of Object.keys(dependencies)) {
    await mkdir(join(home.directory, 'node_modules', name), { recursive: true })
    await writeFile(join(home.directory, 'node_modules', name, 'package.json'), '{"version":"1.0.0"}')
  }
  host = createStoreHost(home.options, { rawUrl: 'http://127.0.0.1:9', fetch })
  return new StoreClient(host, signal)
}
const unreachable = () => Promise.reject(new TypeError('fetch failed'))
const dependencies = async () =>
  Object.keys(JSON.parse(await readFile(join(home.directory, 'package.json'), 'utf8')).dependencies)

beforeEach(async () => {
  home = await aHome()
})
afterEach(async () => {
  vi.useRealTimers()
  await host.close()
  await home.dispose()
})

async function reviewOf(client: StoreClient, name: string, action: ChangeAction, listings: AllListings | null = null) {
  const request = { action, profile: 'web' }
  return client.review(await findTarget(client, name, request, listings), request)
}

async function run(client: StoreClient, review: Reviewed, cancel = signal) {
  const { id } = unwrap(await client.startJob([agreedTo(review)]))
  return (await client.waitFor(id, { signal: cancel, cancels: true })).outcome
}

test.each(['good', 'good-local', 'good-pinned'])('removes %s when the directory cannot be reached', async (name) => {
  const client = await clientOver(unreachable)
  const review = await reviewOf(client, name, 'remove')
  expect(toReviewData(review)).toMatchObject({ id: name, package: name, action: 'remove', cautions: [], refusal: null })
  expect(review.review.command).toBe(`dsh plugin --profile web remove ${name}`)
  expect((await run(client, review))?.kind).toBe('removed')
  expect(await dependencies()).not.toContain(name)
})

test('removes an unlisted plugin, and refuses to update it', async () => {
  const client = await clientOver(directoryOf([aRecord('a/other')]).fetch)
  const update = reviewOf(client, 'good-local', 'update', await client.listings())
  await expect(update).rejects.toMatchObject({ code: 'other-source', next: { call: 'harness' } })
  const review = await reviewOf(client, 'good-local', 'remove')
  expect((await run(client, review))?.kind).toBe('removed')
})

test('finds the installed plugin of a folder although the one of the whole repository is installed', async () => {
  const client = await clientOver(unreachable)
  const plugins = [
    { name: 'whole', listing: 'a/pack', spec: 'github:a/pack' },
    { name: 'part', listing: 'a/pack#part', spec: 'github:a/pack#path:part' },
  ]
  vi.spyOn(host.calls, 'installed').mockResolvedValue({ ok: true, value: plugins } as never)
  const nameOf = async (text: string) => (await findInstalled(client, text, 'web')).name
  expect(await nameOf('a/pack')).toBe('whole')
  expect(await nameOf('github:a/pack#path:part')).toBe('part')
  expect(await nameOf('https://github.com/a/pack/tree/main/part')).toBe('part')
  plugins.push({ name: 'unlisted', listing: null as never, spec: 'github:a/pack#path:other' })
  await expect(nameOf('github:a/pack#path:other')).rejects.toMatchObject({ code: 'ambiguous' })
})

test('takes a short name that one installed plugin has, where the user may type one', async () => {
  const client = await clientOver(unreachable)
  const plugins = [
    { name: '@tidepool/query-window', listing: 'tidepool/query-window', spec: '^1.0.0' },
    { name: 'dsh-plugin-notes', listing: 'moss/pad', spec: '^1.0.0' },
    { name: 'dsh-plugin-tide', listing: null, spec: '^1.0.0' },
  ]
  vi.spyOn(host.calls, 'installed').mockResolvedValue({ ok: true, value: plugins } as never)
  const nameOf = async (text: string) => (await findInstalled(client, text, 'web', { byName: true })).name
  expect(await nameOf('query-window')).toBe('@tidepool/query-window')
  expect(await nameOf('Notes')).toBe('dsh-plugin-notes')
  expect(await nameOf('pad')).toBe('dsh-plugin-notes')
  expect(await nameOf('tide')).toBe('dsh-plugin-tide')
  await expect(nameOf('query-windo')).rejects.toMatchObject({ code: 'not-installed' })
  await expect(findInstalled(client, 'query-window', 'web')).rejects.toMatchObject({ code: 'not-installed' })
  plugins.push({ name: '@other/query-window', listing: null as never, spec: '^1.0.0' })
  await expect(nameOf('query-window')).rejects.toMatchObject({ code: 'ambiguous' })
})

test('suggests only names similar to one that is not installed', async () => {
  const client = await clientOver(unreachable)
  const remove = (name: string) => reviewOf(client, name, 'remove')
  await expect(remove('good-locl')).rejects.toMatchObject({ code: 'not-installed', suggestions: ['good-local'] })
  await expect(remove('nothing')).rejects.toMatchObject({ code: 'not-installed', suggestions: [] })
})

test('cancels a job while it waits, and returns the end of its rollback', async () => {
  const client = await clientOver(directoryOf([aRecord('a/waits', { installCheck: 'passed' })]).fetch)
  const review = await reviewOf(client, 'a/waits', 'install', await client.listings())
  const cancel = new AbortController()
  host.subscribe((event) => {
    if (event.type === 'output' && event.from > 0) cancel.abort(new Error('Cancelled.'))
  })
  expect(await run(client, review, cancel.signal)).toMatchObject({ kind: 'cancelled', rollback: 'complete' })
  expect(await dependencies()).not.toContain('waits')
})

test('goes on with a stale index when nothing arrives for five seconds, and asks again a minute later', async () => {
  const directory = directoryOf([aRecord('a/other')])
  let hangs = false
  const asked: string[] = []
  const client = await clientOver((input, init) => {
    if (!hangs) return directory.fetch(input, init)
    asked.push(String(input instanceof Request ? input.url : input))
    return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  })
  expect((await client.listings()).rows).toHaveLength(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 3_600_000 })
  hangs = true
  const from = performance.now()
  expect((await client.listings()).rows).toHaveLength(1)
  expect(performance.now() - from).toBeGreaterThan(4_900)
  const before = asked.length
  expect(before).toBeGreaterThan(0)

  const again = performance.now()
  expect((await client.listings()).rows).toHaveLength(1)
  expect(performance.now() - again).toBeLessThan(4_900)
  expect(asked).toHaveLength(before)
})

test('waits ten seconds for a directory that does not answer where nothing is stored', async () => {
  const client = await clientOver(
    (_, init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  )
  const from = performance.now()
  await expect(client.listings()).rejects.toMatchObject({ code: 'directory' })
  expect(performance.now() - from).toBeGreaterThan(9_900)
  expect(performance.now() - from).toBeLessThan(20_000)
})
