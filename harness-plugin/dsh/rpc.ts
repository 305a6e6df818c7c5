import { CALL_NAMES, type CallName, readFrame, refuse, type StoreHost, serve } from '../host/index.ts'
import { ABOUT, type About, CHANNEL, EVENTS } from './channel.ts'
import { type EventLog, EventsSchema } from './events.ts'
import type { ConnectionContext, RpcResult } from './harness.ts'

export interface Served {
  /** Null when the store is off. */
  readonly host: StoreHost | null
  readonly events: EventLog
  readonly about: () => About
  readonly onFault: (error: unknown) => void
}

/**
 * Answers the page over the harness's own connection, which sees to it that the caller is a page of this very harness
 * on this machine. Refusals of ours are values within a good answer, as the screen expects them.
 *
 * @throws Error when another plugin has the channel
 */
export function serveChannel(ctx: ConnectionContext, { host, events, about, onFault }: Served): void {
  ctx.connection.rpc.handle(CHANNEL, answer, { authority: 'loopback' })

  async function answer(endpoint: string, payload: unknown, signal: AbortSignal): Promise<RpcResult> {
    if (endpoint === ABOUT) return good(about())
    if (endpoint === EVENTS) {
      const input = readFrame(EventsSchema, payload)
      return good(input ? { ok: true, value: await events.read(input, signal) } : refuse('malformed', NO_CALL))
    }
    if (!isCall(endpoint)) return good(refuse('malformed', NO_CALL))
    if (!host) return good(refuse('internal', about().problem ?? 'The store is off.'))
    return good(await serve(host, endpoint, payload, { check: () => null, onFault }))
  }
}

const NO_CALL = 'The store has no such call.'
const isCall = (endpoint: string): endpoint is CallName => (CALL_NAMES as readonly string[]).includes(endpoint)
const good = (value: unknown): RpcResult => ({ ok: true, value })
