import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { type MockServer, startMockServer } from '@plugmark/mock-api/node'
import { type Home, STORE } from '../harness/home.ts'
import { callStore, type Harness, startHarness } from '../harness/running.ts'
import { outcomeOf, review } from '../store/test.ts'
import { openPage, openStore } from './screen.ts'
import { expect, storeHome, test } from './test.ts'

const ID = 'lanternworks/dsh-plugin-harbor-notes'
const OTHER = 'lanternworks/dsh-plugin-tide-table'

interface Answer {
  readonly ok: boolean
  readonly code?: string
  readonly value?: { readonly token?: string; readonly id?: string; readonly jobs?: readonly unknown[] }
}

// All tests share one harness: only the last one leaves a plugin behind.
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
  // The harness survives all requests and ends normally.
  expect(await harness.close()).toBe(0)
  await Promise.all([home.dispose(), api.close()])
})

const ask = async (call: string, input: unknown) => (await callStore(harness, call, input)).value as Answer
const reviewOf = (id: string) => ask('review', { id, profile: 'web', action: 'install' })
const tokenOf = async (id: string) => (await reviewOf(id)).value?.token ?? ''
const codes = (answers: readonly Answer[]) => answers.map(({ ok, code }) => code ?? ok)

async function expectUntouched(): Promise<void> {
  expect(await ask('overview', {})).toMatchObject({ ok: true, value: { jobs: [] } })
  expect((await home.bundles()).filter((name) => !name.startsWith('@deepseek-ai/'))).toEqual([STORE])
}

interface Forged {
  readonly method?: string
  readonly query?: string | undefined
  readonly input?: object
}

/** Requests an install with exactly these headers, which `fetch` would not send. */
async function forge(headers: IncomingHttpHeaders, { method = 'POST', query = '', input = {} }: Forged = {}) {
  const { hostname, port } = new URL(harness.url)
  const out = request({ hostname, port, method, path: `/plugmark/start${query}`, headers })
  out.end(method === 'POST' ? message(JSON.stringify(input), 'start') : '')
  const [response] = (await once(out, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += chunk
  // Every answer of our code has this envelope.
  expect(body).not.toContain('server-response')
  return response.statusCode
}

const message = (payload: string, call: string) =>
  `{"type":"client-request","rpcId":"x","method":"${call}","payload":${payload}}`

test('requests that do not come from the harness’s own page on this machine are refused', async ({
  harnessVersion,
}) => {
  const { host, port } = new URL(harness.url)
  const { cookie } = harness
  const own = { host, origin: harness.url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie }
  // The token is valid, so an accepted request would start an install.
  const input = { id: ID, token: await tokenOf(ID), acknowledged: true }
  const refused: Record<string, IncomingHttpHeaders> = {
    'a rebound name': { ...own, host: 'evil.example', origin: 'http://evil.example' },
    'a rebound name with our port': { ...own, host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
    'a name that starts like this machine’s': { ...own, host: '127.0.0.1.evil.example' },
    'a foreign Host': { ...own, host: 'evil.example' },
    'a foreign Origin': { ...own, origin: 'https://evil.example' },
    'another port': { ...own, origin: 'http://127.0.0.1:1' },
    'an opaque Origin': { ...own, origin: 'null' },
    'a cross-site page': { ...own, 'sec-fetch-site': 'cross-site' },
    'a cross-site page without Origin': { ...own, origin: undefined, 'sec-fetch-site': 'cross-site' },
  }
  for (const [what, headers] of Object.entries(refused)) {
    expect(await forge(sent(headers), { input }), what).toBe(403)
    expect(await forge(sent({ ...headers, cookie: undefined }), { input }), `${what}, without cookie`).toBe(403)
  }
  for (const [what, [headers, query]] of Object.entries(withoutCookie(own)))
    expect(await forge(sent(headers), { query, input }), what).toBe(401)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])
    expect(await forge({ ...own, 'content-type': type }, { input }), type).toBe(415)
  expect(await forge(sent({ ...own, 'content-type': undefined }), { input })).toBe(415)
  const another = harnessVersion === '0.1.0-rc.8' ? 404 : 405
  for (const method of ['GET', 'PUT', 'OPTIONS']) expect(await forge(own, { method, input }), method).toBe(another)
  await expectUntouched()
})

/** Returns requests without the harness's cookie, which exists since 0.1.2. */
function withoutCookie(own: IncomingHttpHeaders): Record<string, [headers: IncomingHttpHeaders, query?: string]> {
  const { port } = new URL(harness.url)
  const { cookie, address } = harness
  if (cookie === '') return {}
  const localhost = `localhost:${port}`
  return {
    'no cookie': [{ ...own, cookie: undefined }],
    'no cookie and no Origin': [{ ...own, cookie: undefined, origin: undefined }],
    'a cookie of another name': [{ ...own, cookie: cookie.replace('=', 'x=') }],
    'a tampered cookie': [{ ...own, cookie: cookie.replace(/.(?=....$)/, (letter) => (letter === 'A' ? 'B' : 'A')) }],
    'an empty cookie': [{ ...own, cookie: cookie.replace(/=.*/, '=') }],
    'the cookie under another name of this machine': [{ ...own, host: localhost, origin: `http://${localhost}` }],
    'the token in place of the cookie': [{ ...own, cookie: undefined }, new URL(address).search],
    'the token as the cookie': [{ ...own, cookie: cookie.replace(/=.*/, `=${new URL(address).search.slice(7)}`) }],
  }
}

/** Removes undefined headers, which Node rejects. */
const sent = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))

test('a page of another origin or port cannot start anything although the browser has the cookie', async ({ page }) => {
  const input = { id: ID, token: await tokenOf(ID), acknowledged: true }
  await openPage(page, harness)
  const { port } = new URL(api.url)
  for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
    await page.goto(`${origin}/api/v1/index`)
    const tried = await page.evaluate(
      async ([url, body]) => {
        const json = { 'content-type': 'application/json' }
        const ways: RequestInit[] = [{ headers: json }, { headers: json, mode: 'no-cors' }, { mode: 'no-cors' }]
        const tries = ways.map((way) =>
          fetch(`${url}/plugmark/start`, { method: 'POST', credentials: 'include', body, ...way }).then(
            ({ type }) => type,
            () => 'refused',
          ),
        )
        return Promise.all(tries)
      },
      [harness.url, message(JSON.stringify(input), 'start')] as const,
    )
    expect(tried, origin).toEqual(['refused', 'opaque', 'opaque'])
    const answered = page.waitForResponse(`${harness.url}/plugmark/start`)
    await page.evaluate(
      ([url, body]) => {
        document.body.innerHTML = `<iframe name="answer"></iframe>
          <form method="post" enctype="text/plain" target="answer" action="${url}/plugmark/start"><textarea></textarea></form>`
        const field = document.querySelector('textarea')!
        // A form sends `name=value`, so the equals sign is inside a JSON string.
        ;[field.name, field.value] = [body.slice(0, 35), body.slice(35)]
        document.querySelector('form')?.submit()
      },
      [harness.url, message(JSON.stringify(input), 'start')] as const,
    )
    expect((await answered).status(), `a form of ${origin}`).toBe(403)
  }
  await expectUntouched()
})

test('a wrong, foreign or missing token starts nothing, and a valid one starts one job once', async () => {
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

test('malformed frames do not end the harness', async ({ harnessVersion }) => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
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
    'eight thousand characters': `{"id":"a/${'x'.repeat(8_000)}","profile":"web","action":"install"}`,
  }
  for (const [what, payload] of Object.entries(frames)) {
    const { value } = await callStore(harness, 'review', {}, { body: message(payload, 'review') })
    expect(value, what).toMatchObject({ ok: false, code: 'malformed' })
  }
  for (const call of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'close'])
    expect(await ask(call, {}), call).toMatchObject({ ok: false, code: 'malformed' })
  // The harness's own channel answers these itself, with an error in another envelope or with 400.
  const isRoute = harnessVersion !== '0.1.0-rc.8'
  const refused = async (what: string, status: number, call: string, body: string) => {
    const reply = await callStore(harness, call, {}, { body })
    expect(reply.value, what).toBeNull()
    if (isRoute) expect(reply.status, what).toBe(status)
  }
  const noCalls = ['{"type":', '', 'null', '[]', '{}', message('{}', 'overview').replace('client-request', 'x')]
  for (const body of noCalls) await refused(body, 400, 'overview', body)
  await refused('a method that is not the path', 400, 'overview', message('{}', 'about'))
  await refused('a path that is not a call', 400, 'overview/x', message('{}', 'overview'))
  const megabyte = message(JSON.stringify({ id: 'x'.repeat(1_000_000) }), 'review')
  if (isRoute) await refused('a megabyte', 413, 'review', megabyte)
  else expect((await callStore(harness, 'review', {}, { body: megabyte })).value).toMatchObject({ code: 'malformed' })
  expect(harness.isAlive()).toBe(true)
  expect(await reviewOf(ID)).toMatchObject({ ok: true })
})

test('the harness’s own page gets answers and installs a plugin, and gets none without the cookie', {
  tag: ['@0.1.2', '@0.1.5'],
}, async ({ page }) => {
  await openPage(page, harness)
  const store = await openStore(page)
  const reading = async () => (await ask('listings', { from: 0 })).value
  await expect.poll(reading).toMatchObject({ status: { state: 'ready', failure: null } })
  if (harness.cookie !== '')
    expect(await callStore(harness, 'overview', {}, { headers: { cookie: '' } })).toEqual({ status: 401, value: null })
  await (await review(store, 'dsh-plugin-harbor-notes')).getByRole('button', { name: 'Install' }).click()
  await expect(
    outcomeOf(store.getByRole('region', { name: 'dsh-plugin-harbor-notes into profile web' })),
  ).toContainText('Installed')
  expect(await home.bundles()).toContain('dsh-plugin-harbor-notes')
})
