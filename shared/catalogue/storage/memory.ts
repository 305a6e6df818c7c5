import type { CatalogueStorage } from '../types.ts'

/** A storage that lives as long as the object: for tests, and for hosts that keep nothing. */
export function memoryStorage(): CatalogueStorage {
  const values = new Map<string, unknown>()
  return {
    async getMany(keys) {
      return keys.map((key) => structuredClone(values.get(key)))
    },
    async setMany(entries) {
      // Cloned first, so that one value that cannot be stored leaves all as it was.
      const cloned = entries.map(([key, value]) => [key, structuredClone(value)] as const)
      for (const [key, value] of cloned) {
        if (value === undefined) values.delete(key)
        else values.set(key, value)
      }
    },
  }
}
