import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallGuard } from '../host/index.ts'
import { withTimeout } from '../host/process/run.ts'
import type { Answer, HarnessUpgrade, Refusal, StoreEvent } from '../protocol/index.ts'
import { MAX_CALL_BYTES } from '../protocol/limits.ts'
import { ABOUT, type About, CHANNEL, EVENTS, type EventBatch, type EventsInput } from './harness-channel.ts'
import type { ConnectionContext, RpcHandler } from './harness-context.ts'

export interface PageStore {
  /** Hands a call to the host; null while the store is off. */
  readonly serve: ((call: string, argument: unknown, guard: CallGuard) => Promise<Answer<unknown>>) | null
  readonly about: () => About
}

/**
 * Serves the page: hands its calls to the host, and answers its requests for events. Uses the harness's own channels if
 * they work, otherwise a route. Both ensure that the caller is a page of this harness on this machine.
 *
 * @param given.open loads the store at the first call
 */
export function servePage(
  ctx: ConnectionContext,
  given: {
    readonly events: EventLog
    readonly open: () => Promise<PageStore>
    /** Called when a page asks for events; with true when that page was just opened. */
    readonly onPage: (isNew: boolean) => void
    readonly onFault: (error: unknown) => void
  },
): void {
  const { events, open, onPage, onFault } = given
  /** A refusal of the store is a value within a successful answer. */
  const answerOf = async (
    endpoint: string,
    payload: unknown,
    signal: AbortSignal,
  ): Promise<About | Answer<unknown>> => {
    if (endpoint === EVENTS) return answerEvents(events, payload, signal, onPage)
    const { serve, about } = await open()
    if (endpoint === ABOUT) return about()
    if (serve === null) return { ok: false, code: 'internal', message: about().problem ?? 'The store is off.' }
    return serve(endpoint, payload, { onFault })
  }
  const answer: RpcHandler = async (...call) => ({ ok: true, value: await answerOf(...call) })
  try {
    ctx.connection.rpc.handle(CHANNEL, answer, { authority: 'loopback' })
  } catch (error) {
    if (!ctx.connection.requestRejection) throw error
    serveRoute(ctx, CHANNEL, answer, onFault)
  }
}

/**
 * Serves a channel of the page's `connection.rpc.call` by a prefix route of our own, for harnesses whose `rpc.handle`
 * throws for every plugin (0.1.5 to 0.2.1). A route has no protection of its own: `requestRejection` checks the
 * harness's cookie, Host and Origin, but neither method nor content type.
 *
 * @throws Error when the harness has no `requestRejection`, or another plugin has the path
 */
export function serveRoute(
  ctx: ConnectionContext,
  channel: string,
  answer: RpcHandler,
  onFault: (error: unknown) => void,
): void {
  const { connection, webServer } = ctx
  if (typeof connection.requestRejection !== 'function') throw new Error('This harness cannot check who calls.')
  const handler = async (request: IncomingMessage, response: ServerResponse) => {
    // Do not use `?.` here: if the method disappeared, every request would pass.
    const rejection: unknown = connection.requestRejection!(request)
    if (rejection !== undefined) return end(response, rejection === 401 ? 401 : 403)
    if (request.method !== 'POST') return end(response, 405, { allow: 'POST' })
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) return end(response, 415)
    const body = await readBody(request)
    if (body === null) return end(response, 413)
    const call = parseCall(body)
    if (call === null || request.url !== `${channel}/${call.method}`) return end(response, 400)
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const result = await answer(call.method, call.payload, gone.signal)
    const reply = JSON.stringify({ type: 'server-response', rpcId: call.rpcId, result })
    end(response, 200, { 'content-type': 'application/json', 'cache-control': 'no-store' }, reply)
  }
  ctx.effect(
    () =>
      webServer.register({
        kind: 'prefix',
        path: channel,
        // An unhandled rejection ends the harness.
        handler: (request, response) =>
          void handler(request, response).catch((error: unknown) => {
            // A client that has left is no fault of ours.
            if (!response.destroyed) onFault(error)
            end(response, 500)
          }),
      }),
    'plugmark: route',
  )
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}, body?: string): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, headers).end(body)
}

/**
 * Reads all of a body, so that the answer is not lost in a reset connection, but keeps no more than the limit.
 *
 * @returns null for a longer body
 * @throws when the client disconnects meanwhile
 */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes <= MAX_CALL_BYTES) chunks.push(chunk)
  }
  return sizeBytes <= MAX_CALL_BYTES ? Buffer.concat(chunks).toString('utf8') : null
}

/** Parses a call. @returns null for any other body */
function parseCall(body: string): { rpcId: string; method: string; payload: unknown } | null {
  try {
    const { type, rpcId, method, payload } = JSON.parse(body)
    const isCall = type === 'client-request' && typeof rpcId === 'string' && typeof method === 'string'
    return isCall ? { rpcId, method, payload } : null
  } catch {
    return null
  }
}

// Events

/** Most events that are kept for later requests of pages. */
const KEPT = 1000
/** Time that a request waits for an event, in ms. Proxies and browsers give up after a minute or more. */
const WAIT_MS = 25_000
/**
 * Time after a request in which its page counts as open, in ms: hidden pages ask every two seconds while a job runs.
 */
const LATELY_MS = 10_000
/** Time to collect events before an answer, in ms, because lines of output come in bursts. */
const GATHER_MS = 40

/**
 * Parses a request by hand: it is needed from the start on, and the parser library is loaded later.
 *
 * @returns null for an invalid request
 */
function readEventsInput(frame: unknown): EventsInput | null {
  if (typeof frame !== 'object' || frame === null || Object.keys(frame).length !== 3) return null
  const { run, from, wait } = frame as Readonly<Record<string, unknown>>
  if (run !== null && typeof run !== 'string') return null
  if (typeof from !== 'number' || !Number.isInteger(from) || from < 0 || typeof wait !== 'boolean') return null
  return { run, from, wait }
}

/**
 * Creates a log of the host's events for long polling: the harness's connection carries the calls of a plugin's page,
 * but cannot push messages to it.
 */
export function createEventLog({ waitMs = WAIT_MS, gatherMs = GATHER_MS, now = () => performance.now() } = {}) {
  const run = randomUUID()
  /** Null where only a number changed, so that a page between two requests hears of it at once. */
  let events: (StoreEvent | null)[] = []
  /** Position of the first kept event. */
  let first = 0
  const waiting = new Set<() => void>()
  let askedAt = Number.NEGATIVE_INFINITY
  let upgrade: HarnessUpgrade | null = null
  let updates = 0
  const closed = new AbortController()
  const end = () => first + events.length
  const wake = () => {
    for (const resolve of waiting) resolve()
  }

  /** Resolves when there is an event, at the time limit, or when the request is aborted. */
  async function something(signal: AbortSignal): Promise<void> {
    const over = withTimeout(AbortSignal.any([signal, closed.signal]), waitMs)
    if (over.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    over.addEventListener('abort', () => resolve(), { once: true })
    waiting.add(resolve)
    await promise
    waiting.delete(resolve)
    if (!over.aborted) await new Promise((gathered) => setTimeout(gathered, gatherMs))
  }

  function add(event: StoreEvent | null): void {
    events.push(event)
    if (events.length > 2 * KEPT) {
      first += events.length - KEPT
      events = events.slice(-KEPT)
    }
    wake()
  }

  return {
    push(event: StoreEvent): void {
      if (event.type === 'upgrade') upgrade = event.upgrade
      add(event)
    },
    setUpdates(count: number): void {
      if (count === updates) return
      updates = count
      add(null)
    },
    hasPage: (): boolean => waiting.size > 0 || now() - askedAt < LATELY_MS,
    /** Returns the events since a position. @param signal aborted when the page closes the request */
    async read(input: EventsInput, signal: AbortSignal): Promise<EventBatch> {
      askedAt = now()
      if (input.run === null) return { run, next: end(), events: [], upgrade, updates, missed: false }
      const isKnown = () => input.run === run && input.from >= first && input.from <= end()
      if (isKnown() && input.wait && input.from === end()) await something(signal)
      if (!isKnown()) return { run, next: end(), events: [], upgrade, updates, missed: true }
      const later = events.slice(input.from - first).filter((event) => event !== null)
      return { run, next: end(), events: later, upgrade, updates, missed: false }
    },
    close(): void {
      closed.abort()
      wake()
    },
  }
}
export type EventLog = ReturnType<typeof createEventLog>

export async function answerEvents(
  log: EventLog,
  frame: unknown,
  signal: AbortSignal,
  onPage: (isNew: boolean) => void = () => {},
): Promise<Answer<EventBatch>> {
  const input = readEventsInput(frame)
  if (input) onPage(input.run === null)
  const refusal: Refusal = { ok: false, code: 'malformed', message: 'Not a request for events.' }
  return input ? { ok: true, value: await log.read(input, signal) } : refusal
}
