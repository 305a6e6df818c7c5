import type { Answer, Refusal, StoreBridge } from '../../protocol/index.ts'
import { createTrialFrames } from '../../view/trial-frame.ts'
import { ABOUT, type About, CHANNEL, EVENTS, type EventBatch } from '../harness-channel.ts'
import type { ClientServices } from './client-context.ts'
import { createFeed, type Feed } from './feed.ts'

export interface Host {
  readonly bridge: StoreBridge
  readonly feed: Feed
  /** Requests the state of the shell. Never rejects. */
  about(): Promise<About | NoAnswer>
  /** Returns the listing that installs a package of this profile; null if there is none. Never rejects. */
  listingOf(packageName: string): Promise<string | null>
}

/**
 * Reason why the host does not answer.
 * - `signed-out`: the harness refuses this page, which has no cookie or an expired one
 * - `far`: the page is on another machine than the harness, which may answer only its own machine
 */
export type NoAnswer = 'none' | 'signed-out' | 'far'

/** Creates the host's calls over the harness's connection. */
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
      const answer = (await request(EVENTS, input, during)) as
        | { ok: true; value: EventBatch }
        | { ok: false; message: string }
      if (!answer.ok) throw new Error(answer.message)
      return answer.value
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
        // Report this only after a failed request: a harness with cookies answers pages on any machine.
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

/** Returns the HTTP status from an error of the harness's connection, which has it only in the message. */
const statusOf = (error: unknown) => /\bHTTP (\d{3})\b/.exec(String(error))?.[1]

/** Converts an answer: a store that cannot be loaded refuses every call. */
const aboutOf = (answer: About | Refusal): About =>
  'ok' in answer ? { version: '', problem: answer.message, agents: null, others: [] } : answer
