import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Home } from '../harness/home.ts'

/** A question to an editor: the arguments of the call, which it shows, and the possible answers. */
export interface PermissionRequest {
  readonly rawInput: unknown
  readonly options: readonly string[]
}

/** An editor that talks to the harness over the Agent Client Protocol, on standard input and output. */
export interface Editor {
  /** Sends a message of the user. Resolves when the turn ends. */
  prompt(text: string): Promise<void>
  /** Questions so far. */
  readonly asked: readonly PermissionRequest[]
  close(): Promise<void>
}

type Json = Readonly<Record<string, unknown>>

/** Starts an editor. @param answer returns the option that the user chooses */
export async function startEditor(
  { home, command, env, profile }: Home,
  answer: (request: PermissionRequest) => 'allow-once' | 'reject-once',
): Promise<Editor> {
  const [program = '', ...leading] = command
  const harness = spawn(program, [...leading, '--profile', profile], { cwd: home, env, stdio: 'pipe' })
  let log = ''
  harness.stderr.on('data', (chunk) => (log += chunk))
  const send = (message: Json) => harness.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const waiting = new Map<number, PromiseWithResolvers<Json>>()
  harness.once('close', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The harness ended with ${code}:\n${log}`))
  })
  const call = async (method: string, params: Json): Promise<Json> => {
    const id = waiting.size + 1
    const answered = Promise.withResolvers<Json>()
    waiting.set(id, answered)
    send({ id, method, params })
    return answered.promise
  }

  const inputs = new Map<string, unknown>()
  const asked: PermissionRequest[] = []
  /** Answers a request of the harness to its client. */
  function receive({ id, method, params }: { id?: number; method: string; params: Json }): void {
    if (method === 'session/update') {
      const { toolCallId, rawInput } = params.update as { toolCallId?: string; rawInput?: unknown }
      if (toolCallId !== undefined && rawInput !== undefined) inputs.set(toolCallId, rawInput)
    }
    if (method !== 'session/request_permission') return
    const { toolCall, options } = params as { toolCall: Json; options: { optionId: string }[] }
    const request = {
      rawInput: toolCall.rawInput ?? inputs.get(`${toolCall.toolCallId}`),
      options: options.map(({ optionId }) => optionId),
    }
    asked.push(request)
    send({ id, result: { outcome: { outcome: 'selected', optionId: answer(request) } } })
  }
  createInterface({ input: harness.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    if (message.method !== undefined) return receive(message)
    const { resolve, reject } = waiting.get(message.id) ?? Promise.withResolvers<Json>()
    if (message.error) reject(new Error(JSON.stringify(message.error)))
    else resolve(message.result)
  })

  await call('initialize', { protocolVersion: 1, clientCapabilities: {} })
  const { sessionId } = await call('session/new', { cwd: home, mcpServers: [] })
  return {
    asked,
    async prompt(text) {
      await call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
    },
    close: () => endOf(harness),
  }
}

/** Closes the connection, which ends the harness. */
async function endOf(harness: ChildProcess): Promise<void> {
  if (harness.exitCode !== null || harness.signalCode !== null) return
  const closed = once(harness, 'close')
  harness.stdin?.end()
  await closed
}
