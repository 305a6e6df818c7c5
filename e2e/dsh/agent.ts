import type { Harness } from '../harness/running.ts'

/** A conversation in the harness, as on its own page. */
export interface Conversation {
  say(text: string): Promise<void>
  /** Stops the turn. */
  stop(): Promise<void>
}

export async function startConversation(harness: Harness, cwd: string): Promise<Conversation> {
  const { sessionId } = (await callHarness(harness, 'session/create', { request: { cwd } })) as { sessionId: string }
  return {
    async say(text) {
      const content = [{ type: 'text', text }]
      const request = { requestId: crypto.randomUUID(), sessionId, mode: 'queue', content }
      await callHarness(harness, 'session/prompt', { request })
    },
    async stop() {
      await callHarness(harness, 'session/cancel', { request: { sessionId } })
    },
  }
}

/**
 * Calls the harness's own API as its page does.
 *
 * @param method name in 0.2; 0.1.0-rc.8 has a point in it, and receives the request itself
 * @throws with the answer if it is not a result
 */
export async function callHarness(
  harness: Harness,
  method: string,
  args: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { url, cookie } = harness
  const isOld = cookie === ''
  const name = isOld ? method.replace('/', '.') : method
  const payload = isOld ? (args.request ?? args) : { args }
  const message = { type: 'client-request', rpcId: crypto.randomUUID(), method: name, payload }
  const send = () =>
    fetch(`${url}/api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify(message),
    })
  // The harness (0.2.1-rc.2) now and then resets a connection while it loads a row of its tree; its page calls again too.
  const response = await send().catch((error) => (harness.isAlive() ? send() : Promise.reject(error)))
  const text = await response.text()
  const result = response.ok ? JSON.parse(text).result : null
  if (!result?.ok) throw new Error(`${name}: ${response.status} ${text}`)
  return result.value
}

/** Sets the language of the whole harness, for all its pages and agents. */
export async function setLanguage(harness: Harness, language: 'en' | 'zh'): Promise<void> {
  await callHarness(harness, 'settings/update', { ns: 'locale', patch: { preference: language } })
}
