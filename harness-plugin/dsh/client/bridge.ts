import type { Answer, Refusal, StoreBridge } from '../../protocol/index.ts'
import { createTrialFrames } from '../../view/trial-frame.ts'
import { ABOUT, type About, CHANNEL, EVENTS, type EventBatch } from '../channel.ts'
import { createFeed, type Feed } from './feed.ts'
import type { ClientServices } from './harness.ts'

export interface Host {
  readonly bridge: StoreBridge
  readonly feed: Feed
  /** Never rejects. */
  about(): Promise<About | NoAnswer>
  /** Never rejects. @returns the listing that installs a package of this profile; null when there is none */
  listingOf(packageName: string): Promise<string | null>
}

/**
 * Why the host does not answer.
 * - `signed-out`: the harness refuses this page, which has no cookie of it, or one that ran out
 * - `far`: the page is not on the machine of the harness, which may answer none but its own
 */
export type NoAnswer = 'none' | 'signed-out' | 'far'

/** The host's calls over the harness's connection. */
export function connectHost({ rpc, isLoopback }: ClientServices['connection'], signal: AbortSignal): Host {
  async function request(endpoint: string, input: unknown, during = signal): Promise<unknown> {
    const answer = await rpc.call(CHANNEL, endpoint, input, during)
    if (!answer.ok) throw new Error(answer.error.message)
    return answer.value
  }
  const feed = createFeed({
    signal,
    isRefusal: (error) => statusOf(error)?.startsWith('4') ?? false,
    async ask(input, during) {
      const told = (await request(EVENTS, input, during)) as
        | { ok: true; value: EventBatch }
        | { ok: false; message: string }
      if (!told.ok) throw new Error(told.message)
      return told.value
    },
  })
  const frames = createTrialFrames()
  feed.generation.subscribe(frames.clear)
  signal.addEventListener('abort', frames.clear)
  const bridge = frames.follow({
    async call(name, input) {
      try {
        // Subscribe first: no event reports what happens between the overview and the subscription.
        if (name === 'overview') await feed.started
        return (await request(name, input)) as Answer<never>
      } catch {
        return { ok: false, code: 'internal', message: 'The harness did not answer.' }
      }
    },
    subscribe: feed.subscribe,
  })
  return {
    feed,
    bridge,
    async about() {
      try {
        const about = aboutOf((await request(ABOUT, {})) as About | Refusal)
        feed.resume()
        return about
      } catch (error) {
        if (statusOf(error) === '401') return 'signed-out'
        // Asked first: a harness that knows its pages by a cookie answers them from anywhere.
        return isLoopback === false ? 'far' : 'none'
      }
    },
    async listingOf(packageName) {
      const overview = await bridge.call('overview', {})
      if (!overview.ok) return null
      const installed = await bridge.call('installed', { profile: overview.value.profile })
      return (installed.ok && installed.value.find(({ name }) => name === packageName)?.listing) || null
    },
  }
}

/** Of the HTTP answer that the harness's connection rejected with; it is told in the message alone. */
const statusOf = (error: unknown) => /\bHTTP (\d{3})\b/.exec(String(error))?.[1]

/** A store that cannot be loaded refuses every call. */
const aboutOf = (answer: About | Refusal): About =>
  'ok' in answer ? { version: '', problem: answer.message, agents: null, others: [] } : answer
