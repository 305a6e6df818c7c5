import { receive, send } from '@koishijs/client'
import type { Answer, StoreEvent } from '../../protocol/index.ts'
import { createTrialFrames } from '../../view/trial-frame.ts'
import { callEvent, PUSH_EVENT, type ShellStatus, STATUS_EVENT } from '../console-channel.ts'

const listeners = new Set<(event: StoreEvent) => void>()
// The console keeps this listener for good, so there is one for all elements.
receive(PUSH_EVENT, (body) => {
  for (const listener of listeners) listener(body as StoreEvent)
})

/** Calls over the console's connection. Never rejects. */
async function call<T>(event: string, input?: object): Promise<Answer<T>> {
  try {
    // Without a socket the console sends nothing and returns undefined.
    const answer = await send(event, ...(input ? [input] : []))
    if (answer !== undefined) return answer as Answer<T>
  } catch (error) {
    // The console refuses with a word of its own.
    if (error === 'unauthorized') return { ok: false, code: error, message: error }
  }
  return { ok: false, code: 'internal', message: 'The console did not answer.' }
}

export const bridge = createTrialFrames().follow({
  call: (name, input) => call<never>(callEvent(name), input),
  subscribe(listener) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
})

/** Returns what the status bar shows; nothing where this page may not know it. */
export async function shellStatus(): Promise<ShellStatus> {
  const answer = await call<ShellStatus>(STATUS_EVENT)
  return answer.ok ? answer.value : { jobs: [], upgrade: null }
}
