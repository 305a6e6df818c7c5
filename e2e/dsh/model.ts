import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the model does next: calls a tool, or says something and ends its turn. */
export type Turn = { readonly call: string; readonly with: unknown } | { readonly say: string }

/** A request as the harness sent it, as far as these tests look at it. */
interface ModelRequest {
  readonly tools?: readonly { readonly function: { readonly name: string; readonly description: string } }[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** A model that says what a test tells it to, in the protocol of the harness's own provider. */
export interface Model {
  /** Environment of a harness that is to use it. */
  readonly env: Readonly<Record<string, string>>
  /** What it is to do in the next turns. */
  plan(...turns: readonly Turn[]): void
  /** What it was asked for since the plan was made. */
  readonly requests: readonly ModelRequest[]
  /** Resolves when the plan was carried out. @returns what each of its tools answered */
  answers(): Promise<unknown[]>
  close(): Promise<void>
}

export async function startModel(): Promise<Model> {
  let turns: Turn[] = []
  let requests: ModelRequest[] = []
  let done = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body: ModelRequest = JSON.parse(text)
    // A title for the conversation is asked for without tools.
    const turn = body.tools ? turns.shift() : { say: 'A title' }
    if (body.tools) requests.push(body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunksOf(turn ?? { say: 'Nothing is planned.' })) response.write(`data: ${chunk}\n\n`)
    response.end('data: [DONE]\n\n')
    if (body.tools && turns.length === 0) done.resolve()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: { DEEPSEEK_BASE_URL: url, DEEPSEEK_API_KEY: 'sk-of-a-test' },
    plan(...planned) {
      turns = [...planned, { say: 'That is all.' }]
      requests = []
      done = Promise.withResolvers()
    },
    get requests() {
      return requests
    },
    async answers() {
      await done.promise
      const last = requests.at(-1)?.messages ?? []
      return last.slice(last.findLastIndex(({ role }) => role === 'user')).flatMap(answerOf)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** JSON where it is that; else the text, as of the harness's own errors. */
function answerOf({ role, content }: ModelRequest['messages'][number]): unknown[] {
  if (role !== 'tool' || typeof content !== 'string') return []
  try {
    return [JSON.parse(content)]
  } catch {
    return [content]
  }
}

function chunksOf(turn: Turn): string[] {
  const chunk = (delta: object, finish: string | null) =>
    JSON.stringify({
      id: 'chunk',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  if ('say' in turn) return [chunk({ role: 'assistant', content: turn.say }, null), chunk({}, 'stop')]
  const call = { name: turn.call, arguments: JSON.stringify(turn.with) }
  const id = `call_${crypto.randomUUID()}`
  return [
    chunk({ role: 'assistant', tool_calls: [{ index: 0, id, type: 'function', function: call }] }, null),
    chunk({}, 'tool_calls'),
  ]
}
