import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Job } from '../../protocol/index.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import { type HostOptions, readSettings } from '../settings.ts'
import { Configuration } from './configuration.ts'

let jobs: { readonly state: Job['state'] }[] = []
afterEach(() => {
  jobs = []
})
const settings = readSettings({ home: '/nowhere', env: { HOME: '/nowhere' } })
const queue = { jobs: () => jobs as unknown as Job[] }
const callsOf = (options: HostOptions, send?: typeof fetch) =>
  new Configuration({ options, settings, queue, fetch: send }).calls

/** Creates the calls over a configuration in memory. */
function aConfiguration(stored: Record<string, unknown> = {}, send?: typeof fetch) {
  const written: unknown[] = []
  const file = {
    path: '/home/me/patch.yml',
    read: async () => stored,
    write: async (configuration: object) => written.push(configuration) > 0,
  }
  return { calls: callsOf({ configuration: file }, send), written }
}
const settingOf = async ({ calls }: ReturnType<typeof aConfiguration>, name: string) => {
  const read = await calls.configuration({})
  if (!read.ok || read.value === null) throw new Error('There is none.')
  return read.value.settings.find((one) => one.name === name)
}

test('returns what can be changed on the screen, with its value, its default and its range', async () => {
  const one = aConfiguration({ timeLimit: 900, command: ['dsh'] })
  expect(await settingOf(one, 'timeLimit')).toMatchObject({
    type: 'number',
    min: 10,
    max: 86_400,
    default: 600,
    value: 900,
  })
  expect(await settingOf(one, 'api')).toMatchObject({ server: 'directory', isAddress: true, value: null })
  expect(await settingOf(one, 'command')).toBeUndefined()
  expect(await callsOf({}).configuration({})).toEqual({ ok: true, value: null })
})

test('stores a change with everything else, and unsets what is null', async () => {
  const { calls, written } = aConfiguration({ cli: 'dsh-2', trial: false, timeLimit: 900 })
  const values = { registry: 'https://packages.example', trial: null }
  expect(await calls.configure({ values })).toEqual({ ok: true, value: null })
  expect(written).toEqual([{ cli: 'dsh-2', timeLimit: 900, registry: 'https://packages.example' }])
})

test.each([
  [{ api: 'ftp://directory.example' }, 'directory address'],
  [{ registry: 'packages.example' }, 'package registry'],
  [{ proxy: 'https://proxy.example/?q' }, 'proxy'],
  [{ timeLimit: 5 }, '"timeLimit" must be a number of seconds'],
  [{ restart: 'https://' }, 'restarts the harness'],
])('refuses %j, and stores nothing', async (values, reason) => {
  const { calls, written } = aConfiguration()
  expect(await calls.configure({ values })).toMatchObject({
    ok: false,
    code: 'bad-setting',
    message: expect.stringContaining(reason),
  })
  expect(written).toEqual([])
})

test('says which file cannot be read or written when the settings are opened or stored', async () => {
  const damaged = async () => {
    throw new Error('cordis.patch.yml is not a list.')
  }
  const refused = {
    ok: false,
    code: 'profile-state',
    message:
      'The settings cannot be read from or stored in /home/me/patch.yml. Repair the file. cordis.patch.yml is not a list.',
  }
  const path = '/home/me/patch.yml'
  const unreadable = callsOf({ configuration: { path, read: damaged, write: damaged } })
  expect(await unreadable.configuration({})).toEqual(refused)
  expect(await unreadable.configure({ values: { trial: false } })).toEqual(refused)
  const unwritable = callsOf({ configuration: { path, read: async () => ({}), write: damaged } })
  expect(await unwritable.configure({ values: { trial: false } })).toEqual(refused)
})

test('finds out by one request if a server answers as it should', async () => {
  const asked: string[] = []
  const answers: Record<string, () => Response> = {
    'https://good.example/dir/api/v1/plugins?limit=1': () => Response.json({ results: [] }),
    'https://other.example/api/v1/plugins?limit=1': () => Response.json({ hello: 1 }),
  }
  const { calls } = aConfiguration({}, (async (url: URL) => {
    asked.push(url.href)
    return answers[url.href]?.() ?? new Response('no', { status: 502 })
  }) as typeof fetch)
  const check = async (server: 'directory' | 'registry', address: string) => {
    const answer = await calls.checkServer({ server, address })
    return answer.ok && answer.value
  }
  expect(await check('directory', 'https://good.example/dir/')).toBe(true)
  expect(await check('directory', 'https://other.example')).toBe(false)
  expect(asked).toHaveLength(2)
  const registry = await startRegistryForTests({ '-/ping': { file: {} } })
  expect(await check('registry', registry.url)).toBe(true)
  expect(await check('registry', `${registry.url}/gone`)).toBe(false)
  await registry.close()
  expect(await check('registry', registry.url)).toBe(false)
  expect(await check('registry', 'no address')).toBe(false)
})

test('asks no server for a page of a shell that has a form of its own', async () => {
  let isAsked = false
  const send = async () => {
    isAsked = true
    return Response.json({})
  }
  const { checkServer } = callsOf({}, send)
  const answer = await checkServer({ server: 'registry', address: 'https://packages.example' })
  expect(answer).toMatchObject({ ok: false, code: 'bad-setting' })
  expect(isAsked).toBe(false)
})

test('asks a registry through the proxy of the same form, as an install would', async () => {
  const asked: (string | undefined)[] = []
  const proxy = createServer(({ url }, response) => {
    asked.push(url)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { calls } = aConfiguration()
  const address = 'http://packages.example'
  const through = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  expect(await calls.checkServer({ server: 'registry', address, proxy: through })).toEqual({ ok: true, value: true })
  expect(asked).toEqual(['http://packages.example/-/ping'])
  proxy.closeAllConnections()
  proxy.close()
})

test('stores nothing while a job runs, which the reload of the store would cancel', async () => {
  const { calls, written } = aConfiguration()
  jobs = [{ state: 'done' }, { state: 'running' }]
  expect(await calls.configure({ values: { trial: false } })).toMatchObject({ ok: false, code: 'job-running' })
  expect(written).toEqual([])
  jobs = [{ state: 'done' }]
  expect(await calls.configure({ values: { trial: false } })).toMatchObject({ ok: true })
})
