import type { Client, Context } from 'koishi'
import { beforeEach, expect, test, vi } from 'vitest'
import type { HostOptions, StoreEvent } from '../host/index.ts'
import type { CallName } from '../protocol/index.ts'
import type { CallGuard } from '../protocol/protocol.ts'
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
    const serve = async (_: string, __: unknown, guard: CallGuard) => guard.check?.() ?? { ok: true, value: null }
    return {
      calls: {},
      serve,
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
  await vi.waitFor(() => expect(clients.own?.send).toHaveBeenCalledWith({ type: 'plugmark/event', body: EVENT }))
  expect(clients.foreign?.send).not.toHaveBeenCalled()
})

test('a page counts as open only while it may have the events of the store', async () => {
  start()
  await vi.waitFor(() => expect(created.options.hasPage?.()).toBe(true))
  intercept = async () => true
  created.tell(EVENT)
  await vi.waitFor(() => expect(created.options.hasPage?.()).toBe(false))
  expect(clients.own?.send).not.toHaveBeenCalled()
})

test('a plugin that fails to answer for a page does not end the console', async () => {
  const failure = new Error('no database')
  intercept = () => Promise.reject(failure)
  start()
  created.tell(EVENT)
  await vi.waitFor(() => expect(warnings).toContain(failure))
  expect(created.options.hasPage?.()).toBe(false)
})

test.each(['checkProfile', 'review', 'undo', 'configure'] as const)(
  'without a log-in where one is required, a page cannot call %s, but can read',
  async (call) => {
    start({ ...CONFIG, requireLogin: true })
    const ask = (name: CallName) => answers.get(callEvent(name))!.call(clients.own!, {})
    expect(await ask(call)).toMatchObject({ ok: false, code: 'login-required' })
    expect(await ask('installed')).toMatchObject({ ok: true })
    start()
    expect(await ask(call)).toMatchObject({ ok: true })
  },
)

test('the text above the form has no link, because a console with a path of its own would break it', () => {
  expect(usage).toMatch(/\w/)
  expect(usage).not.toMatch(/\]\(|<a\b|https?:|\/plugmark/)
})
