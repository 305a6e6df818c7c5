/** The types of the protocol. A value is imported from its own file; pages import no file that has schemas. */
export type * from './fit.ts'
export type * from './inspection.ts'
export type * from './jobs.ts'
export type * from './listings.ts'
export type * from './package-facts.ts'
export type * from './profiles.ts'
export type * from './protocol.ts'
export type * from './review.ts'
