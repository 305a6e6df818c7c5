import { CALL_NAMES, type CallName, refuse, type StoreHost, serve } from '../host/index.ts'
import { ABOUT, type About } from './channel.ts'
import type { RpcHandler, RpcResult } from './harness.ts'

export interface Served {
  /** Null when the store is off. */
  readonly host: StoreHost | null
  readonly about: () => About
  readonly onFault: (error: unknown) => void
}

/**
 * Answers the page over the harness's own connection, which sees to it that the caller is a page of this very harness
 * on this machine. Refusals of ours are values within a good answer, as the screen expects them.
 */
export function answerPage({ host, about, onFault }: Served): RpcHandler {
  return async (endpoint, payload) => {
    if (endpoint === ABOUT) return good(about())
    if (!isCall(endpoint)) return good(refuse('malformed', 'The store has no such call.'))
    if (!host) return good(refuse('internal', about().problem ?? 'The store is off.'))
    return good(await serve(host, endpoint, payload, { check: () => null, onFault }))
  }
}

const isCall = (endpoint: string): endpoint is CallName => (CALL_NAMES as readonly string[]).includes(endpoint)
const good = (value: unknown): RpcResult => ({ ok: true, value })
