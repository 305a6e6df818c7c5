import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Next action of the model: calls a tool, or says something and ends its turn. */
export type Turn = { readonly call: string; readonly with: unknown } | { readonly say: string }

/** Parts of the harness's request that these tests check. */
interface ModelRequest {
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  readonly messages: readonly Message[]
}

interface Message {
  readonly role: string
  readonly content: unknown
}

/**
 * A model that follows the plan of a test, in the protocol of the harness's own provider: Messages on 0.2, Chat
 * Completions before.
 */
export interface Model {
  /** Environment of a harness that uses the model. */
  readonly env: Readonly<Record<string, string>>
  /** Sets the actions of the next turns. */
  plan(...turns: readonly Turn[]): void
  /** Requests since the plan was set. */
  readonly requests: readonly ModelRequest[]
  /** Resolves when the plan is complete. @returns the answer of each tool */
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
    const protocol = request.url?.endsWith('/messages') ? messages : completions
    const body = protocol.read(JSON.parse(text))
    const isTurn = body.tools.length > 0
    // The harness requests a title for the conversation without tools.
    const turn = isTurn ? turns.shift() : { say: 'A title' }
    if (isTurn) requests.push(body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(protocol.stream(turn ?? { say: 'Nothing is planned.' }))
    if (isTurn && turns.length === 0) done.resolve()
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
      return last.slice(last.findLastIndex(isPrompt)).flatMap(answersIn).map(parsed)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Block {
  readonly type: string
  readonly content?: unknown
  readonly text?: string
}

const blocksOf = (content: unknown): readonly Block[] => (Array.isArray(content) ? content : [])
const isResult = ({ type }: Block) => type === 'tool_result'
/** Returns true for a user's prompt. Messages sends the answers of tools with the role of the user too. */
const isPrompt = ({ role, content }: Message) => role === 'user' && !blocksOf(content).some(isResult)

function answersIn({ role, content }: Message): string[] {
  if (role === 'tool') return [textOf(content)]
  return blocksOf(content)
    .filter(isResult)
    .map((block) => textOf(block.content))
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : blocksOf(content)
        .map(({ text = '' }) => text)
        .join('')

/** Parses JSON; returns any other text unchanged, such as the harness's own errors. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface Protocol {
  // biome-ignore lint/suspicious/noExplicitAny: what the harness sends is what is tested
  read(body: any): ModelRequest
  /** Renders the model's turn as server-sent events. */
  stream(turn: Turn): string
}

const newCallId = () => `call_${crypto.randomUUID().replaceAll('-', '')}`

const completions: Protocol = {
  read: ({ tools = [], messages }) => ({ tools: tools.map((tool: { function: object }) => tool.function), messages }),
  stream(turn) {
    const call = 'call' in turn && { name: turn.call, arguments: JSON.stringify(turn.with) }
    const delta = call
      ? { tool_calls: [{ index: 0, id: newCallId(), type: 'function', function: call }] }
      : { content: 'say' in turn && turn.say }
    const chunks = [
      { index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null },
      { index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop' },
    ].map((choice) => JSON.stringify({ id: 'chunk', object: 'chat.completion.chunk', choices: [choice] }))
    return [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
  },
}

const messages: Protocol = {
  read: ({ tools = [], messages }) => ({ tools, messages }),
  stream(turn) {
    const [block, delta, reason] =
      'call' in turn
        ? [
            { type: 'tool_use', id: newCallId(), name: turn.call, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(turn.with) },
            'tool_use',
          ]
        : [{ type: 'text', text: '' }, { type: 'text_delta', text: turn.say }, 'end_turn']
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = { id: 'message', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
    return [
      { type: 'message_start', message: { ...message, stop_sequence: null, usage } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('')
  },
}
