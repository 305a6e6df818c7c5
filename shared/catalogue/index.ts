/**
 * The index cache: the whole index, stored for all tabs or processes. It answers look-ups by repository without decoding
 * the rest, and is refreshed at most every six hours.
 *
 * Storages of their own entry points: `@plugmark/shared/catalogue/idb` for pages, `@plugmark/shared/catalogue/file`
 * for host processes.
 */
export { createCatalogue } from './catalogue.ts'
export { chunked, yieldToMain } from './chunked.ts'
export { inProcessLock } from './lock/in-process.ts'
export { webLock } from './lock/web.ts'
export { memoryStorage } from './storage/memory.ts'
export { systemTimer, withTimeLimit } from './time-limit.ts'
export type * from './types.ts'
