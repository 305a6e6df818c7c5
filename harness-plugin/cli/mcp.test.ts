import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, 'index.ts')

/** Starts the server of tools over a directory that never answers. */
async function startMcp() {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-mcp-'))
  const directory = createServer(() => {})
  directory.listen(0, '127.0.0.1')
  await once(directory, 'listening')
  const { port } = directory.address() as AddressInfo
  const env = { PATH: process.env.PATH, HOME: folder, LANG: 'C', PLUGMARK_API: `http://127.0.0.1:${port}` }
  const server = spawn(process.execPath, [PROGRAM, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    server.kill('SIGKILL')
    directory.closeAllConnections()
    directory.close()
    await rm(folder, { recursive: true, force: true })
  })
  // biome-ignore lint/suspicious/noExplicitAny: the test looks at ids and results
  const messages: any[] = []
  createInterface(server.stdout).on('line', (line) => messages.push(JSON.parse(line)))
  return {
    messages,
    send: (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    answerTo: (id: number) => expect.poll(() => messages.find((message) => message.id === id)).toBeTruthy(),
  }
}

test('reports nothing more of a call that the client cancels, and answers others', async () => {
  const { send, answerTo, messages } = await startMcp()
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  send({ id: 1, method: 'initialize', params: client })
  await answerTo(1)
  send({ method: 'notifications/initialized' })
  const call = (id: number, progressToken: string) =>
    send({
      id,
      method: 'tools/call',
      params: { name: 'plugmark_details', arguments: { id: 'a/good' }, _meta: { progressToken } },
    })
  const reports = (token: string) => messages.filter(({ params }) => params?.progressToken === token).length
  call(2, 'first')
  await expect.poll(() => reports('first')).toBeGreaterThan(1)
  send({ method: 'notifications/cancelled', params: { requestId: 2 } })
  send({ id: 3, method: 'ping' })
  await answerTo(3)
  const before = reports('first')
  // Another call waits for the same answer of the directory.
  call(4, 'second')
  await expect.poll(() => reports('second')).toBeGreaterThan(2)
  expect(reports('first')).toBe(before)
  expect(messages.map(({ id }) => id)).not.toContain(2)
})
