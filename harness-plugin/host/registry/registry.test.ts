import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readNetworkSettings } from './network.ts'
import { Registry } from './registry.ts'
import { type RegistryForTests, startRegistryForTests } from './testing.ts'

let folder: string
let registry: RegistryForTests
const signal = new AbortController().signal
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-registry-'))
  await mkdir(join(folder, 'profile'))
  registry = await startRegistryForTests({ some: { '1.0.0': {} }, '@acme/kit': { '2.0.0': {} } })
})
afterEach(async () => {
  await registry.close()
  await rm(folder, { recursive: true })
})

const place = (file: string, text: string) => writeFile(join(folder, file), text)
const env = (more: Readonly<Record<string, string>> = {}) => ({ HOME: folder, ...more })
const settings = (more?: Readonly<Record<string, string>>) => readNetworkSettings(join(folder, 'profile'), env(more))

describe('network settings', () => {
  test('prefer the registry of a scope and its token in the profile to those of the user', async () => {
    await place('.npmrc', 'registry=https://user.example/\n@acme:registry=https://user.example/acme\n')
    await place(
      'profile/.npmrc',
      '@acme:registry=https://acme.example/npm/\n//acme.example/npm/:_authToken=secret\n//user.example/:_auth=bWU6aXQ=\n',
    )
    const { registryOf, authorizationFor } = await settings()
    expect([registryOf('@acme/kit'), registryOf('some')]).toEqual([
      'https://acme.example/npm/',
      'https://user.example/',
    ])
    expect(authorizationFor('https://acme.example/npm/@acme%2fkit')).toBe('Bearer secret')
    expect(authorizationFor('https://user.example/some')).toBe('Basic bWU6aXQ=')
    expect(authorizationFor('https://other.example/some')).toBeNull()
  })

  test('put variables into the settings of the user, and into no address or credential of a profile, as pnpm does', async () => {
    await place('.npmrc', `//user.example/:_authToken=\${TOKEN}\n`)
    await place(
      'profile/.npmrc',
      `registry=https://profile.example/\n@acme:registry=https://\${HOST}/\n//profile.example/:_authToken=\${TOKEN}\nproxy=http://\${HOST}\nca=\${CA}\n"regist\\u0072y"=https://\${TOKEN}.example/\n`,
    )
    const variables = { TOKEN: 'secret', HOST: 'away.example', CA: 'ours' }
    const { registryOf, authorizationFor, proxyFor, ca } = await settings(variables)
    expect(authorizationFor('https://user.example/some')).toBe('Bearer secret')
    expect(authorizationFor('https://profile.example/some')).toBeNull()
    expect(registryOf('@acme/kit')).toBe('https://profile.example/')
    expect(proxyFor('https://away.example/')).toBeNull()
    expect(ca).toBe('ours')
  })

  test('network settings read certificates from a list, or from a file beside the .npmrc that names it', async () => {
    await place('ca.pem', 'of the user')
    await place('profile/ca.pem', 'of the profile')
    await place('.npmrc', 'cafile=./ca.pem\n')
    expect((await settings()).ca).toBe('of the user')
    await place('profile/.npmrc', 'cafile=ca.pem\n')
    expect((await settings()).ca).toBe('of the profile')
    await place('.npmrc', '')
    await place('profile/.npmrc', 'ca[]=one\nca[]=two\n')
    expect((await settings()).ca).toBe('one\ntwo')
  })

  test('network settings give credentials without a registry to the default registry of their file only, as pnpm does', async () => {
    await place('.npmrc', 'registry=https://user.example/npm/\n_auth=bWU6aXQ=\n')
    await place('profile/.npmrc', '@acme:registry=https://acme.example/\n')
    const { authorizationFor } = await settings()
    expect(authorizationFor('https://user.example/npm/some')).toBe('Basic bWU6aXQ=')
    expect(authorizationFor('https://user.example/other/some')).toBeNull()
    expect(authorizationFor('https://acme.example/@acme%2fkit')).toBeNull()
    expect(authorizationFor('https://files.example/some.tgz')).toBeNull()
    await place('.npmrc', '_authToken=secret\n')
    await place('profile/.npmrc', 'registry=https://profile.example/\n')
    const { authorizationFor: another, registryOf } = await settings()
    expect(another(registryOf('some'))).toBeNull()
  })

  test('network settings send no credentials without encryption to a host whose registry has it', async () => {
    await place('.npmrc', 'registry=https://a.example/\n//a.example/:_authToken=secret\n')
    await place('profile/.npmrc', '@acme:registry=http://b.example/\n//b.example/:_authToken=secret\n')
    const { authorizationFor } = await settings()
    expect(authorizationFor('https://a.example/some')).toBe('Bearer secret')
    expect(authorizationFor('http://a.example/some')).toBeNull()
    expect(authorizationFor('http://b.example/some')).toBe('Bearer secret')
  })

  test('let pnpm-workspace.yaml and then the environment win', async () => {
    await place('profile/.npmrc', 'registry=https://profile.example/\n')
    await place(
      'profile/pnpm-workspace.yaml',
      "registries:\n  default: https://new.example/\n  '@acme': https://acme.example/\n",
    )
    expect((await settings()).registryOf('some')).toBe('https://new.example/')
    expect((await settings()).registryOf('@acme/kit')).toBe('https://acme.example/')
    const { registryOf } = await settings({ pnpm_config_registry: 'https://env.example/' })
    expect(registryOf('some')).toBe('https://env.example/')
  })

  test('network settings give the proxy of an address, and none for excluded hosts', async () => {
    await place('profile/.npmrc', 'https-proxy=http://proxy.example:8080\nnoproxy=near.example, 127.0.0.1\n')
    const { proxyFor } = await settings({ http_proxy: 'http://plain.example' })
    expect(proxyFor('https://far.example/')).toBe('http://proxy.example:8080')
    expect(proxyFor('https://very.near.example/')).toBeNull()
    expect(proxyFor('http://127.0.0.1:4873/')).toBeNull()
  })
})

test('requests a scoped package by the abbreviated document', async () => {
  await place('profile/.npmrc', `registry=${registry.url}\n`)
  const answer = await new Registry(join(folder, 'profile'), env()).package('@acme/kit', { signal })
  expect(answer).toMatchObject({ state: 'read', document: { name: '@acme/kit', latest: '2.0.0' } })
  expect(registry.requests[0]?.headers.accept).toContain('application/vnd.npm.install-v1+json')
})

test.for([
  ['http://127.0.0.1:4873/', false],
  ['http://localhost/', false],
  ['http://[::1]/', false],
  ['http://[::ffff:10.0.0.1]/', false],
  ['http://169.254.169.254/', false],
  ['http://192.168.1.1/', false],
  ['https://93.184.215.14/', true],
  ['https://[2606:2800::1]/', true],
] as const)(
  'let a registry name the address %s: %s, and any beside a registry of the own network',
  async ([url, may]) => {
    await place('profile/.npmrc', 'registry=http://93.184.215.14/\n')
    expect(await (await settings()).mayName(new URL(url))).toBe(may)
    await place('profile/.npmrc', 'registry=http://10.1.1.1/\n')
    expect(await (await settings()).mayName(new URL(url))).toBe(true)
  },
)

test.for(['package', 'keys'] as const)('follows no redirect to the own machine: %s', async (call) => {
  const seen: string[] = []
  const proxy = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.writeHead(302, { location: `${registry.url}/some` }).end()
  })
  const port = await listen(proxy)
  await place('profile/.npmrc', `registry=http://far.example/\nproxy=http://127.0.0.1:${port}\nnoproxy=127.0.0.1\n`)
  const answer = await new Registry(join(folder, 'profile'), env())[call]('some', { signal })
  expect([answer.state, seen.length, registry.requests]).toEqual(['unreachable', 1, []])
  proxy.closeAllConnections()
  proxy.close()
})

test('sends requests through the proxy', async () => {
  const seen: string[] = []
  const proxy = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"x"}')
  })
  const port = await listen(proxy)
  await place('profile/.npmrc', `registry=http://far.example/\nproxy=http://127.0.0.1:${port}\n`)
  const answer = await new Registry(join(folder, 'profile'), env()).file('http://far.example/x', { signal })
  expect(answer).toMatchObject({ state: 'read', document: { name: 'x' } })
  expect(seen).toEqual(['http://far.example/x'])
  proxy.closeAllConnections()
  proxy.close()
})

test('follows a redirect without sending the credentials to another host', async () => {
  const from = createServer((_, response) => {
    response.writeHead(302, { location: `${registry.url}/some` }).end()
  })
  const port = await listen(from)
  await place('profile/.npmrc', `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=secret\n`)
  const answer = await new Registry(join(folder, 'profile'), env()).package('some', { signal })
  expect(answer).toMatchObject({ state: 'read' })
  expect(registry.requests[0]?.headers.authorization).toBeUndefined()
  from.closeAllConnections()
  from.close()
})

test('does not send the names of packages to another server that a redirect names', async () => {
  let asked = 0
  const from = createServer((_, response) => {
    asked++
    response.writeHead(307, { location: `${registry.url}/some` }).end()
  })
  const port = await listen(from)
  await place('profile/.npmrc', `registry=http://127.0.0.1:${port}/\n`)
  const answer = await new Registry(join(folder, 'profile'), env()).advisories({ some: ['1.0.0'] }, { signal })
  expect([answer.state, asked, registry.requests]).toEqual(['unreachable', 1, []])
  from.closeAllConnections()
  from.close()
})

test('distinguishes a missing package, a registry that is busy or down, and an answer of another form', async () => {
  await place('profile/.npmrc', `registry=${registry.url}\n`)
  const open = new Registry(join(folder, 'profile'), env())
  expect(await open.package('lost', { signal })).toMatchObject({ state: 'not-found' })
  registry.failNext({ status: 429 }, { status: 500 })
  expect(await open.package('some', { signal })).toEqual({ state: 'busy' })
  expect(await open.package('some', { signal })).toMatchObject({ state: 'unreachable' })
  registry.serve({ some: { file: { hello: 1 } } })
  expect(await open.package('some', { signal })).toMatchObject({ state: 'unreadable' })
})

test('reads no document of another package than was asked for', async () => {
  await place('profile/.npmrc', `registry=${registry.url}\n`)
  const other = { name: 'other', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': {} } }
  registry.serve({ some: { file: other } })
  expect(await new Registry(join(folder, 'profile'), env()).package('some', { signal })).toEqual({
    state: 'unreadable',
  })
})

test('asks no other server than the registry for its keys and statements', async () => {
  const from = createServer((request, response) => {
    response.writeHead(302, { location: `${registry.url}${request.url}` }).end()
  })
  await place('profile/.npmrc', `registry=http://127.0.0.1:${await listen(from)}/\n`)
  registry.serve({ '-/npm/v1/keys': { file: { keys: [] } }, '-/npm/v1/attestations/some@1.0.0': { file: {} } })
  const open = new Registry(join(folder, 'profile'), env())
  expect(await open.keys('some', { signal })).toEqual({ state: 'unreachable' })
  expect(await open.attestations('some', '1.0.0', { signal })).toEqual({ state: 'unreachable' })
  expect(registry.requests).toEqual([])
  from.closeAllConnections()
  from.close()
})

test('answers while the settings cannot be read, and reads them again for the next request', async () => {
  await place('profile/.npmrc', `registry=${registry.url}\n`)
  let hasHome = false
  const open = new Registry(join(folder, 'profile'), {
    get HOME() {
      if (!hasHome) throw new Error('This user has no home directory.')
      return folder
    },
  })
  expect(await open.package('some', { signal })).toEqual({ state: 'unreachable' })
  expect(await open.addressOf('some')).toBe('')
  expect(await open.file(`${registry.url}/some`, { signal })).toEqual({ state: 'unreachable' })
  hasHome = true
  expect(await open.package('some', { signal })).toMatchObject({ state: 'read' })
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('reads a document without times, repository, maintainers and signatures, as some registries send it', async () => {
  const bare = { name: 'bare', 'dist-tags': { latest: '1.1.0' }, versions: { '1.0.0': {}, '1.1.0': { dist: {} } } }
  registry.serve({ bare: { file: bare } })
  const directory = join(folder, 'profile')
  const answer = await new Registry(directory, { HOME: folder, npm_config_registry: registry.url }).package('bare', {
    signal,
    withTimes: true,
  })
  expect(answer).toMatchObject({ state: 'read', document: { latest: '1.1.0', modified: null, times: {} } })
})
