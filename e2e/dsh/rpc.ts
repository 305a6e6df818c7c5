import type { Harness } from '../harness/running.ts'

interface Reply {
  readonly status: number
  /** Answer of the handler; null if it was not reached. */
  readonly value: unknown
}

/** Calls the store's channel as the harness's own page does, with optional replacements of headers and body. */
export async function callStore(
  { url, cookie }: Harness,
  endpoint: string,
  payload: unknown,
  change: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Promise<Reply> {
  const message = { type: 'client-request', rpcId: crypto.randomUUID(), method: endpoint, payload }
  const response = await fetch(`${url}/plugmark/${endpoint}`, {
    method: 'POST',
    // A connection of its own: the harness closes one after a body that is too large, and the next call would meet that.
    headers: { 'content-type': 'application/json', origin: url, cookie, connection: 'close', ...change.headers },
    body: change.body ?? JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, value: response.ok ? (JSON.parse(text).result?.value ?? null) : null }
}
