/** Helpers for asynchronous work of any kind. */
export { chunked, yieldToMain } from './chunked.ts'
export { inProcessLock } from './in-process-lock.ts'
export type { Lock } from './lock.ts'
export { delay, systemTimer, type Timer, withTimeLimit } from './time-limit.ts'
export { webLock } from './web-lock.ts'
