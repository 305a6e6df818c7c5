/** The types of the protocol. Its values are imported from their files, by the host alone. */
export type * from './answer.ts'
export type * from './jobs.ts'
export type * from './listings.ts'
export type * from './outcome.ts'
export type * from './overview.ts'
export type * from './profiles.ts'
export type * from './protocol.ts'
export type * from './review.ts'
