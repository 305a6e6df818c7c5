import { receive, send } from '@koishijs/client'
import type { Answer, StoreEvent } from '../../protocol/index.ts'
import { createTrialFrames } from '../../view/index.ts'
import { callEvent, PUSH_EVENT } from '../channel.ts'

const listeners = new Set<(event: StoreEvent) => void>()
// The console keeps this listener for good, so there is one for all elements.
receive(PUSH_EVENT, (body) => {
  for (const listener of listeners) listener(body as StoreEvent)
})

/** The bridge over the console's connection. */
export const bridge = createTrialFrames().follow({
  async call(name, input) {
    try {
      return (await send(callEvent(name), input)) as Answer<never>
    } catch (error) {
      // The console refuses with a word of its own, or its answer did not come.
      const message = typeof error === 'string' ? error : 'The console did not answer.'
      return { ok: false, code: message === 'unauthorized' ? 'unauthorized' : 'internal', message }
    }
  },
  subscribe(listener) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
})
