import ky, { isHTTPError, isTimeoutError } from 'ky'
import { BodyTruncated, readBody } from './body.ts'
import { HttpFailure, REQUEST, type Send } from './send.ts'

export interface KyOptions {
  readonly fetch: typeof fetch
  /** One attempt, body included, ms. */
  readonly timeoutMs: number
  /** All attempts and the waits between them, ms. */
  readonly totalTimeoutMs: number
  readonly retries: number
  readonly maxBodyBytes: number
}

/** A wait a server asks for is kept when it is at most this long; a longer one ends the call. */
const LONGEST_WAIT_MS = 5_000

/** Sends a request again when its failure may pass: network failures, cut bodies, 408, 429 and 5xx. */
export function sendWithRetries(options: KyOptions): Send {
  const http = ky.create({
    headers: REQUEST.headers!,
    timeout: options.timeoutMs,
    totalTimeout: options.totalTimeoutMs,
    retry: {
      limit: options.retries,
      backoffLimit: LONGEST_WAIT_MS,
      maxRetryAfter: LONGEST_WAIT_MS,
      jitter: (delay) => delay * (0.5 + Math.random()),
      shouldRetry({ error }) {
        if (error instanceof BodyTruncated) return true
        if (isHTTPError(error) && retryAfterMs(error.response.headers) > LONGEST_WAIT_MS) return false
        return undefined
      },
    },
    // The body is read inside the attempt, so that its time limit and its retry count for it too.
    fetch: async (input) => {
      const request = input as Request
      const response = await options.fetch(request.url, {
        ...REQUEST,
        headers: Object.fromEntries(request.headers),
        signal: request.signal,
      })
      if (!response.ok) {
        void response.body?.cancel().catch(() => {})
        return new Response(null, { status: response.status, headers: response.headers })
      }
      const text = await readBody(response, options.maxBodyBytes, request.signal)
      return new Response(text === '' ? null : text, { status: response.status, headers: response.headers })
    },
  })

  return async (url, { signal, retries }) => {
    try {
      const response = await http(url, {
        ...(signal && { signal }),
        ...(retries !== undefined && { retry: { limit: retries } }),
      })
      return { text: await response.text(), status: response.status }
    } catch (cause) {
      if (isHTTPError(cause)) throw new HttpFailure(cause.response.status, retryAfterMs(cause.response.headers))
      if (isTimeoutError(cause)) throw new DOMException(cause.message, 'TimeoutError')
      throw cause
    }
  }
}

/** What `Retry-After` asks for, in ms; 0 when it asks for nothing. A page sees it only where CORS exposes it. */
function retryAfterMs(headers: Headers): number {
  const value = headers.get('retry-after')
  if (value === null) return 0
  const seconds = Number(value)
  return Number.isNaN(seconds) ? Date.parse(value) - Date.now() || 0 : seconds * 1000
}
