import type { Answer, Refusal, StoreBridge } from '../../bridge/index.ts'
import { bridgeOver } from '../../view/bridge-over.ts'
import { ABOUT, type About, CHANNEL, EVENTS, type Told } from '../channel.ts'
import { createFeed, type Feed } from './feed.ts'
import type { ClientServices } from './harness.ts'

export interface Host {
  readonly bridge: StoreBridge
  readonly feed: Feed
  /** Whether the page is one of those that the harness answers: it refuses one on another machine. */
  readonly isNear: boolean
  /** Rejects when the host does not answer. */
  about(): Promise<About>
}

/** The host's calls over the harness's connection. */
export function connectHost({ rpc, isLoopback }: ClientServices['connection'], signal: AbortSignal): Host {
  const isNear = isLoopback !== false
  async function call(endpoint: string, input: unknown, during = signal): Promise<unknown> {
    const answer = await rpc.call(CHANNEL, endpoint, input, during)
    if (!answer.ok) throw new Error(answer.error.message)
    return answer.value
  }
  const feed = createFeed({
    signal: isNear ? signal : AbortSignal.abort(),
    async ask(input, during) {
      const told = (await call(EVENTS, input, during)) as { ok: true; value: Told } | { ok: false; message: string }
      if (!told.ok) throw new Error(told.message)
      return told.value
    },
  })
  async function ask(name: string, input: object): Promise<Answer<never>> {
    try {
      // What happens between the overview and the first event would be told by neither.
      if (name === 'overview') await feed.started
      return (await call(name, input)) as Answer<never>
    } catch {
      return { ok: false, code: 'internal', message: 'The harness did not answer.' }
    }
  }
  return {
    feed,
    isNear,
    bridge: bridgeOver(ask, feed.subscribe),
    about: async () => aboutOf((await call(ABOUT, {})) as About | Refusal),
  }
}

/** A store that cannot be loaded refuses every call. */
const aboutOf = (answer: About | Refusal): About =>
  'ok' in answer ? { version: '', problem: answer.message, agents: null, others: [] } : answer
