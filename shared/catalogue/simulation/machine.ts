import type { IndexDocument, IndexListing } from '../../contract/index.ts'
import type { CatalogueLock, CatalogueStorage } from '../types.ts'
import type { Tab, World } from './world.ts'

export type StorageMode = 'works' | 'refuses writes' | 'refuses all' | 'hangs'
export type ServerMode = 'good' | 'older' | 'empty' | 'incomplete' | 'no document' | 'fails' | 'hangs'

const NAMES = ['Lantern/Works', 'lantern/works#one', 'moss/field', '__proto__/toString', 'constructor/prototype']
/** What every look-up asks for: all that is ever listed, and some names that never are. */
export const REPOSITORIES = [...new Set(NAMES.map((name) => name.split('#')[0]!)), 'nobody/none', '']

/** Which names an edition has depends on its number, and every path is the number. */
export function listingsOf(edition: number): IndexListing[] {
  const names = NAMES.filter((_, i) => i === 0 || (edition >> (i - 1)) & 1)
  return names.map((fullName) => ({ fullName, category: null, install: null, path: `${edition}`, npm: null }))
}
export const generatedOf = (edition: number): string => new Date(Date.UTC(2025, 8, 1) + edition * 1000).toISOString()

function documentOf(edition: number, mode: ServerMode): unknown {
  if (mode === 'no document') return '<!doctype html>'
  const plugins = mode === 'empty' ? [] : listingsOf(edition).map(({ fullName, path }) => [fullName, path])
  const count = plugins.length + (mode === 'incomplete' ? 1 : 0)
  const document = { generated: generatedOf(edition), site: 'https://directory.example', count, plugins }
  return { ...document, fields: ['fullName', 'path'] } satisfies IndexDocument
}

export interface Request {
  readonly tab: Tab
  readonly sentAt: number
  /** What arrived; null before, and for a failure. */
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

/**
 * A storage as IndexedDB: transactions take place one after another in the order they were handed over, each whole; the
 * tab hears of it later. What a tab handed over before it was closed may still take place.
 */
export class Storage {
  values: ReadonlyMap<string, unknown> = new Map()
  mode: StorageMode = 'works'
  /** Each takes place, and returns what tells the tab. */
  private transactions: { tab: Tab; commit: () => () => void }[] = []

  turn(world: World, mode: StorageMode): void {
    this.mode = mode
    for (const _ of this.transactions) world.later(null, () => this.next(world))
  }

  lose(tab: Tab): void {
    this.transactions = this.transactions.filter((transaction) => transaction.tab !== tab)
  }

  of(world: World, tab: Tab, onWrite: (keys: string[]) => void): CatalogueStorage {
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
    return {
      getMany: (keys) =>
        transact(() => {
          if (this.mode === 'refuses all') throw new Error('The storage refuses to read.')
          return keys.map((key) => this.values.get(key))
        }),
      setMany: (entries) =>
        transact(() => {
          if (this.mode !== 'works') throw new Error('The storage refuses to write.')
          this.values = new Map([...this.values, ...entries])
          onWrite(entries.map(([key]) => key))
        }),
    }
  }

  private next(world: World): void {
    if (this.mode === 'hangs') return
    const transaction = this.transactions.shift()
    if (transaction) world.later(transaction.tab, transaction.commit())
  }
}

/** A lock as the browser's: first come, first served; a closed tab leaves the queue and lets go of what it holds. */
export class Lock {
  private readonly queue: { tab: Tab; start: () => void }[] = []
  private holder: Tab | null = null

  of(world: World, tab: Tab): CatalogueLock {
    return {
      run: (waitMs, task) =>
        new Promise((resolve, reject) => {
          const start = () => {
            cancel()
            task(true)
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
