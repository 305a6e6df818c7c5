import { vi } from 'vitest'
import type { IndexDocument } from '../contract/index.ts'
import { createCatalogue, inProcessLock, memoryStorage } from './index.ts'
import type { Catalogue, CatalogueOptions, CatalogueProblem, CatalogueStorage } from './types.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const FIELDS = ['fullName', 'category', 'install', 'path', 'npm']

/** The index on a day of September: the repositories carry its number. */
export function edition(day: number, ...more: string[]): IndexDocument {
  const names = ['Lantern/Works', 'lantern/works#packages/one', 'moss/field', ...more]
  const plugins = names.map((name) => [name, 'tools', null, `/plugins/${day}`, name === 'moss/field' ? 'moss' : null])
  const generated = new Date(Date.UTC(2026, 8, day)).toISOString()
  return { generated, count: plugins.length, site: 'https://directory.example', fields: FIELDS, plugins }
}

/** A machine for tests: the tabs on it share storage, lock and clock, and ask one directory. */
export class Machine {
  /** ms since 1970. */
  time = Date.UTC(2026, 8, 10)
  /** What the directory answers. */
  served: IndexDocument | Error = edition(1)
  readonly problems: CatalogueProblem[] = []
  readonly storage: CatalogueStorage = memoryStorage()
  readonly lock = inProcessLock()
  readonly fetchIndex = vi.fn<CatalogueOptions['fetchIndex']>(async () => {
    if (this.served instanceof Error) throw this.served
    return this.served
  })

  openTab(options: Partial<CatalogueOptions> = {}): Catalogue {
    const { fetchIndex, storage, lock } = this
    const onProblem = (problem: CatalogueProblem) => this.problems.push(problem)
    return createCatalogue({ fetchIndex, storage, lock, now: () => this.time, onProblem, ...options })
  }
}

export const pathsOf = async (tab: Catalogue, name: string): Promise<(string | null)[]> =>
  (await tab.byRepository(name)).map(({ path }) => path)
