import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EVENTS } from './harness-channel.ts'
import type { Context, RpcHandler } from './harness-context.ts'
import { mayHaveUpdates } from './harness-profile.ts'
import { apply } from './index.ts'

/** Count the openings and closings of the store itself. */
const { opened, closed, looked } = vi.hoisted(() => ({ opened: vi.fn(), closed: vi.fn(), looked: vi.fn() }))
vi.mock('./open-store.ts', () => ({
  openStore() {
    opened()
    return {
      serve: async () => 'the store’s',
      about: () => 'about the store',
      perform: async () => {},
      findUpdates: async () => looked(),
      close: async () => closed(),
    }
  },
}))

let home: string
let profile: string
const leaving: (() => unknown)[] = []
beforeEach(async () => {
  opened.mockClear()
  closed.mockClear()
  looked.mockClear()
  home = await mkdtemp(join(tmpdir(), 'plugmark-dsh-'))
  profile = join(home, 'profiles/web')
  await mkdir(profile, { recursive: true })
})
afterEach(async () => {
  for (const leave of leaving.splice(0)) await leave()
  await rm(home, { recursive: true })
})

/** Creates a harness that runs from the profile and has only a page. */
function aHarness({
  baseUrl = `${pathToFileURL(profile).href}/`,
  config = {},
}: {
  baseUrl?: string | null
  config?: object
} = {}) {
  const up = Promise.withResolvers<void>()
  let handler: RpcHandler | null = null
  const rpc = {
    handle(_: string, handle: RpcHandler) {
      handler = handle
    },
  }
  const ctx = {
    ...(baseUrl !== null && { baseUrl }),
    logger: () => ({ warn() {} }),
    get: (service: string) => (service === 'loader' ? { await: () => up.promise } : undefined),
    effect: (execute: () => () => unknown) => leaving.push(execute()),
    inject(services: readonly string[], callback: (ctx: unknown) => void) {
      if (services.includes('webServer')) callback({ ...ctx, connection: { rpc } })
    },
  }
  apply(ctx as unknown as Context, config)
  return {
    isUp: () => up.resolve(),
    ask: (endpoint: string, payload: object) => handler!(endpoint, payload, new AbortController().signal),
  }
}

test('loads the store at its first call, and not for a page that only waits for events', async () => {
  const { isUp, ask } = aHarness()
  isUp()
  expect(await ask(EVENTS, { run: null, from: 0, wait: false })).toMatchObject({ value: { ok: true } })
  expect(opened).not.toHaveBeenCalled()
  await Promise.all([ask('overview', {}), ask('about', {})])
  expect(await ask('overview', {})).toEqual({ ok: true, value: 'the store’s' })
  expect(opened).toHaveBeenCalledOnce()
})

/** Stores the result of a check for updates. */
async function stored(newest: string, { ageMs = 0, automatic = true, failures = 0 } = {}) {
  await mkdir(join(profile, '.plugmark'), { recursive: true })
  const check = { versions: [['a', newest]], commits: [], installed: { versions: [['a', '1.0.0']], commits: [] } }
  const state = { version: 1, automatic, attemptedAt: Date.now() - ageMs, failures, checkedAt: 0, check }
  await writeFile(join(profile, '.plugmark/updates.json'), JSON.stringify(state))
}

test('looks for updates whenever a page opens, once the last check found some', async () => {
  await stored('1.1.0')
  const { ask } = aHarness()
  await ask(EVENTS, { run: null, from: 0, wait: false })
  await expect.poll(() => looked.mock.calls.length).toBe(1)
  await ask(EVENTS, { run: 'a', from: 0, wait: false })
  await ask(EVENTS, { run: null, from: 0, wait: false })
  await expect.poll(() => looked.mock.calls.length).toBe(2)
  expect(opened).toHaveBeenCalledOnce()
})

test('counts updates without a request to the directory, which only an open store asks', async () => {
  await stored('1.1.0', { automatic: false })
  await writeFile(join(profile, 'package.json'), JSON.stringify({ dependencies: { a: '^1.0.0', b: 'github:b/b' } }))
  const fetched = vi.spyOn(globalThis, 'fetch')
  const { openStore } = await vi.importActual<typeof import('./open-store.ts')>('./open-store.ts')
  const setUpdates = vi.fn()
  const store = openStore(
    { baseUrl: pathToFileURL(profile).href, get: () => undefined, on: () => {} } as unknown as Context,
    {
      name: 'plugmark',
      config: { api: 'http://127.0.0.1:9' },
      logger: { warn: console.warn } as never,
      events: { push: () => {}, setUpdates, hasPage: () => false },
      agents: () => null,
      others: () => [],
    },
  )
  await store.findUpdates()
  await store.close()
  expect(setUpdates).toHaveBeenCalledExactlyOnceWith(0)
  expect(fetched).not.toHaveBeenCalled()
  fetched.mockRestore()
})

const SIX_HOURS_MS = 6 * 60 * 60_000
test.each([
  ['an update was found', '1.1.0', {}, true],
  ['the last check is six hours old', '1.0.0', { ageMs: SIX_HOURS_MS }, true],
  ['the clock was set back since the last check', '1.0.0', { ageMs: -SIX_HOURS_MS }, true],
  ['nothing is newer', '1.0.0', {}, false],
  ['the user turned checks off', '1.0.0', { ageMs: SIX_HOURS_MS, automatic: false }, false],
  ['a retry of a failed check is due', '1.0.0', { ageMs: SIX_HOURS_MS / 12, failures: 2 }, true],
  ['a retry of a failed check is not due', '1.0.0', { ageMs: SIX_HOURS_MS / 12, failures: 3 }, false],
])('knows without the store whether there is anything to look for: %s', async (_, newest, given, isWorthIt) => {
  expect(await mayHaveUpdates(pathToFileURL(profile).href)).toBe(false)
  await stored(newest, given)
  expect(await mayHaveUpdates(pathToFileURL(profile).href)).toBe(isWorthIt)
})

test('loads the store for an unfinished job once the harness is up, and not before', async () => {
  await mkdir(join(profile, '.plugmark/jobs'), { recursive: true })
  const { isUp, ask } = aHarness()
  await ask(EVENTS, { run: null, from: 0, wait: false })
  expect(opened).not.toHaveBeenCalled()
  isUp()
  await expect.poll(() => opened.mock.calls.length).toBe(1)
})

test.each([
  ['another home', { config: { home: '~/elsewhere' } }],
  ['a tree without an address', { baseUrl: null }],
  ['a tree outside any home', { baseUrl: 'file:///by/hand/' }],
])('loads the store for %s, in which only the store can find a job', async (_, given) => {
  aHarness(given).isUp()
  await expect.poll(() => opened.mock.calls.length).toBe(1)
})

test('closes a loaded store when it is unloaded, and never opens it after that', async () => {
  const unload = async () => {
    for (const leave of leaving.splice(0)) await leave()
  }
  const used = aHarness()
  await used.ask('overview', {})
  await unload()
  expect(closed).toHaveBeenCalledOnce()
  opened.mockClear()
  vi.useFakeTimers()
  const unused = aHarness()
  await unload()
  vi.useRealTimers()
  await expect(unused.ask('overview', {})).rejects.toThrow('closed')
  expect(opened).not.toHaveBeenCalled()
})
