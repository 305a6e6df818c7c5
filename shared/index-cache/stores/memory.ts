import { chunked } from '../../async/index.ts'
import type { IndexStore } from '../types.ts'

/** Creates a store in memory, for tests and for hosts that store nothing. */
export function memoryStore(): IndexStore {
  let state: object | undefined
  let listings: ReadonlyMap<string, unknown> = new Map()
  return {
    load: async () => structuredClone(state),
    find: async (repositories) => repositories.map((repository) => structuredClone(listings.get(repository))),
    forEach: (visit) => chunked(listings, ([repository, found]) => visit(repository, structuredClone(found))),
    async saveState(next) {
      state = structuredClone(next)
    },
    async replace(repositories, next) {
      listings = structuredClone(new Map(repositories))
      state = structuredClone(next)
    },
    async clear() {
      listings = new Map()
      state = undefined
    },
  }
}
