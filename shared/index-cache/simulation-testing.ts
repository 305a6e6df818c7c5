import type { Lock } from '../async/index.ts'
import type { IndexDocument, IndexListing } from '../contract/index.ts'
import type { IndexStore, RepositoryListings } from './types.ts'

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

export type StorageMode = 'works' | 'refuses writes' | 'refuses all' | 'hangs'
export type ServerMode = 'good' | 'older' | 'empty' | 'incomplete' | 'no document' | 'fails' | 'hangs'

const NAMES = ['Lantern/Works', 'lantern/works#one', 'moss/field', '__proto__/toString', 'constructor/prototype']
/** Repositories of every look-up: all that are ever listed, and some that never are. */
export const REPOSITORIES = [...new Set(NAMES.map((name) => name.split('#')[0]!)), 'nobody/none', '']

/** Returns the listings of an edition. Its number determines the names, and is in every path. */
export function listingsOf(edition: number): IndexListing[] {
  const names = NAMES.filter((_, i) => i === 0 || (edition >> (i - 1)) & 1)
  return names.map((fullName) => ({ fullName, category: null, install: null, path: `/plugins/${edition}`, npm: null }))
}
export const generatedOf = (edition: number): string => new Date(Date.UTC(2025, 8, 1) + edition * 1000).toISOString()

function documentOf(edition: number, mode: ServerMode): unknown {
  if (mode === 'no document') return '<!doctype html>'
  const plugins =
    mode === 'empty' ? [] : listingsOf(edition).map(({ fullName, path }) => [fullName, path, null, null, null])
  const count = plugins.length + (mode === 'incomplete' ? 1 : 0)
  const document = { generated: generatedOf(edition), site: 'https://directory.example', count, plugins }
  return { ...document, fields: ['fullName', 'path', 'category', 'install', 'npm'] } satisfies IndexDocument
}

export interface Request {
  readonly tab: Tab
  readonly sentAt: number
  /** The edition that arrived; null before, and for a failure. */
  edition: number | null
  isFailed: boolean
}

/** A directory that publishes one edition after another. */
export class Server {
  mode: ServerMode = 'good'
  newest = 2
  readonly requests: Request[] = []

  fetchIndex(world: World, tab: Tab, signal: AbortSignal): Promise<unknown> {
    const request: Request = { tab, sentAt: world.elapsed, edition: null, isFailed: false }
    this.requests.push(request)
    signal.addEventListener('abort', () => {
      request.isFailed = request.edition === null
    })
    return new Promise((resolve, reject) => {
      const answer = () => {
        if (this.mode === 'hangs') return
        if (this.mode === 'fails') return reject(new TypeError('Failed to fetch'))
        const edition = this.newest - (this.mode === 'older' ? 1 : 0)
        if (!signal.aborted && ['good', 'older'].includes(this.mode)) request.edition = edition
        resolve(documentOf(edition, this.mode))
      }
      world.later(tab, answer, { prompt: false })
    })
  }
}

/** The content of a storage. */
export interface Stored {
  readonly state: unknown
  readonly listings: ReadonlyMap<string, unknown>
}

/**
 * A storage that behaves like IndexedDB: transactions run one after another in the order of the calls, each whole, and
 * the tab learns of it later. A transaction that a tab started before it was closed may still run.
 */
export class Storage {
  stored: Stored = { state: undefined, listings: new Map() }
  mode: StorageMode = 'works'
  /** Each runs when `commit` is called, which returns a function that settles the tab's promise. */
  private transactions: { tab: Tab; commit: () => () => void }[] = []

  turn(world: World, mode: StorageMode): void {
    this.mode = mode
    for (const _ of this.transactions) world.later(null, () => this.next(world))
  }

  lose(tab: Tab): void {
    this.transactions = this.transactions.filter((transaction) => transaction.tab !== tab)
  }

  of(world: World, tab: Tab, onReplaced: () => void): IndexStore {
    const transact = <T>(effect: () => T) =>
      new Promise<T>((resolve, reject) => {
        const commit = () => {
          try {
            const value = effect()
            return () => resolve(value)
          } catch (cause) {
            return () => reject(cause)
          }
        }
        this.transactions.push({ tab, commit })
        world.later(null, () => this.next(world))
      })
    const read = <T>(effect: () => T) =>
      transact(() => {
        if (this.mode === 'refuses all') throw new Error('The storage refuses to read.')
        return effect()
      })
    const write = (change: Partial<Stored>) =>
      transact(() => {
        if (this.mode !== 'works') throw new Error('The storage refuses to write.')
        this.stored = { ...this.stored, ...change }
        if (change.listings) onReplaced()
      })
    return {
      load: () => read(() => this.stored.state),
      find: (repositories) => read(() => repositories.map((repository) => this.stored.listings.get(repository))),
      forEach: (visit) =>
        read(() => {
          for (const [repository, listings] of this.stored.listings) visit(repository, listings)
        }),
      saveState: (state) => write({ state }),
      replace: (repositories: readonly RepositoryListings[], state) =>
        write({ state, listings: new Map(repositories) }),
      clear: () => write({ state: undefined, listings: new Map() }),
    }
  }

  private next(world: World): void {
    if (this.mode === 'hangs') return
    const transaction = this.transactions.shift()
    if (transaction) world.later(transaction.tab, transaction.commit())
  }
}

/** Locks like the browser's: first come, first served; a closed tab leaves the queue and releases its lock. */
export class Locks {
  private readonly queue: { tab: Tab; start: () => void }[] = []
  private holder: Tab | null = null

  of(world: World, tab: Tab): Lock {
    return {
      run: (waitMs, task) =>
        new Promise((resolve, reject) => {
          const start = () => {
            cancel()
            task()
              .then((value) => resolve({ held: true, value }), reject)
              .finally(() => this.release(world, tab))
          }
          const waiter = { tab, start }
          const cancel = world.alarm(tab, waitMs, () => {
            this.queue.splice(this.queue.indexOf(waiter), 1)
            resolve({ held: false })
          })
          this.queue.push(waiter)
          this.grant(world)
        }),
    }
  }

  release(world: World, tab: Tab): void {
    if (this.holder !== tab) return
    this.holder = null
    this.grant(world)
  }

  private grant(world: World): void {
    world.later(null, () => {
      if (this.holder !== null) return
      while (this.queue[0]?.tab.closed) this.queue.shift()
      const next = this.queue.shift()
      this.holder = next?.tab ?? null
      next?.start()
    })
  }
}
