import { hidePasswords } from '../contract/index.ts'
/**
 * - `http`: the directory responded with an error status
 * - `network`: no complete response arrived (in a page also a 5xx, which carries no CORS header)
 * - `timeout`: the response did not arrive in time
 * - `aborted`: the caller's signal ended the call
 * - `invalid`: an argument breaks its rule and nothing was sent, or the response breaks the contract
 */
export type DirectoryErrorKind = 'http' | 'network' | 'timeout' | 'aborted' | 'invalid'

interface Details {
  readonly kind: DirectoryErrorKind
  readonly url: string
  readonly status?: number | null
  readonly cause?: unknown
}

/** The only error with which calls of a DirectoryClient reject. Its message says what to do. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'
  readonly kind: DirectoryErrorKind
  /** Status of the response; null when there was none. */
  readonly status: number | null
  /** Address of the request; for a bad argument, that of the directory. */
  readonly url: string

  constructor(message: string, { kind, url, status = null, cause }: Details) {
    super(hidePasswords(message), { cause })
    this.kind = kind
    this.status = status
    this.url = hidePasswords(url)
  }
}

/** The server responded with an error status. */
export class HttpFailure extends Error {
  readonly status: number
  /** The wait that the server requests, ms; 0 when it requests none, or the header cannot be read. */
  readonly retryAfterMs: number
  constructor(status: number, retryAfterMs = 0) {
    super(`status ${status}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

export class BodyTooLarge extends Error {
  /** In bytes. */
  readonly limit: number
  constructor(limit: number) {
    super(`the body is larger than ${limit} bytes`)
    this.limit = limit
  }
}

/** The connection ended before the body did. */
export class BodyTruncated extends Error {}
