import { vi } from 'vitest'
import { inProcessLock, type Lock } from '../async/index.ts'
import type { IndexDocument } from '../contract/index.ts'
import { createIndexCache, memoryStore } from './index.ts'
import type { IndexCache, IndexCacheOptions, IndexProblem, IndexStore } from './types.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const FIELDS = ['fullName', 'category', 'install', 'path', 'npm']

/** Returns the index of a day of September; the paths of its listings carry that number. */
export function edition(day: number, ...more: string[]): IndexDocument {
  const names = ['Lantern/Works', 'lantern/works#packages/one', 'moss/field', ...more]
  const plugins = names.map((name) => [name, 'tools', null, `/plugins/${day}`, name === 'moss/field' ? 'moss' : null])
  const generated = new Date(Date.UTC(2026, 8, day)).toISOString()
  return { generated, count: plugins.length, site: 'https://directory.example', fields: FIELDS, plugins }
}

/** A machine for tests: its tabs share store, lock and clock, and read one directory. */
export class Machine {
  /** ms since 1970. */
  time = Date.UTC(2026, 8, 10)
  /** Answer of the directory. */
  served: IndexDocument | Error = edition(1)
  readonly problems: IndexProblem[] = []
  readonly store: IndexStore = memoryStore()
  readonly lock: Lock = inProcessLock()
  readonly fetchIndex = vi.fn<IndexCacheOptions['fetchIndex']>(async () => {
    if (this.served instanceof Error) throw this.served
    return this.served
  })

  openTab(options: Partial<IndexCacheOptions> = {}): IndexCache {
    const { fetchIndex, store, lock } = this
    const onProblem = (problem: IndexProblem) => this.problems.push(problem)
    return createIndexCache({ fetchIndex, store, lock, now: () => this.time, onProblem, ...options })
  }
}

export const pathsOf = async (tab: IndexCache, name: string): Promise<(string | null)[]> =>
  (await tab.byRepository(name)).map(({ path }) => path)
