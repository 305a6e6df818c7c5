import type { CatalogueStorage } from '../types.ts'
import type { Tab, World } from './world.ts'

export type StorageMode = 'works' | 'refuses writes' | 'refuses all' | 'hangs'

export interface Write {
  readonly tab: Tab
  readonly before: ReadonlyMap<string, unknown>
  readonly after: ReadonlyMap<string, unknown>
}

interface Transaction {
  readonly tab: Tab
  /** Takes place; returns what tells the tab. */
  readonly commit: () => () => void
}

/**
 * A storage as IndexedDB: transactions take place one after another in the order they were handed over, each whole;
 * the tab hears of it later. What a tab handed over before it was closed may still take place.
 */
export class SimulatedStorage {
  values: ReadonlyMap<string, unknown> = new Map()
  private mode: StorageMode = 'works'
  private readonly world: World
  private readonly onWrite: (write: Write) => void
  private transactions: Transaction[] = []

  constructor(world: World, onWrite: (write: Write) => void) {
    this.world = world
    this.onWrite = onWrite
    world.whenClosed((tab, losingWrites) => {
      if (losingWrites) this.transactions = this.transactions.filter((transaction) => transaction.tab !== tab)
    })
  }

  turn(mode: StorageMode): void {
    this.mode = mode
    for (const _ of this.transactions) this.world.later(null, () => this.next())
  }

  /** Damages one value behind everybody's back. */
  damage(choice: number, value: unknown): void {
    const keys = [...this.values.keys()]
    const key = keys[choice % keys.length]
    if (key !== undefined) this.values = new Map(this.values).set(key, value)
  }

  of(tab: Tab): CatalogueStorage {
    return {
      getMany: (keys) =>
        this.transact(tab, () => {
          if (this.mode === 'refuses all') throw new Error('The storage refuses to read.')
          return keys.map((key) => this.values.get(key))
        }),
      setMany: (entries) =>
        this.transact(tab, () => {
          if (this.mode !== 'works') throw new Error('The storage refuses to write.')
          const before = this.values
          const after = new Map(before)
          for (const [key, value] of entries) {
            if (value === undefined) after.delete(key)
            else after.set(key, value)
          }
          this.values = after
          this.onWrite({ tab, before, after })
        }),
    }
  }

  private transact<T>(tab: Tab, effect: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const commit = () => {
        try {
          const value = effect()
          return () => resolve(value)
        } catch (cause) {
          return () => reject(cause)
        }
      }
      this.transactions.push({ tab, commit })
      this.world.later(null, () => this.next())
    })
  }

  private next(): void {
    if (this.mode === 'hangs') return
    const transaction = this.transactions.shift()
    if (transaction !== undefined) this.world.later(transaction.tab, transaction.commit())
  }
}
