import { type IncomingHttpHeaders, request } from 'node:http'
import { type MockServer, startMockServer } from '@plugmark/mock-api/node'
import type { Home } from '../harness/home.ts'
import { type Harness, startHarness } from '../harness/running.ts'
import { callStore } from './rpc.ts'
import { expect, STORE, storeHome, test } from './test.ts'

const ID = 'lanternworks/dsh-plugin-harbor-notes'
const OTHER = 'lanternworks/dsh-plugin-tide-table'

interface Answer {
  readonly ok: boolean
  readonly code?: string
  readonly value?: { readonly token?: string; readonly id?: string; readonly jobs?: readonly unknown[] }
}

// No test leaves a plugin behind, so one harness does for all.
test.describe.configure({ mode: 'default' })

let api: MockServer
let home: Home
let harness: Harness
test.beforeAll(async ({ registry, tarball, harnessVersion }) => {
  api = await startMockServer()
  home = await storeHome({ registry, tarball, harnessVersion }, { api: api.url, trial: false })
  harness = await startHarness(home)
})
test.afterAll(async () => {
  // Whatever came in, it is alive, and ends well.
  expect(await harness.close()).toBe(0)
  await Promise.all([home.dispose(), api.close()])
})

const ask = async (call: string, input: unknown) => (await callStore(harness, call, input)).value as Answer
const review = (id: string) => ask('review', { id, profile: 'web', action: 'install' })
const tokenOf = async (id: string) => (await review(id)).value?.token ?? ''
const codes = (answers: readonly Answer[]) => answers.map(({ ok, code }) => code ?? ok)

async function expectUntouched(): Promise<void> {
  expect(await ask('overview', {})).toMatchObject({ ok: true, value: { jobs: [] } })
  expect((await home.bundles()).filter((name) => !name.startsWith('@deepseek-ai/'))).toEqual([STORE])
}

/** Sends a message with just these headers: what `fetch` is asked to send in their place, it leaves out. */
async function send(headers: IncomingHttpHeaders, { method = 'POST', call = 'overview' } = {}): Promise<number> {
  const { hostname, port } = new URL(harness.url)
  const body = JSON.stringify({ type: 'client-request', rpcId: 'x', method: call, payload: {} })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request({ hostname, port, method, path: `/plugmark/${call}`, headers }, (response) => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
    .on('error', reject)
    .end(method === 'POST' ? body : '')
  return promise
}

test('what does not come from the harness’s own page on this machine is refused', async () => {
  const { host } = new URL(harness.url)
  const own = { host, origin: harness.url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  expect(await send(own)).toBe(200)
  const refused: Record<string, IncomingHttpHeaders> = {
    'a rebound name': { ...own, host: 'evil.example', origin: 'http://evil.example' },
    'a name that starts like this machine’s': { ...own, host: '127.0.0.1.evil.example' },
    'a foreign Host': { ...own, host: 'evil.example' },
    'a foreign Origin': { ...own, origin: 'https://evil.example' },
    'another port': { ...own, origin: 'http://127.0.0.1:1' },
    'an opaque Origin': { ...own, origin: 'null' },
    'a cross-site page': { ...own, 'sec-fetch-site': 'cross-site' },
    'a cross-site page without Origin': { host, 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
  }
  for (const [what, headers] of Object.entries(refused)) expect(await send(headers), what).toBe(403)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])
    expect(await send({ ...own, 'content-type': type }), type).toBe(415)
  const { 'content-type': _, ...untyped } = own
  expect(await send(untyped)).toBe(415)
  for (const method of ['GET', 'PUT', 'OPTIONS']) expect(await send(own, { method }), method).toBe(404)
})

test('a page of another origin gets nothing done', async ({ page }) => {
  const token = await tokenOf(ID)
  await page.goto(`${api.url}/api/v1/index`)
  const tried = await page.evaluate(
    async ([url, input]) => {
      const body = JSON.stringify({ type: 'client-request', rpcId: 'x', method: 'start', payload: input })
      const json = { 'content-type': 'application/json' }
      const ways: RequestInit[] = [{ headers: json }, { headers: json, mode: 'no-cors' }, { mode: 'no-cors' }]
      const tries = ways.map((way) =>
        fetch(`${url}/plugmark/start`, { method: 'POST', body, ...way }).then(
          ({ type }) => type,
          () => 'refused',
        ),
      )
      return Promise.all(tries)
    },
    [harness.url, { id: ID, token, acknowledged: true }] as const,
  )
  expect(tried).toEqual(['refused', 'opaque', 'opaque'])
  await expectUntouched()
})

test('a token that is wrong, somebody else’s or none starts nothing, and a good one starts one thing once', async () => {
  const token = await tokenOf(ID)
  const start = (input: object) => ask('start', { id: ID, token, acknowledged: true, ...input })
  const forged = [
    await start({ token: 'A'.repeat(43) }),
    await start({ id: OTHER }),
    await start({ token: '' }),
    await start({ token: `${token}A` }),
    await start({ command: 'sh' }),
    await start({ profile: 'other' }),
    await start({ action: 'remove' }),
  ]
  expect(codes(forged)).toEqual(['bad-token', 'bad-token', ...Array(5).fill('malformed')])
  await expectUntouched()

  const [first, ...again] = await Promise.all([start({}), start({}), start({})])
  expect(codes([first!, ...again])).toEqual([true, 'bad-token', 'bad-token'])
  await ask('cancel', { job: first?.value?.id })
  await expect.poll(async () => (await ask('overview', {})).value?.jobs).toMatchObject([{ state: 'done' }])
  expect(codes([await start({})])).toEqual(['bad-token'])
})

test('frames that make no sense end nothing', async () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const message = (payload: string, call: string) =>
    `{"type":"client-request","rpcId":"x","method":"${call}","payload":${payload}}`
  const frames: Record<string, string> = {
    'a list': '[]',
    nothing: 'null',
    'a number': '5',
    'a key too many': `{"id":"${ID}","profile":"web","action":"install","command":"sh"}`,
    'a profile outside': `{"id":"${ID}","profile":"../../etc","action":"install"}`,
    'an option in an id': `{"id":"${ID} --force","profile":"web","action":"install"}`,
    __proto__: `{"__proto__":{"id":"${ID}","profile":"web","action":"install"}}`,
    constructor: `{"id":"${ID}","profile":"web","action":"install","constructor":{"prototype":{"ok":true}}}`,
    'an action that is a prototype’s': `{"id":"${ID}","profile":"web","action":"__proto__"}`,
    'two thousand levels': `{"id":${deep(2000)},"profile":"web","action":"install"}`,
    'a megabyte': `{"id":"a/${'x'.repeat(1_000_000)}","profile":"web","action":"install"}`,
  }
  for (const [what, payload] of Object.entries(frames)) {
    const { value } = await callStore(harness, 'review', {}, { body: message(payload, 'review') })
    expect(value, what).toMatchObject({ ok: false, code: 'malformed' })
  }
  for (const call of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'close'])
    expect(await ask(call, {}), call).toMatchObject({ ok: false, code: 'malformed' })
  for (const body of ['{"type":', 'null', '[]', message('{}', 'start')])
    expect((await callStore(harness, 'overview', {}, { body })).value, body).toBeNull()
  expect(harness.isAlive()).toBe(true)
  expect(await review(ID)).toMatchObject({ ok: true })
})
