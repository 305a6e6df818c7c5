import type { Client, Context } from 'koishi'
import { beforeEach, expect, test, vi } from 'vitest'
import type { HostOptions, StoreEvent } from '../host/index.ts'
import type { CallName } from '../protocol/index.ts'
import { callEvent } from './console-channel.ts'
import { apply, type Config, usage } from './index.ts'

// Koishi provides this module where the plugin runs.
vi.mock('koishi', () => {
  const node: object = new Proxy(() => node, { get: () => () => node })
  return { Schema: node }
})
const created = vi.hoisted(() => ({ options: {} as HostOptions, tell: (_: StoreEvent) => {} }))
vi.mock('../host/index.ts', async (original) => ({
  ...(await original<typeof import('../host/index.ts')>()),
  createStoreHost(options: HostOptions) {
    created.options = options
    return {
      calls: new Proxy({}, { get: () => async () => ({ ok: true, value: null }) }),
      close: async () => {},
      subscribe: (listener: typeof created.tell) => (created.tell = listener),
    }
  },
}))

const CONFIG = { allowedHosts: [], authority: 4, requireLogin: false } as unknown as Config
const EVENT = { type: 'profiles', profiles: [] } as const
const headers = { host: '127.0.0.1:5140', origin: 'http://127.0.0.1:5140' }

let clients: Record<string, Client>
let intercept: (client: Client) => Promise<boolean>
let warnings: unknown[]
const aClient = (id: string, request: object) =>
  ({ id, request: { headers, socket: { remoteAddress: '127.0.0.1' }, ...request }, send: vi.fn() }) as unknown as Client

beforeEach(() => {
  warnings = []
  intercept = async () => false
  clients = { own: aClient('own', {}), foreign: aClient('foreign', { headers: { ...headers, origin: 'http://evil' } }) }
})

const answers = new Map<string, (this: Client, ...args: unknown[]) => unknown>()
function start(config = CONFIG) {
  const ctx = {
    baseDir: '/nowhere',
    console: {
      clients,
      listeners: {},
      addListener: (event: string, answer: () => unknown) => answers.set(event, answer),
      addEntry: () => ({ refresh: () => {} }),
    },
    logger: () => ({ warn: (...told: unknown[]) => warnings.push(...told) }),
    get: () => undefined,
    inject: () => {},
    on: () => {},
    serial: (_: string, client: Client) => intercept(client),
  }
  apply(ctx as unknown as Context, config)
}

test('an event goes to the pages that may have it', async () => {
  start()
  created.tell(EVENT)
  await expect.poll(() => clients.own?.send).toHaveBeenCalledWith({ type: 'plugmark/event', body: EVENT })
  expect(clients.foreign?.send).not.toHaveBeenCalled()
})

test('a page counts as open only while it may have the events of the store', async () => {
  start()
  await expect.poll(() => created.options.hasPage?.()).toBe(true)
  intercept = async () => true
  created.tell(EVENT)
  await expect.poll(() => created.options.hasPage?.()).toBe(false)
  expect(clients.own?.send).not.toHaveBeenCalled()
})

test('a plugin that fails to answer for a page does not end the console', async () => {
  const failure = new Error('no database')
  intercept = () => Promise.reject(failure)
  start()
  created.tell(EVENT)
  await expect.poll(() => warnings).toContain(failure)
  expect(created.options.hasPage?.()).toBe(false)
})

const profile = 'web'
test.each<[CallName, object]>([
  ['checkProfile', { profile }],
  ['review', { id: 'a/good', profile, action: 'install' }],
  ['undo', { profile, change: crypto.randomUUID() }],
  ['configure', { values: {} }],
])('without a log-in where one is required, a page cannot call %s, but can read', async (call, input) => {
  start({ ...CONFIG, requireLogin: true })
  const ask = (name: CallName, input: object) => answers.get(callEvent(name))!.call(clients.own!, input)
  expect(await ask(call, input)).toMatchObject({ ok: false, code: 'login-required' })
  expect(await ask('installed', { profile })).toMatchObject({ ok: true })
  start()
  expect(await ask(call, input)).toMatchObject({ ok: true })
})

test('the text above the form has no link, because a console with a path of its own would break it', () => {
  expect(usage).toMatch(/\w/)
  expect(usage).not.toMatch(/\]\(|<a\b|https?:|\/plugmark/)
})
