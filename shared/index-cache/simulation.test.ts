import { env } from 'node:process'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { INDEX_FRESH_MS, type IndexListing } from '../contract/index.ts'
import { createIndexCache } from './index.ts'
import {
  generatedOf,
  Locks,
  listingsOf,
  REPOSITORIES,
  Server,
  type ServerMode,
  Storage,
  type StorageMode,
  settled,
  type Tab,
  World,
} from './simulation-testing.ts'
import type { IndexCache } from './types.ts'

/**
 * Simulates tabs over one storage, while storage, lock, clock and server may fail at any moment. Checks the guarantees
 * of the design at every request, write and answer. A failure prints its seed; FC_SEED runs it again.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Largest difference between the clocks of two tabs. ms */
const SKEW = 50
const MAX_TABS = 4

interface OpenTab {
  readonly tab: Tab
  readonly cache: IndexCache
  /** Refreshes by the user that have not settled. */
  forced: number
  /** Edition of its last answer. */
  edition: number
}

class Scenario {
  readonly world = new World()
  readonly server = new Server()
  readonly violations: string[] = []
  private readonly storage = new Storage()
  private readonly lock = new Locks()
  private readonly tabs: OpenTab[] = []
  private readonly unanswered: Tab[] = []
  /** The stored edition; 0 for none. */
  private stored = 0
  private storedAt = 0
  private clockSetBy = 0
  /** Time of the last change of storage or clock. */
  private troubledAt = Number.NEGATIVE_INFINITY
  /** True while the listings of a repository are damaged. */
  private isDamaged = false

  private hadTroubleSince(time: number): boolean {
    return this.storage.mode !== 'works' || this.troubledAt >= time
  }
  private violate(what: string): void {
    this.violations.push(`${what} (after ${this.world.elapsed} ms)`)
  }

  open(skewMs: number): void {
    if (this.tabs.length === MAX_TABS) return
    const { world } = this
    const tab = { skewMs, closed: false }
    const cache = createIndexCache({
      fetchIndex: ({ signal }) => {
        if (opened.forced === 0) this.checkRequest()
        return this.server.fetchIndex(world, tab, signal)
      },
      store: this.storage.of(world, tab, () => this.checkWrite()),
      lock: this.lock.of(world, tab),
      now: () => world.clock + skewMs,
      timer: (ms, fire) => world.alarm(tab, ms, fire),
    })
    const opened: OpenTab = { tab, cache, forced: 0, edition: 0 }
    this.tabs.push(opened)
  }
  async close(choice: number, losingWrites: boolean): Promise<void> {
    const [opened] = this.tabs.splice(choice % this.tabs.length, 1)
    if (!opened) return
    opened.tab.closed = true
    this.lock.release(this.world, opened.tab)
    if (losingWrites) this.storage.lose(opened.tab)
    await settled()
  }
  async step(choices: readonly number[]): Promise<void> {
    for (const choice of choices) {
      await this.world.pass(1)
      await this.world.step(choice)
    }
  }
  lookUp(choice: number): void {
    this.call(choice, async (opened) => {
      const { edition: last } = opened
      // Trouble during the look-up counts, even when an index was stored after it.
      const { stored, storedAt } = this
      const found = await opened.cache.byRepositories(REPOSITORIES)
      const edition = editionOf([...found.values()].flat())
      if (edition === null) this.violate('an answer is of no edition')
      else if (edition === 0 && stored > 0 && !this.hadTroubleSince(storedAt)) this.violate('the index was not found')
      else if (edition > 0 && edition < last && !this.hadTroubleSince(0))
        this.violate(`${edition} was found after ${last}`)
      if (edition) opened.edition = edition
    })
  }
  refresh(choice: number, force: boolean): void {
    this.call(choice, async (opened) => {
      opened.forced += force ? 1 : 0
      await opened.cache.refresh({ force })
      opened.forced -= force ? 1 : 0
    })
  }
  private call(choice: number, run: (opened: OpenTab) => Promise<void>): void {
    const opened = this.tabs[choice % this.tabs.length]
    if (!opened) return
    this.unanswered.push(opened.tab)
    run(opened)
      .catch((cause) => this.violate(`a call rejected: ${cause}`))
      .finally(() => this.unanswered.splice(this.unanswered.indexOf(opened.tab), 1))
  }

  turnStorage(mode: StorageMode): void {
    this.troubledAt = this.world.elapsed
    this.storage.turn(this.world, mode)
  }
  damage(choice: number, value: unknown): void {
    this.troubledAt = this.world.elapsed
    const { state, listings } = this.storage.stored
    // Transactions are whole, so a store loses its state, or everything, but not the listings of one repository.
    if (value === undefined) {
      this.storage.stored = { state: undefined, listings }
      return
    }
    const key = [...listings.keys(), 'state'][choice % (listings.size + 1)]!
    this.isDamaged ||= key !== 'state'
    this.storage.stored =
      key === 'state' ? { state: value, listings } : { state, listings: new Map(listings).set(key, value) }
  }
  clear(choice: number): void {
    this.troubledAt = this.world.elapsed
    this.isDamaged = false
    this.stored = 0
    this.call(choice, async (opened) => {
      opened.edition = 0
      await opened.cache.clear().catch(() => {})
      this.troubledAt = this.world.elapsed
    })
  }
  setClock(byMs: number): void {
    // The dates of the editions must not get far into the future.
    if (Math.abs(this.clockSetBy + byMs) > 100 * DAY) return
    this.troubledAt = this.world.elapsed
    this.clockSetBy += byMs
    this.world.clock += byMs
  }

  /** Checks that all tabs together never send two requests in six hours, nor one within a minute after a failure. */
  private checkRequest(): void {
    const last = this.server.requests.at(-1)
    // A tab that finds damaged listings requests the index again, however late it reads them.
    if (!last || last.tab.closed || this.isDamaged || this.hadTroubleSince(last.sentAt - 2 * MINUTE)) return
    const gap = this.world.elapsed - last.sentAt
    const pause = last.isFailed ? MINUTE : last.edition !== null ? INDEX_FRESH_MS : 0
    if (gap < pause - SKEW) this.violate(`a request ${gap} ms after the last, not ${pause}`)
  }

  /** Checks that the stored index is one whole edition, and never older than before. */
  private checkWrite(): void {
    const { state, listings } = this.storage.stored
    const generated = (state as { index: { generated: string } | null } | undefined)?.index?.generated
    const edition = editionOf([...listings.values()].flat() as IndexListing[])
    if (edition === null || (edition > 0 && generated !== generatedOf(edition)))
      this.violate('the stored index is not a whole edition')
    if (edition && edition < this.stored && !this.hadTroubleSince(this.storedAt))
      this.violate(`${edition} replaced ${this.stored}`)
    this.isDamaged = false
    this.stored = edition ?? 0
    this.storedAt = this.world.elapsed
  }

  /**
   * Checks that every call is answered, and every tab has the newest edition, once everything has worked for some hours.
   */
  async recover(): Promise<void> {
    this.turnStorage('works')
    this.server.mode = 'good'
    await this.calmDown()
    if (this.unanswered.some(({ closed }) => !closed)) this.violate('a call was never answered')
    this.server.newest++
    if (this.tabs.length === 0) this.open(0)
    // After it was set back, the clock may be in the pause after a request, and then at the time of the index's check.
    for (const lapse of [7 * HOUR, 7 * HOUR, 7 * HOUR, 0]) {
      await this.world.pass(lapse)
      for (const i of this.tabs.keys()) this.lookUp(i)
      await this.calmDown()
    }
    for (const { edition } of this.tabs)
      if (edition !== this.server.newest) this.violate(`a tab is left with edition ${edition}`)
  }

  /** Lets more time pass than any time limit. */
  private async calmDown(): Promise<void> {
    for (let i = 0; i < 8; i++) {
      await this.world.quiet()
      await this.world.pass(20_000)
    }
    await this.world.quiet()
  }
}

/** Returns the edition of these listings; 0 for none, null when they are of no single edition. */
function editionOf(listings: readonly IndexListing[]): number | null {
  if (listings.length === 0) return 0
  const edition = Number(listings[0]?.path?.replace('/plugins/', ''))
  const names = (all: readonly IndexListing[]) => all.map(({ fullName, path }) => `${fullName} ${path}`).sort()
  return JSON.stringify(names(listings)) === JSON.stringify(names(listingsOf(edition))) ? edition : null
}

type Command = (scenario: Scenario) => unknown
/** Creates a command with a name, so that a counterexample can be read. */
const command = <T>(name: string, values: fc.Arbitrary<T>, run: (scenario: Scenario, value: T) => unknown) =>
  values.map(
    (value): Command =>
      Object.assign((scenario: Scenario) => run(scenario, value), {
        [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
      }),
  )

const choice = fc.nat(30)
const often = [
  command('step', fc.array(choice, { minLength: 1, maxLength: 30, size: 'max' }), (it, choices) => it.step(choices)),
  command('lookUp', choice, (it, tab) => it.lookUp(tab)),
  command(
    'pass',
    fc.oneof(
      fc.constantFrom(1000, 61_000, 16 * MINUTE, 5.9 * HOUR, 6.1 * HOUR, 6.1 * HOUR, 31 * DAY),
      fc.nat(13 * HOUR),
    ),
    (it, ms) => it.world.pass(ms),
  ),
]
const sometimes = [
  command('open', fc.integer({ min: -20, max: 20 }), (it, skewMs) => it.open(skewMs)),
  command('close', fc.tuple(choice, fc.boolean()), (it, [tab, losingWrites]) => it.close(tab, losingWrites)),
  command('refresh', fc.tuple(choice, fc.boolean()), (it, [tab, force]) => it.refresh(tab, force)),
  command('publish', fc.constant(null), (it) => it.server.newest++),
  command(
    'turnServer',
    fc.constantFrom<ServerMode>('good', 'good', 'older', 'fails', 'hangs', 'empty', 'incomplete', 'no document'),
    (it, mode) => (it.server.mode = mode),
  ),
]
const trouble = [
  command('setClock', fc.constantFrom(-40 * DAY, -7 * HOUR, -10 * MINUTE, 7 * HOUR, 40 * DAY), (it, ms) =>
    it.setClock(ms),
  ),
  command(
    'turnStorage',
    fc.constantFrom<StorageMode>('works', 'works', 'refuses writes', 'refuses all', 'hangs'),
    (it, mode) => it.turnStorage(mode),
  ),
  command('clear', choice, (it, tab) => it.clear(tab)),
  command(
    'damage',
    fc.tuple(fc.nat(600), fc.constantFrom<unknown>(undefined, null, '', { schema: 1 })),
    (it, [at, value]) => it.damage(at, value),
  ),
]
const weighted = (weight: number, arbitraries: fc.Arbitrary<Command>[]) =>
  arbitraries.map((arbitrary) => ({ weight, arbitrary }))

// Work that yields when it took long would make the order of events depend on the machine.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))
afterEach(() => vi.restoreAllMocks())

test.each([
  ['while storage and clock work', []],
  ['while the storage fails, is damaged or cleared, and the clock is set', trouble],
])('tabs keep every promise %s', async (_, trouble) => {
  const commands = fc.oneof(...weighted(9, often), ...weighted(3, sometimes), ...weighted(2, trouble))
  let requests = 0
  const property = fc.asyncProperty(fc.array(commands, { maxLength: 80, size: 'max' }), async (commands) => {
    const scenario = new Scenario()
    scenario.open(0)
    for (const run of commands) await run(scenario)
    await scenario.recover()
    requests += scenario.server.requests.length
    if (scenario.violations.length > 0) throw new Error(scenario.violations.join('\n'))
  })
  const numRuns = 500
  await fc.assert(property, { numRuns, ...(env.FC_SEED === undefined ? {} : { seed: Number(env.FC_SEED) }) })
  expect(requests, 'the server was asked').toBeGreaterThan(numRuns)
})
