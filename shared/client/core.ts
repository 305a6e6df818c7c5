/** The part of the client that needs no ky: the caller provides the `Send`. */
export { getIndex, getPlugins } from './endpoints.ts'
export { BodyTooLarge, HttpFailure } from './errors.ts'
export { findPlugin } from './paging.ts'
export { validateBaseUrl } from './query.ts'
export { REQUEST, type Send } from './send.ts'
