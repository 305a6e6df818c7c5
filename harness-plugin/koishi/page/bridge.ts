import { receive, send } from '@koishijs/client'
import type {
  CallInput,
  CallName,
  CallResults,
  Answer as HostAnswer,
  StoreEvent as HostEvent,
} from '../../host/index.ts'
import type { StoreBridge, StoreEvent } from '../../view/index.ts'
import { callEvent, PUSH_EVENT } from '../channel.ts'

const listeners = new Set<(event: StoreEvent) => void>()
// The console keeps this listener for good, so there is one for all elements.
receive(PUSH_EVENT, (body) => {
  for (const listener of listeners) listener(body as HostEvent)
})

async function call<K extends CallName>(name: K, input: CallInput<K>): Promise<HostAnswer<CallResults[K]>> {
  try {
    return (await send(callEvent(name), input)) as HostAnswer<CallResults[K]>
  } catch (error) {
    // The console refuses with a word of its own, or its answer did not come.
    const message = typeof error === 'string' ? error : 'The console did not answer.'
    return { ok: false, code: message === 'unauthorized' ? 'untrusted' : 'internal', message }
  }
}

/** The host's calls over the console's connection. */
export const bridge: StoreBridge = {
  overview: () => call('overview', {}),
  listings: (from) => call('listings', { from }),
  search: (words) => call('search', { words }),
  details: (id, profile) => call('details', { id, profile }),
  refresh: () => call('refresh', {}),
  download: () => call('download', {}),
  stopDownload: () => call('stopDownload', {}),
  review: (id, profile, action) => call('review', { id, profile, action }),
  start: (order) => call('start', order),
  cancel: (job) => call('cancel', { job }),
  installed: (profile) => call('installed', { profile }),
  checkUpdates: (profile) => call('checkUpdates', { profile }),
  subscribe(listener) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
