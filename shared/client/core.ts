/** The parts of the client for a page where every kilobyte counts, over a way to send of its own. */
export { BodyTooLarge } from './body.ts'
export { getIndex, getPlugins } from './endpoints.ts'
export { findPlugin } from './find.ts'
export { HttpFailure, REQUEST, type Send } from './send.ts'
