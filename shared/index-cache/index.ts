/**
 * The stored index of a directory, shared by all tabs or processes, looked up by repository and refreshed at most every
 * six hours. Stores with dependencies have entry points of their own: `@plugmark/shared/index-cache/idb` for pages,
 * `@plugmark/shared/index-cache/file` for host processes.
 */
export { createIndexCache } from './cache.ts'
export { memoryStore } from './stores/memory.ts'
export type * from './types.ts'
