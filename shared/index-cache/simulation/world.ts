/** A tab of the world. Once it is closed, events that it waits for never happen. */
export interface Tab {
  /** Difference of its clock from the machine's: those of two processes differ by some ms. */
  readonly skewMs: number
  closed: boolean
}

interface Event {
  /** Null for an event that does not need its tab, such as a transaction that was handed over. */
  readonly tab: Tab | null
  readonly happen: () => void
  /** True for storage and locks, which answer before seconds pass; a server may not. */
  readonly prompt: boolean
}

interface Alarm {
  readonly tab: Tab
  readonly at: number
  readonly fire: () => void
}

/**
 * Time and order. Everything that a tab waits for is an event, and the test picks the events one after another. So any
 * interleaving can be produced, and reproduced.
 */
export class World {
  /** Time that really passed, in ms. */
  elapsed = 0
  /** Time of the machine's clock. */
  clock = Date.UTC(2026, 8, 1)
  private readonly events: Event[] = []
  private alarms: Alarm[] = []

  /** Adds an event that may happen from now on. */
  later(tab: Tab | null, happen: () => void, { prompt = true } = {}): void {
    this.events.push({ tab, happen, prompt })
  }

  alarm(tab: Tab, ms: number, fire: () => void): () => void {
    // A timer for a time in the past, as after the clock was set, goes off at once.
    const alarm = { tab, at: this.elapsed + Math.max(0, ms), fire }
    this.alarms.push(alarm)
    return () => {
      this.alarms = this.alarms.filter((other) => other !== alarm)
    }
  }

  /** Lets one of the events happen. @returns false when there is none */
  async step(choice: number, { promptOnly = false } = {}): Promise<boolean> {
    const possible = this.events.filter(({ tab, prompt }) => !tab?.closed && (prompt || !promptOnly))
    const event = possible[choice % possible.length]
    if (event === undefined) return false
    this.events.splice(this.events.indexOf(event), 1)
    event.happen()
    await settled()
    return true
  }

  /** Lets all events happen, the oldest first, and those that follow from them. */
  async quiet(options = { promptOnly: false }): Promise<void> {
    while (await this.step(0, options));
  }

  /** Lets time pass; alarms go off when they are due. */
  async pass(ms: number): Promise<void> {
    if (ms >= 1000) await this.quiet({ promptOnly: true })
    const until = this.elapsed + ms
    for (;;) {
      const [next] = this.alarms.filter(({ tab, at }) => !tab.closed && at <= until).sort((a, b) => a.at - b.at)
      const at = next?.at ?? until
      this.clock += at - this.elapsed
      this.elapsed = at
      if (next === undefined) return
      this.alarms = this.alarms.filter((alarm) => alarm !== next)
      next.fire()
      await settled()
      await this.quiet({ promptOnly: true })
    }
  }
}

/** Resolves when every tab waits for an event again. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
