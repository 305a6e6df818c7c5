import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { StoreEvent } from '../host/index.ts'
import type { EventsInput, Told } from './channel.ts'

/** Events that are kept for pages that ask a little later. */
const KEPT = 1000
/** How long a question waits for an answer. Proxies and browsers give up after a minute or more. */
const WAIT_MS = 25_000
/** Lines of output come in bursts; they are told together. */
const GATHER_MS = 40

export const EventsSchema = v.strictObject({
  run: v.nullable(v.pipe(v.string(), v.uuid())),
  from: v.pipe(v.number(), v.integer(), v.minValue(0)),
  wait: v.boolean(),
})

/**
 * What the host tells, for pages that ask for it: the harness's connection carries a plugin's calls, and no message of
 * its own accord.
 */
export function createEventLog({ waitMs = WAIT_MS, gatherMs = GATHER_MS } = {}) {
  const run = randomUUID()
  let events: StoreEvent[] = []
  /** Place of the first that is kept. */
  let first = 0
  const waiting = new Set<() => void>()
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
    /** @param signal the page went away */
    async read(input: EventsInput, signal: AbortSignal): Promise<Told> {
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
