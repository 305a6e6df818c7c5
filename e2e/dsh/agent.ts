import type { Harness } from '../harness/running.ts'

/** A conversation in the harness, as its own page has it. */
export interface Conversation {
  say(text: string): Promise<void>
  /** Stops the turn. */
  stop(): Promise<void>
}

export async function startConversation(harness: Harness, cwd: string): Promise<Conversation> {
  const { sessionId } = (await callHarness(harness, 'session.create', { cwd })) as { sessionId: string }
  return {
    async say(text) {
      await callHarness(harness, 'session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text }] })
    },
    async stop() {
      await callHarness(harness, 'session.cancel', { sessionId })
    },
  }
}

/** Calls the harness's own API as its page does. @throws with what it answered where that is no result */
export async function callHarness({ url, cookie }: Harness, method: string, payload: unknown): Promise<unknown> {
  const message = { type: 'client-request', rpcId: crypto.randomUUID(), method, payload }
  const response = await fetch(`${url}/api/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: JSON.stringify(message),
  })
  const text = await response.text()
  const result = response.ok ? JSON.parse(text).result : null
  if (!result?.ok) throw new Error(`${method}: ${response.status} ${text}`)
  return result.value
}
