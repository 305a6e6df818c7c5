/** Helpers for asynchronous work of any kind. */
export * from './locks.ts'
export * from './time.ts'
