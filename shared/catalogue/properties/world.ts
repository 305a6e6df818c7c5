/** A tab of the world. Once closed, nothing that it waits for ever happens. */
export interface Tab {
  readonly id: number
  /** How far its clock is ahead of the machine's, ms: processes of one machine differ by some. */
  readonly skewMs: number
  closed: boolean
  /** `World.elapsed` when it was closed. */
  closedAt: number
}

interface Event {
  /** Null for what goes on without its tab, such as a transaction that was handed over. */
  readonly tab: Tab | null
  readonly happen: () => void
  /** Storage and locks answer before seconds pass; a server may not. */
  readonly prompt: boolean
}

interface Alarm {
  readonly tab: Tab
  readonly at: number
  readonly fire: () => void
}

/**
 * Time and order. Everything a tab waits for is an event that somebody outside picks, one after another, so that
 * any interleaving can be had and had again.
 */
export class World {
  /** ms that really passed. */
  elapsed = 0
  /** What the machine's clock shows. */
  clock = Date.UTC(2026, 8, 1)
  private tabs = 0
  private readonly events: Event[] = []
  private readonly alarms: Alarm[] = []
  private readonly onClose: ((tab: Tab, losingWrites: boolean) => void)[] = []

  openTab(skewMs: number): Tab {
    return { id: ++this.tabs, skewMs, closed: false, closedAt: Number.POSITIVE_INFINITY }
  }

  /** @param losingWrites whether transactions that it handed over are lost, or still take place */
  async closeTab(tab: Tab, losingWrites: boolean): Promise<void> {
    tab.closed = true
    tab.closedAt = this.elapsed
    for (const listener of this.onClose) listener(tab, losingWrites)
    await settle()
  }

  whenClosed(listener: (tab: Tab, losingWrites: boolean) => void): void {
    this.onClose.push(listener)
  }

  now(tab: Tab): number {
    return this.clock + tab.skewMs
  }

  /** Something that may happen from now on. */
  later(tab: Tab | null, happen: () => void, { prompt = true } = {}): void {
    this.events.push({ tab, happen, prompt })
  }

  alarm(tab: Tab, ms: number, fire: () => void): () => void {
    const alarm = { tab, at: this.elapsed + ms, fire }
    this.alarms.push(alarm)
    return () => {
      const at = this.alarms.indexOf(alarm)
      if (at >= 0) this.alarms.splice(at, 1)
    }
  }

  /** Lets one of the events happen. @returns false when there is none */
  async step(choice: number, { promptOnly = false } = {}): Promise<boolean> {
    const possible = this.events.filter(({ tab, prompt }) => !tab?.closed && (prompt || !promptOnly))
    if (possible.length === 0) return false
    const event = possible[choice % possible.length]!
    this.events.splice(this.events.indexOf(event), 1)
    event.happen()
    await settle()
    return true
  }

  /** Lets all events happen, the oldest first, and what follows from them. */
  async quiet(options = { promptOnly: false }): Promise<void> {
    while (await this.step(0, options));
  }

  /** Time passes; alarms go off when they are due. */
  async pass(ms: number): Promise<void> {
    if (ms >= 1000) await this.quiet({ promptOnly: true })
    const until = this.elapsed + ms
    for (;;) {
      const next = this.alarms
        .filter(({ tab, at }) => !tab.closed && at <= until)
        .reduce<Alarm | null>((first, alarm) => (first === null || alarm.at < first.at ? alarm : first), null)
      const at = next?.at ?? until
      this.clock += at - this.elapsed
      this.elapsed = at
      if (next === null) return
      this.alarms.splice(this.alarms.indexOf(next), 1)
      next.fire()
      await settle()
      await this.quiet({ promptOnly: true })
    }
  }
}

/** Until every tab waits for an event again. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
