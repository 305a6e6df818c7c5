/** The parts of the client for a page where every kilobyte counts: without retries, in a third of the size. */
export { createEndpoints } from './endpoints.ts'
export { findPlugin } from './find.ts'
export { sendOnce } from './send-once.ts'
