/**
 * - `http`: the directory answered with an error status
 * - `network`: no complete answer came (in a page also a 5xx, for it carries no CORS header)
 * - `timeout`: the answer did not come in time
 * - `aborted`: the caller's signal ended the call
 * - `invalid`: an argument breaks its rule (nothing was sent then), or the answer is not what the contract says
 */
export type DirectoryErrorKind = 'http' | 'network' | 'timeout' | 'aborted' | 'invalid'

interface Details {
  readonly kind: DirectoryErrorKind
  readonly url: string
  readonly status?: number | null
  readonly cause?: unknown
}

/** The one error every call of a DirectoryClient rejects with. Its message says what to do. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'
  readonly kind: DirectoryErrorKind
  /** Status of the answer; null when there was none. */
  readonly status: number | null
  /** Address that was asked; for a bad argument, the directory's. */
  readonly url: string

  constructor(message: string, { kind, url, status = null, cause }: Details) {
    super(message, { cause })
    this.kind = kind
    this.status = status
    this.url = url
  }
}
