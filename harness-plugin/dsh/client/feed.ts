import type { StoreEvent } from '../../protocol/index.ts'
import type { EventBatch, EventsInput } from '../channel.ts'
import { createValue, type Value } from './value.ts'

const RETRY_MS = [1000, 2000, 5000, 10_000] as const
/** Retries after a refusal, which also comes while the harness loads the store anew; then the host is left alone. */
const REFUSALS = 3
/** How often a page that nobody sees asks while a job goes on. */
const UNSEEN_MS = 2000

export interface FeedOptions {
  /** Asks the host for what was told. Rejects when it does not answer. */
  readonly ask: (input: EventsInput, signal: AbortSignal) => Promise<EventBatch>
  /** Whether the host is there, and rejected the question. */
  readonly isRefusal?: (error: unknown) => boolean
  readonly isSeen?: () => boolean
  /** Calls back whenever the page comes into sight or goes out of it. */
  readonly onSeen?: (listener: () => void, signal: AbortSignal) => void
  readonly signal: AbortSignal
}

/**
 * What the host tells, by asking for it. One question waits at the host for as long as the page is in sight: a browser
 * has few connections to one harness, and the pages that nobody sees must leave them to the one that somebody does.
 */
export function createFeed({
  ask,
  isRefusal = () => false,
  isSeen = isVisible,
  onSeen = onVisibility,
  signal,
}: FeedOptions) {
  const listeners = new Set<(event: StoreEvent) => void>()
  const unfinished = new Set<string>()
  const started = Promise.withResolvers<void>()
  const generation = createValue(0)
  let run: string | null = null
  let from = 0
  let changed = new AbortController()
  let isLeftAlone = false
  function askNow() {
    changed.abort()
    changed = new AbortController()
  }
  onSeen(askNow, signal)

  function take({ run: now, next, events, missed }: EventBatch, late: boolean): void {
    if (missed || late) nextGeneration()
    run = now
    from = next
    started.resolve()
    for (const event of events) {
      if (event.type === 'job') unfinished[event.job.state === 'done' ? 'delete' : 'add'](event.job.id)
      for (const listener of listeners) listener(event)
    }
  }

  function nextGeneration() {
    generation.set(generation.getSnapshot() + 1)
  }

  async function follow(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const seen = isSeen()
      const until = AbortSignal.any([signal, changed.signal])
      if (!seen && run !== null) {
        await pause(unfinished.size > 0 ? UNSEEN_MS : null, until)
        if (isSeen()) continue
      }
      try {
        const told = await ask({ run, from, wait: seen }, seen ? until : signal)
        // Who asked for anything before the host was there got no answer.
        take(told, run === null && failures > 0)
        failures = 0
      } catch (error) {
        started.resolve()
        if (until.aborted) continue
        isLeftAlone = ++failures > REFUSALS && isRefusal(error)
        // Whoever shows the store learns why.
        if (isLeftAlone) nextGeneration()
        await pause(isLeftAlone ? null : (RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? null), until)
        isLeftAlone = false
      }
    }
  }
  void follow()

  return {
    /** Resolves when what happens from now on will be told, or when the host could not be asked. */
    started: started.promise,
    subscribe(listener: (event: StoreEvent) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Asks on, where the host refused and was left alone. */
    resume: () => isLeftAlone && askNow(),
    /** Counts how often this page missed something, and so must ask for everything anew. */
    generation: generation as Value<number>,
  }
}
export type Feed = ReturnType<typeof createFeed>

const isVisible = () => document.visibilityState === 'visible'
const onVisibility = (listener: () => void, signal: AbortSignal) =>
  document.addEventListener('visibilitychange', listener, { signal })

/** @param ms null for as long as the signal lets it */
function pause(ms: number | null, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) return Promise.resolve()
  const timer = ms === null ? undefined : setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
