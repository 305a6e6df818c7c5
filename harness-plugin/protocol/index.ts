/** The types of the protocol. A value is imported from its own file; pages import none of `protocol.ts`. */
export type * from './answer.ts'
export type * from './jobs.ts'
export type * from './listings.ts'
export type * from './outcome.ts'
export type * from './overview.ts'
export type * from './profiles.ts'
export type * from './protocol.ts'
export type * from './review.ts'
