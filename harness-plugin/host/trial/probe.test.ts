import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { placeProbe, readReport } from './probe.ts'

const FRAME_PATH = '/plugmark-trial-1'
let home: string
let server: Server
let port: number
/** Lists the commands of the harness: its own, and while it runs, those of the plugin on trial. */
let commands: { readonly name: string }[]
let tools: typeof commands
const unload = () => {
  commands = commands.filter(({ name }) => name === 'export')
  tools = []
}
const leaving: (() => void)[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugmark-probe-'))
  await placeProbe(home, FRAME_PATH, [])
  let handler: RequestListener = () => {}
  server = createServer((...call) => handler(...call)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  const webServer = { port, register: (route: { handler: RequestListener }) => (handler = route.handler) }
  commands = ['export', 'harbor-note', '/not a name', 'x'.repeat(99)].map((name) => ({ name }))
  tools = [{ name: 'harbor_read' }]
  const loader = {
    entries: () => [
      { options: { name: 'a' }, fiber: { state: 2, dispose: () => expect.fail('It is not on trial.') } },
      { options: { id: 'notes', name: 'b' }, fiber: { state: 2, dispose: async () => unload() } },
    ],
  }
  const broken = {
    schemas: () => tools,
    get register() {
      throw new Error('cannot get property "register" without inject')
    },
  }
  const ctx = {
    loader,
    webServer,
    get: (service: string) =>
      ({
        loader,
        webServer,
        tools: broken,
        commands: { list: () => commands },
        connection: { authenticatedUrl: (url: string) => `${url}?token=t` },
      })[service],
    inject: (_: unknown, callback: (ctx: unknown) => void) => callback(ctx),
    effect: (execute: () => unknown) => {
      const leave = execute()
      if (leave !== handler) leaving.push(leave as () => void)
    },
  }
  const { apply } = await import(/* @vite-ignore */ pathToFileURL(join(home, 'probe.mjs')).href)
  apply(ctx)
})
afterEach(async () => {
  for (const leave of leaving.splice(0)) leave()
  server.close()
  await rm(home, { recursive: true })
})

/** Sends a request to the frame's path. @returns the status */
async function send(method: 'GET' | 'POST', headers: Readonly<Record<string, string>>, body = ''): Promise<number> {
  const sent = request({ port, host: '127.0.0.1', path: FRAME_PATH, method, headers }).end(body)
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}
const own = () => ({ host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` })
const judged = (up: boolean) => JSON.stringify({ up, text: 'words' })
const screen = async () => (await readReport(home))?.screen

test('shows the frame’s own page, accepts its report, and keeps the first result', async () => {
  expect(await send('GET', { host: own().host })).toBe(200)
  expect(await send('POST', own(), judged(false))).toBe(200)
  expect(await send('POST', own(), judged(true))).toBe(200)
  await expect.poll(screen).toMatchObject({ opened: true, refused: false, up: false, text: 'words' })
})

test('accepts no report from another site or a rebound name, and none of another form', async () => {
  const rebound = { host: `evil.example:${port}`, origin: `http://evil.example:${port}` }
  expect(await send('GET', { host: rebound.host })).toBe(403)
  expect(await send('POST', rebound, judged(true))).toBe(403)
  expect(await send('POST', { ...own(), origin: 'https://evil.example' }, judged(true))).toBe(403)
  expect(await send('POST', { host: own().host }, judged(true))).toBe(403)
  expect(await send('POST', own(), '{')).toBe(200)
  expect(await send('POST', own(), '{"up":"yes"}')).toBe(200)
  // This report is accepted after all of the refused ones.
  expect(await send('POST', own(), JSON.stringify({ up: true, text: 'last' }))).toBe(200)
  await expect.poll(screen).toMatchObject({ opened: false, refused: false, up: true, text: 'last' })
})

test('keeps the pages of Settings that the page reports, and none of another form', async () => {
  const settings = [{ label: 'Tides', code: ["() => 'Tides'"] }]
  expect(await send('POST', own(), JSON.stringify({ up: true, text: '', settings }))).toBe(200)
  await expect.poll(screen).toMatchObject({ up: true, settings })
  expect(await send('POST', own(), JSON.stringify({ up: true, text: '', settings: 'Tides' }))).toBe(200)
  await expect.poll(screen).toMatchObject({ up: true, settings })
})

test('opens the frame under the host name of its page when the harness needs a token', async () => {
  for (const name of ['127.0.0.1', 'localhost']) {
    const sent = request({ port, host: '127.0.0.1', path: FRAME_PATH, headers: { host: `${name}:${port}` } }).end()
    const [response] = await once(sent, 'response')
    expect(await text(response)).toContain(`frame.src = "http://${name}:${port}/?token=t"`)
  }
  await expect.poll(async () => (await readReport(home))?.entrance).toBe(`http://127.0.0.1:${port}/?token=t`)
})

test('gives no result when the harness refuses its page in a frame', async () => {
  expect(await send('POST', own(), JSON.stringify({ up: null, text: 'authentication required' }))).toBe(200)
  await expect.poll(screen).toMatchObject({ opened: false, refused: true, up: null, text: '' })
})

test('names the parts of the harness that the store relies on, without those that are missing or throw', async () => {
  await expect
    .poll(async () => (await readReport(home))?.parts)
    .toEqual(['loader.entries', 'webServer.register', 'connection.authenticatedUrl'])
})

test('names what is gone from the harness without the rows on trial, and no name that nobody could type', async () => {
  const adds = async () => (await readReport(home))?.adds
  await expect.poll(adds).toBeNull()
  await writeFile(join(home, 'withdraw.json'), '["notes"]')
  await expect.poll(adds).toEqual({ commands: ['harbor-note'], tools: ['harbor_read'] })
})

test('goes on when a report cannot be replaced, as while it is read on Windows', async () => {
  await expect.poll(() => readReport(home)).not.toBeNull()
  const report = join(home, 'report.json')
  await rm(report)
  // Nothing can be renamed to a folder that is not empty.
  await mkdir(join(report, 'in the way'), { recursive: true })
  const part = join(home, 'report.part')
  const writtenAt = async () => (await stat(part).catch(() => null))?.mtimeMs ?? 0
  const first = await writtenAt()
  await expect.poll(writtenAt).toBeGreaterThan(first)
  await rm(report, { recursive: true })
  await expect.poll(() => readReport(home)).not.toBeNull()
})

test('ends the harness when the store that started it is gone, where nothing else could find it', async () => {
  const host = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-probe-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await placeProbe(folder, FRAME_PATH, [], { host: host.pid! })
  const harness = `
    const { apply } = await import('./probe.mjs')
    const loader = { entries: () => [] }
    apply({ loader, get: () => undefined, inject() {}, effect: (execute) => execute() })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', harness], { cwd: folder, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await expect.poll(() => readReport(folder)).not.toBeNull()
  expect(child.exitCode).toBeNull()
  const ended = once(child, 'exit')
  host.kill('SIGKILL')
  expect(await ended).toEqual([1, null])
})
