import { randomUUID } from 'node:crypto'
import type { Refusal, StoreEvent } from '../protocol/index.ts'
import type { EventBatch, EventsInput, RpcResult } from './channel.ts'

/** Events that are kept for pages that ask a little later. */
const KEPT = 1000
/** How long a question waits for an answer. Proxies and browsers give up after a minute or more. */
const WAIT_MS = 25_000
/** Who asked this lately is there, and asks again: pages that nobody sees do so every two seconds while a job goes on. */
const LATELY_MS = 10_000
/** Lines of output come in bursts; they are told together. */
const GATHER_MS = 40

/**
 * By hand: this is there from the start on, and the library that reads all else is not.
 *
 * @returns null when it is not what a page asks
 */
function readEventsInput(frame: unknown): EventsInput | null {
  if (typeof frame !== 'object' || frame === null || Object.keys(frame).length !== 3) return null
  const { run, from, wait } = frame as Readonly<Record<string, unknown>>
  if (run !== null && typeof run !== 'string') return null
  if (typeof from !== 'number' || !Number.isInteger(from) || from < 0 || typeof wait !== 'boolean') return null
  return { run, from, wait }
}

/**
 * What the host tells, for pages that ask for it: the harness's connection carries a plugin's calls, and no message of
 * its own accord.
 */
export function createEventLog({ waitMs = WAIT_MS, gatherMs = GATHER_MS, now = () => performance.now() } = {}) {
  const run = randomUUID()
  let events: StoreEvent[] = []
  /** Place of the first that is kept. */
  let first = 0
  const waiting = new Set<() => void>()
  let askedAt = Number.NEGATIVE_INFINITY
  const closed = new AbortController()
  const end = () => first + events.length
  const wake = () => {
    for (const resolve of waiting) resolve()
  }

  /** Resolves when there is something to tell, when it waited long enough, and when nobody waits any more. */
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
      events.push(event)
      if (events.length > 2 * KEPT) {
        first += events.length - KEPT
        events = events.slice(-KEPT)
      }
      wake()
    },
    /** Whether a page is there that is told. */
    hasPage: (): boolean => waiting.size > 0 || now() - askedAt < LATELY_MS,
    /** @param signal the page went away */
    async read(input: EventsInput, signal: AbortSignal): Promise<EventBatch> {
      askedAt = now()
      if (input.run === null) return { run, next: end(), events: [], missed: false }
      const isKnown = () => input.run === run && input.from >= first && input.from <= end()
      if (isKnown() && input.wait && input.from === end()) await something(signal)
      if (!isKnown()) return { run, next: end(), events: [], missed: true }
      return { run, next: end(), events: events.slice(input.from - first), missed: false }
    },
    /** Lets go of those that wait. */
    close(): void {
      closed.abort()
      wake()
    },
  }
}
export type EventLog = ReturnType<typeof createEventLog>

/** Answers a page that asks what was told. */
export async function answerEvents(log: EventLog, frame: unknown, signal: AbortSignal): Promise<RpcResult> {
  const input = readEventsInput(frame)
  const refusal: Refusal = { ok: false, code: 'malformed', message: 'This asks for no news.' }
  return { ok: true, value: input ? { ok: true, value: await log.read(input, signal) } : refusal }
}
