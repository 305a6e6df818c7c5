import type { Answer, Refusal, StoreBridge, StoreEvent } from '../../protocol/index.ts'
import { createTrialFrames } from '../../view/trial-frame.ts'
import { ABOUT, type About, CHANNEL, EVENTS, type EventBatch, type EventsInput } from '../harness-channel.ts'
import type { ClientServices } from './client-context.ts'
import { createValue, type Value } from './value.ts'

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

export function connectHost({ rpc, isLoopback }: ClientServices['connection'], signal: AbortSignal): Host {
  async function request(endpoint: string, input: unknown, during = signal): Promise<unknown> {
    const answer = await rpc.call(CHANNEL, endpoint, input, during)
    if (!answer.ok) throw new Error(answer.error.message)
    return answer.value
  }
  const feed = new Feed({
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

const RETRY_MS = [1000, 2000, 5000, 10_000] as const
/** Most retries after refusals, which also occur while the harness reloads the store. After that, requests stop. */
const REFUSALS = 3
/** Interval of requests from a hidden page while a job runs, in ms. */
const UNSEEN_MS = 2000

interface FeedOptions {
  /** Requests events from the host. Rejects when it does not answer. */
  readonly ask: (input: EventsInput, signal: AbortSignal) => Promise<EventBatch>
  /** Returns true if the host is running and refused the request. @default () => false */
  readonly isRefusal?: (error: unknown) => boolean
  readonly isSeen?: () => boolean
  readonly onSeen?: (listener: () => void, signal: AbortSignal) => void
  readonly signal: AbortSignal
}

/**
 * Reads the host's events by long polling. One request waits at the host while the page is visible: a browser has few
 * connections to one harness, and hidden pages must leave them to the visible one.
 */
export class Feed {
  /** Number of times that this page missed events, after which it must reload all data. */
  readonly generation: Value<number>
  /** Number of plugins that an upgrade of the harness turned off. */
  readonly off: Value<number>
  /** Number of plugins that can be updated. */
  readonly updates: Value<number>
  readonly #options: Required<FeedOptions>
  readonly #listeners = new Set<(event: StoreEvent) => void>()
  readonly #unfinished = new Set<string>()
  readonly #started = Promise.withResolvers<void>()
  readonly #generation = createValue(0)
  readonly #off = createValue(0)
  readonly #updates = createValue(0)
  #run: string | null = null
  #from = 0
  /** Aborted when the page becomes visible or hidden, and when it asks again by itself. */
  #changed = new AbortController()
  #isLeftAlone = false

  constructor(options: FeedOptions) {
    this.#options = { isRefusal: () => false, isSeen: isVisible, onSeen: onVisibility, ...options }
    this.generation = this.#generation
    this.off = this.#off
    this.updates = this.#updates
    this.#options.onSeen(() => this.#askNow(), options.signal)
    void this.#follow()
  }

  /** Resolves when later events will be received, or when the host could not be reached. */
  get started(): Promise<void> {
    return this.#started.promise
  }

  readonly subscribe = (listener: (event: StoreEvent) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Resumes requests after they stopped because of refusals. */
  resume(): void {
    if (this.#isLeftAlone) this.#askNow()
  }

  #askNow(): void {
    this.#changed.abort()
    this.#changed = new AbortController()
  }

  async #follow(): Promise<void> {
    const { ask, isRefusal, isSeen, signal } = this.#options
    for (let failures = 0; !signal.aborted; ) {
      const seen = isSeen()
      const until = AbortSignal.any([signal, this.#changed.signal])
      if (!seen && this.#run !== null) {
        await pause(this.#unfinished.size > 0 ? UNSEEN_MS : null, until)
        if (isSeen()) continue
      }
      try {
        const answer = await ask({ run: this.#run, from: this.#from, wait: seen }, seen ? until : signal)
        // Calls before the host was running got no answer, so count this as missed events.
        this.#take(answer, this.#run === null && failures > 0)
        failures = 0
      } catch (error) {
        this.#started.resolve()
        if (until.aborted) continue
        this.#isLeftAlone = ++failures > REFUSALS && isRefusal(error)
        // Make the store's screen ask for the reason.
        if (this.#isLeftAlone) this.#nextGeneration()
        await pause(this.#isLeftAlone ? null : (RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? null), until)
        this.#isLeftAlone = false
      }
    }
  }

  #take({ run, next, events, upgrade, updates, missed }: EventBatch, late: boolean): void {
    this.#off.set(upgrade?.off.length ?? 0)
    // Missing while the page is of a newer version than the store that still runs.
    this.#updates.set(updates ?? 0)
    if (missed || late) {
      // The end of a job may be among the missed events.
      this.#unfinished.clear()
      this.#nextGeneration()
    }
    this.#run = run
    this.#from = next
    this.#started.resolve()
    for (const event of events) {
      if (event.type === 'job') this.#unfinished[event.job.state === 'done' ? 'delete' : 'add'](event.job.id)
      for (const listener of this.#listeners)
        try {
          listener(event)
        } catch (error) {
          // The others, and the events after this one, are still heard.
          reportError(error)
        }
    }
  }

  #nextGeneration(): void {
    this.#generation.set(this.#generation.getSnapshot() + 1)
  }
}

const isVisible = () => document.visibilityState === 'visible'
const onVisibility = (listener: () => void, signal: AbortSignal) =>
  document.addEventListener('visibilitychange', listener, { signal })

/** Waits. @param ms time to wait; null to wait until the signal is aborted */
function pause(ms: number | null, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) return Promise.resolve()
  const timer = ms === null ? undefined : setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
