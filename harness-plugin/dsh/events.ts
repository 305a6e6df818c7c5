import { randomUUID } from 'node:crypto'
import type { HarnessUpgrade, Refusal, StoreEvent } from '../protocol/index.ts'
import type { EventBatch, EventsInput, RpcResult } from './harness-channel.ts'

/** Most events that are kept for later requests of pages. */
const KEPT = 1000
/** Time that a request waits for an event, in ms. Proxies and browsers give up after a minute or more. */
const WAIT_MS = 25_000
/**
 * Time after a request in which its page counts as open, in ms: hidden pages ask every two seconds while a job runs.
 */
const LATELY_MS = 10_000
/** Time to collect events before an answer, in ms, because lines of output come in bursts. */
const GATHER_MS = 40

/**
 * Parses a request by hand: it is needed from the start on, and the parser library is loaded later.
 *
 * @returns null for an invalid request
 */
function readEventsInput(frame: unknown): EventsInput | null {
  if (typeof frame !== 'object' || frame === null || Object.keys(frame).length !== 3) return null
  const { run, from, wait } = frame as Readonly<Record<string, unknown>>
  if (run !== null && typeof run !== 'string') return null
  if (typeof from !== 'number' || !Number.isInteger(from) || from < 0 || typeof wait !== 'boolean') return null
  return { run, from, wait }
}

/**
 * Creates a log of the host's events for long polling: the harness's connection carries the calls of a plugin's page,
 * but cannot push messages to it.
 */
export function createEventLog({ waitMs = WAIT_MS, gatherMs = GATHER_MS, now = () => performance.now() } = {}) {
  const run = randomUUID()
  let events: StoreEvent[] = []
  /** Position of the first kept event. */
  let first = 0
  const waiting = new Set<() => void>()
  let askedAt = Number.NEGATIVE_INFINITY
  let upgrade: HarnessUpgrade | null = null
  const closed = new AbortController()
  const end = () => first + events.length
  const wake = () => {
    for (const resolve of waiting) resolve()
  }

  /** Resolves when there is an event, at the time limit, or when the request is aborted. */
  async function something(signal: AbortSignal): Promise<void> {
    const over = AbortSignal.any([signal, closed.signal, AbortSignal.timeout(waitMs)])
    if (over.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    over.addEventListener('abort', () => resolve(), { once: true })
    waiting.add(resolve)
    await promise
    waiting.delete(resolve)
    if (!over.aborted) await new Promise((gathered) => setTimeout(gathered, gatherMs))
  }

  return {
    push(event: StoreEvent): void {
      if (event.type === 'upgrade') upgrade = event.upgrade
      events.push(event)
      if (events.length > 2 * KEPT) {
        first += events.length - KEPT
        events = events.slice(-KEPT)
      }
      wake()
    },
    /** Returns true if a page is open that receives events. */
    hasPage: (): boolean => waiting.size > 0 || now() - askedAt < LATELY_MS,
    /** Returns the events since a position. @param signal aborted when the page closes the request */
    async read(input: EventsInput, signal: AbortSignal): Promise<EventBatch> {
      askedAt = now()
      if (input.run === null) return { run, next: end(), events: [], upgrade, missed: false }
      const isKnown = () => input.run === run && input.from >= first && input.from <= end()
      if (isKnown() && input.wait && input.from === end()) await something(signal)
      if (!isKnown()) return { run, next: end(), events: [], upgrade, missed: true }
      return { run, next: end(), events: events.slice(input.from - first), upgrade, missed: false }
    },
    /** Ends all waiting requests. */
    close(): void {
      closed.abort()
      wake()
    },
  }
}
export type EventLog = ReturnType<typeof createEventLog>

/** Answers a page's request for events. */
export async function answerEvents(log: EventLog, frame: unknown, signal: AbortSignal): Promise<RpcResult> {
  const input = readEventsInput(frame)
  const refusal: Refusal = { ok: false, code: 'malformed', message: 'This asks for no news.' }
  return { ok: true, value: input ? { ok: true, value: await log.read(input, signal) } : refusal }
}
