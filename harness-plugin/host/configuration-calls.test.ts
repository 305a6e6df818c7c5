import { expect, test } from 'vitest'
import { configurationCalls } from './configuration-calls.ts'

/** Creates the calls over a configuration in memory. */
function aConfiguration(stored: Record<string, unknown> = {}, send?: typeof fetch) {
  const written: unknown[] = []
  const file = {
    path: '/home/me/patch.yml',
    read: async () => stored,
    write: async (configuration: object) => void written.push(configuration),
  }
  return { calls: configurationCalls({ configuration: file, ...(send && { fetch: send }) }), written }
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
    range: { min: 10, max: 86_400 },
    default: 600,
    value: 900,
  })
  expect(await settingOf(one, 'api')).toMatchObject({ server: 'directory', isAddress: true, value: null })
  expect(await settingOf(one, 'command')).toBeUndefined()
  expect(await configurationCalls({}).configuration({})).toEqual({ ok: true, value: null })
})

test('stores a change with everything else, and unsets what is null', async () => {
  const { calls, written } = aConfiguration({ cli: 'dsh-2', trial: false, timeLimit: 900 })
  const values = { registry: 'https://packages.example', trial: null }
  expect(await calls.configure({ values })).toEqual({ ok: true, value: null })
  expect(written).toEqual([{ cli: 'dsh-2', timeLimit: 900, registry: 'https://packages.example' }])
})

test.each([
  [{ api: 'ftp://directory.example' }, 'API address'],
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

test('finds out by one request if a server answers as it should', async () => {
  const asked: string[] = []
  const answers: Record<string, () => Response> = {
    'https://good.example/dir/api/v1/plugins?limit=1': () => Response.json({ results: [] }),
    'https://other.example/api/v1/plugins?limit=1': () => Response.json({ hello: 1 }),
    'https://packages.example/-/ping': () => Response.json({}),
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
  expect(await check('registry', 'https://packages.example')).toBe(true)
  expect(await check('registry', 'https://gone.example')).toBe(false)
  expect(asked).toHaveLength(4)
  expect(await check('registry', 'no address')).toBe(false)
})

test('asks no server for a page of a shell that has a form of its own', async () => {
  let isAsked = false
  const send = async () => {
    isAsked = true
    return Response.json({})
  }
  const { checkServer } = configurationCalls({ fetch: send })
  const answer = await checkServer({ server: 'registry', address: 'https://packages.example' })
  expect(answer).toMatchObject({ ok: false, code: 'bad-setting' })
  expect(isAsked).toBe(false)
})
