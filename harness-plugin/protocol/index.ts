/**
 * What host and screen say to each other: types alone (`next-steps.ts` stands beside them). Every shape is JSON, as it crosses a connection as it stands.
 * Times are ms since 1970, unless a field says otherwise.
 */
export type * from './answer.ts'
export type * from './bridge.ts'
export type * from './compatibility.ts'
export type * from './details.ts'
export type * from './events.ts'
export type * from './installed.ts'
export type * from './jobs.ts'
export type * from './listings.ts'
export type * from './outcome.ts'
export type * from './overview.ts'
export type * from './profiles.ts'
export type * from './review.ts'
