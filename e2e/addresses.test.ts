import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createStoreHost } from '@plugmark/harness-plugin/host'
import { aHome, aRecord, directoryOf } from '@plugmark/harness-plugin/host/testing'
import { buildUserscript } from '@plugmark/userscript/build'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const CLI = join(root, 'harness-plugin/cli/index.ts')
const DIRECTORY_TOOLS = join(root, 'mock-api/tools/cli.ts')

/** Hosts in the table of docs/configuration.md. */
async function documentedHosts(): Promise<string[]> {
  const text = await readFile(join(root, 'docs/configuration.md'), 'utf8')
  return [...text.matchAll(/^\| `([\w-]+(?:\.[\w-]+)+)` \|/gm)].map(([, host]) => host!)
}

let npmRegistry: Promise<string> | undefined
/** Returns the host of the registry that npm asks without any setting. */
const defaultRegistry = () => (npmRegistry ??= askNpm())
async function askNpm(): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_globalconfig: join(folder, 'none') }
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'], { cwd: folder, env })
  return new URL(stdout.trim()).host
}

/** Refuses every name but those of this machine, and writes it down: what does not go through the proxy. */
const RECORDER = `
const dns = require('node:dns')
const { appendFileSync } = require('node:fs')
const lookup = dns.lookup
dns.lookup = (name, options, callback = options) => {
  if (name === '127.0.0.1' || name === 'localhost') return lookup(name, options, callback)
  appendFileSync(process.env.RECORDED, name + '\\n')
  process.nextTick(callback, Object.assign(new Error('getaddrinfo ENOTFOUND ' + name), { code: 'ENOTFOUND' }))
}`

let folder: string
let proxied: Set<string>
let env: Record<string, string>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-addresses-'))
  proxied = new Set()
  const proxy = createServer((request, response) => {
    proxied.add(new URL(request.url!).hostname)
    response.writeHead(502).end()
  })
  proxy.on('connect', ({ url }, socket) => {
    proxied.add(url!.replace(/:443$/, ''))
    socket.on('error', () => {}).end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  await writeFile(join(folder, 'recorder.cjs'), RECORDER)
  await writeFile(join(folder, 'harness'), '#!/bin/sh\necho 0.2.1-rc.2', { mode: 0o755 })
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    LANG: 'C.UTF-8',
    npm_config_globalconfig: join(folder, 'none'),
    GIT_CONFIG_NOSYSTEM: '1',
    PLUGMARK_HARNESS: join(folder, 'harness'),
    HTTPS_PROXY: address,
    HTTP_PROXY: address,
    NO_PROXY: '127.0.0.1,localhost',
    NODE_USE_ENV_PROXY: '1',
    NODE_OPTIONS: `--require ${join(folder, 'recorder.cjs')}`,
    RECORDED: join(folder, 'recorded'),
  }
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs a client, whose exit code does not matter: nothing answers it. */
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch((error) => error)

/** Returns the hosts that were asked. @throws when one is not documented, or was asked past the proxy */
async function asked(): Promise<string[]> {
  expect(await readFile(join(folder, 'recorded'), 'utf8').catch(() => '')).toBe('')
  expect([...(await documentedHosts()), await defaultRegistry()]).toEqual(expect.arrayContaining([...proxied]))
  return [...proxied].toSorted()
}

const NPM = aRecord('acme/on-npm', { installCheck: 'passed' })
const GITHUB = aRecord('acme/on-github', { installCheck: 'passed', npmPackage: null })
const inIndex = ({ fullName, install, npmPackage }: typeof NPM) => [fullName, 'memory', install, null, npmPackage]
const CATALOGUE = {
  generated: '2026-11-27T12:00:00.000Z',
  count: 2,
  site: 'https://directory.example',
  fields: ['fullName', 'category', 'install', 'path', 'npm'],
  plugins: [inIndex(NPM), inIndex(GITHUB)],
}

/** Serves a directory with one plugin of the registry and one of the code host. */
async function startDirectory(): Promise<string> {
  const { fetch } = directoryOf([NPM, GITHUB])
  const server = createServer(async (request, response) => {
    const answer = await fetch(`https://directory.example${request.url}`)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the command line asks the directory, and about a plugin its registry or the code host', async () => {
  const [directory = ''] = await documentedHosts()
  await run(CLI, 'search', 'notes')
  expect(await asked()).toEqual([directory])

  proxied.clear()
  env.PLUGMARK_API = await startDirectory()
  const home = await aHome()
  onTestFinished(home.dispose)
  env.DSH_HOME = home.home
  await run(CLI, 'search', 'acme')
  expect(await asked()).toEqual([])
  await run(CLI, 'check', 'acme/on-npm', '--profile', 'web')
  expect(await asked()).toEqual([await defaultRegistry()])
  proxied.clear()
  await Promise.all(['acme/on-github', 'github:acme/not-listed'].map((id) => run(CLI, 'check', id, '--profile', 'web')))
  expect(await asked()).toContain('raw.githubusercontent.com')
})

test('the command line asks for what is installed the registry and the code host', async () => {
  env.PLUGMARK_API = await startDirectory()
  const home = await aHome()
  onTestFinished(home.dispose)
  env.DSH_HOME = home.home
  await writeFile(
    join(home.directory, 'package.json'),
    JSON.stringify({
      dependencies: { 'on-github': 'github:acme/on-github', 'on-npm': '^1.0.0' },
      dsh: { profile: { bundles: ['on-github', 'on-npm'] } },
    }),
  )
  await Promise.all([run(CLI, 'outdated', '--profile', 'web'), run(CLI, 'audit', '--profile', 'web')])
  expect(await asked()).toEqual(expect.arrayContaining(['github.com', await defaultRegistry()]))
})

test('the command line asks nobody else when a setting replaces the directory and the registry', async () => {
  env.PLUGMARK_API = await startDirectory()
  env.PLUGMARK_REGISTRY = env.PLUGMARK_API
  const home = await aHome()
  onTestFinished(home.dispose)
  env.DSH_HOME = home.home
  for (const command of ['show', 'check']) await run(CLI, command, 'acme/on-npm')
  expect(await asked()).toEqual([])
})

test('the store asks the registry and the code host for details of a plugin', async () => {
  const home = await aHome()
  onTestFinished(home.dispose)
  const { NODE_OPTIONS: _, ...proxies } = env
  const replaced = { fetch: directoryOf([NPM, GITHUB]).fetch, browser: null }
  const host = createStoreHost({ home: home.home, env: proxies }, replaced)
  onTestFinished(() => host.close())
  const profile = 'web'
  const language = 'en'
  for (const { fullName: id } of [NPM, GITHUB]) {
    await host.calls.versions({ id, profile })
    await host.calls.repositoryFacts({ id, profile })
    await host.calls.fit({ id, profile })
    for (const kind of ['readme', 'changes'] as const) await host.calls.repositoryText({ id, profile, kind, language })
  }
  await host.calls.repositoryPicture({ profile, url: 'https://raw.githubusercontent.com/acme/on-npm/HEAD/a.png' })
  await host.calls.repositoryPicture({ profile, url: 'https://elsewhere.example/a.png' })
  const hosts = ['api.github.com', 'github.com', 'raw.githubusercontent.com', await defaultRegistry()]
  expect(await asked()).toEqual(hosts.toSorted())
})

test('the directory tools ask only the address in their command, the registry and the code host', async () => {
  await writeFile(join(folder, 'catalogue.json'), JSON.stringify(CATALOGUE))
  const [directory = ''] = await documentedHosts()
  await run(DIRECTORY_TOOLS, 'verify', `https://${directory}`)
  expect(await asked()).toEqual([directory])

  proxied.clear()
  await run(DIRECTORY_TOOLS, 'index', '--catalogue', 'catalogue.json', '--icons', '--out', 'market.json')
  expect(await asked()).toEqual(['github.com', await defaultRegistry()].toSorted())

  proxied.clear()
  for (const command of ['export', 'worker'])
    await run(DIRECTORY_TOOLS, command, '--catalogue', 'catalogue.json', '--out', join(folder, command))
  expect(await asked()).toEqual([])
})

test('the userscript may connect to the directory alone, and loads nothing from elsewhere', async () => {
  const [directory = ''] = await documentedHosts()
  const { file } = await buildUserscript({ outDir: join(folder, 'built') })
  const script = await readFile(file, 'utf8')
  expect([...script.matchAll(/^\/\/ @connect\s+(.*)$/gm)].map(([, host]) => host)).toEqual([directory])
  expect(script).not.toMatch(/^\/\/ @(?:require|resource|updateURL|downloadURL)\b/m)
})
