import type { createCatalogue as CreateCatalogue } from '../catalogue.ts'
import type { Catalogue } from '../types.ts'
import { MARKER, REPOSITORIES } from './documents.ts'
import { type Asked, Rules } from './rules.ts'
import { SimulatedLock } from './simulated-lock.ts'
import { type ServerMode, SimulatedServer } from './simulated-server.ts'
import { SimulatedStorage, type StorageMode } from './simulated-storage.ts'
import { storedEdition } from './stored-edition.ts'
import { type Tab, World } from './world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MOST_TABS = 4
/** The editions' dates must not come to lie far in the future. */
const CLOCK_RANGE = 100 * DAY

interface OpenTab {
  readonly tab: Tab
  readonly catalogue: Catalogue
  /** Refreshes that a person waits for. */
  pressing: number
}

/** A machine with tabs over one storage, a directory, and what happens to them. */
export class Scenario {
  readonly world = new World()
  readonly server: SimulatedServer = new SimulatedServer(this.world, (request) => this.rules.request(request))
  readonly rules: Rules = new Rules(this.world, this.server)
  private readonly storage = new SimulatedStorage(this.world, (write) => this.rules.write(write))
  private readonly lock = new SimulatedLock(this.world)
  private readonly createCatalogue: typeof CreateCatalogue
  private readonly tabs: OpenTab[] = []
  private clockSetBy = 0
  /** Tabs whose calls were not answered yet. */
  private readonly waiting: Tab[] = []

  constructor(createCatalogue: typeof CreateCatalogue) {
    this.createCatalogue = createCatalogue
  }

  open(skewMs: number): void {
    if (this.tabs.length === MOST_TABS) return
    const tab = this.world.openTab(skewMs)
    const catalogue = this.createCatalogue({
      fetchIndex: ({ signal }) => this.server.fetchIndex(tab, opened.pressing > 0, signal),
      storage: this.storage.of(tab),
      lock: this.lock.of(tab),
      now: () => this.world.now(tab),
      timer: (ms, fire) => this.world.alarm(tab, ms, fire),
    })
    const opened = { tab, catalogue, pressing: 0 }
    this.tabs.push(opened)
  }

  async close(choice: number, losingWrites: boolean): Promise<void> {
    const [closed] = this.tabs.splice(choice % this.tabs.length, 1)
    if (closed !== undefined) await this.world.closeTab(closed.tab, losingWrites)
  }

  /** A person passes by: a tab is opened, asks, and is closed before anything came from the server. */
  async passBy(skewMs: number, losingWrites: boolean): Promise<void> {
    this.open(skewMs)
    const last = this.tabs.length - 1
    this.lookUp(last, 0)
    await this.world.quiet({ promptOnly: true })
    await this.close(last, losingWrites)
  }

  /** Some of what is awaited comes about. */
  async step(choices: readonly number[]): Promise<void> {
    for (const choice of choices) {
      await this.world.pass(1)
      await this.world.step(choice)
    }
  }

  lookUp(choice: number, mask: number): void {
    this.in(choice, async ({ tab, catalogue }) => {
      const asked = this.asked(tab)
      const names = [MARKER, ...REPOSITORIES.filter((_, i) => mask & (1 << i))]
      this.rules.answer(asked, names, await catalogue.byRepositories(names))
    })
  }

  private asked(tab: Tab): Asked {
    const copyThere = storedEdition(this.storage.values, this.server.arrived) !== null
    return { tab, at: this.world.elapsed, copyThere }
  }

  refresh(choice: number): void {
    this.in(choice, ({ catalogue }) => catalogue.refresh())
  }

  press(choice: number): void {
    this.in(choice, async (opened) => {
      opened.pressing++
      await opened.catalogue.refresh({ force: true })
      opened.pressing--
    })
  }

  private in(choice: number, call: (opened: OpenTab) => Promise<unknown>): void {
    const opened = this.tabs[choice % this.tabs.length]
    if (opened === undefined) return
    this.waiting.push(opened.tab)
    call(opened)
      .catch((cause) => this.rules.violate(`a call rejected: ${cause}`))
      .finally(() => this.waiting.splice(this.waiting.indexOf(opened.tab), 1))
  }

  turnStorage(mode: StorageMode): void {
    this.rules.storageTurned(mode)
    this.storage.turn(mode)
  }

  damage(choice: number, value: unknown): void {
    this.rules.storageDamaged()
    this.storage.damage(choice, value)
  }

  setClock(byMs: number): void {
    if (Math.abs(this.clockSetBy + byMs) > CLOCK_RANGE) return
    this.rules.clockSet()
    this.clockSetBy += byMs
    this.world.clock += byMs
  }

  turnServer(mode: ServerMode): void {
    this.server.mode = mode
  }

  /** What went before must not keep a tab from the newest edition once everything works for some hours. */
  async recover(): Promise<void> {
    this.turnStorage('works')
    this.turnServer('good')
    await this.calmDown()
    if (this.waiting.some(({ closed }) => !closed)) this.rules.violate('a call was never answered')

    this.server.publish()
    if (this.tabs.length === 0) this.open(0)
    // A directory that moved is believed when the copy has expired, by a clock that may have been set back.
    // After the first lapse a clock that was set back may have come into the pause after a request, and after the second
    // just to where the copy was checked.
    for (const lapse of [this.server.hasMoved ? 200 * DAY : 7 * HOUR, 7 * HOUR, 7 * HOUR, 0]) {
      await this.world.pass(lapse)
      for (const i of this.tabs.keys()) this.lookUp(i, -1)
      await this.calmDown()
    }
    for (const { tab } of this.tabs) {
      const last = this.rules.lastAnswered(tab)
      if (last?.tag !== this.server.newestEdition.tag) this.rules.violate(`tab ${tab.id} is left with ${last?.tag}`)
    }
  }

  /** Longer than anything is waited for. */
  private async calmDown(): Promise<void> {
    for (let i = 0; i < 8; i++) {
      await this.world.quiet()
      await this.world.pass(20_000)
    }
    await this.world.quiet()
  }
}
