import type { CallOptions } from './types.ts'

/** The body of an answer with a good status. */
export interface Sent {
  readonly text: string
  readonly status: number
}

/**
 * Sends one GET and reads its body as text.
 *
 * @throws HttpFailure, BodyTooLarge, a DOMException named TimeoutError, or anything else for a failed connection
 */
export type Send = (url: string, options: CallOptions) => Promise<Sent>

/** The server answered with an error status. */
export class HttpFailure extends Error {
  readonly status: number
  /** What the server asks to wait, ms; 0 when it asks for nothing, or that is not read. */
  readonly retryAfterMs: number
  constructor(status: number, retryAfterMs = 0) {
    super(`status ${status}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** What every request carries: nothing that needs a preflight or names the person. Accept is on the list that needs none. */
export const REQUEST = {
  headers: { accept: 'application/json' },
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
} satisfies RequestInit
