import ky, { isHTTPError, isTimeoutError, type KyInstance } from 'ky'
import { BodyCut, BodyTooLarge, readBody } from './body.ts'
import { DirectoryError } from './error.ts'
import type { CallOptions } from './types.ts'

export interface RequestSettings {
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

/** Sends one GET and parses its JSON. Retries what may pass: network failures, cut bodies, 408, 429 and 5xx. */
export async function getJson(url: string, settings: RequestSettings, options: CallOptions): Promise<unknown> {
  try {
    const response = await kyFor(settings)(url, {
      ...(options.signal && { signal: options.signal }),
      ...(options.retries !== undefined && { retry: { limit: options.retries } }),
    })
    return parseJson(await response.text(), url, response.status)
  } catch (error) {
    throw toDirectoryError(error, url, settings, options.signal)
  }
}

function kyFor(settings: RequestSettings): KyInstance {
  return ky.create({
    // Accept is on the list of headers that need no preflight.
    headers: { accept: 'application/json' },
    timeout: settings.timeoutMs,
    totalTimeout: settings.totalTimeoutMs,
    retry: {
      limit: settings.retries,
      backoffLimit: LONGEST_WAIT_MS,
      maxRetryAfter: LONGEST_WAIT_MS,
      jitter: (delay) => delay * (0.5 + Math.random()),
      shouldRetry({ error }) {
        if (error instanceof BodyCut) return true
        if (isHTTPError(error) && retryAfterMs(error.response) > LONGEST_WAIT_MS) return false
        return undefined
      },
    },
    // The body is read inside the attempt, so that its time limit and its retry count for it too.
    fetch: async (input) => {
      const request = input as Request
      const response = await settings.fetch(request.url, {
        headers: Object.fromEntries(request.headers),
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: request.signal,
      })
      if (!response.ok) {
        void response.body?.cancel().catch(() => {})
        return new Response(null, { status: response.status, headers: response.headers })
      }
      const text = await readBody(response, settings.maxBodyBytes, request.signal)
      return new Response(text === '' ? null : text, { status: response.status, headers: response.headers })
    },
  })
}

/** What `Retry-After` asks for, in ms; 0 when it asks for nothing. A page sees it only where CORS exposes it. */
function retryAfterMs(response: Response): number {
  const value = response.headers.get('retry-after')
  if (value === null) return 0
  const seconds = Number(value)
  return Number.isNaN(seconds) ? Date.parse(value) - Date.now() || 0 : seconds * 1000
}

function parseJson(text: string, url: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const what =
      text.trim() === '' ? 'nothing' : text.trimStart().startsWith('<') ? 'a web page' : 'text that is not JSON'
    throw new DirectoryError(
      `${url} answered with ${what} instead of the directory's JSON. Check that the API address is a plugin directory's.`,
      { kind: 'invalid', url, status, cause },
    )
  }
}

function toDirectoryError(
  cause: unknown,
  url: string,
  settings: RequestSettings,
  signal?: AbortSignal,
): DirectoryError {
  if (cause instanceof DirectoryError) return cause
  if (signal?.aborted)
    return new DirectoryError(`The request to ${url} was cancelled.`, { kind: 'aborted', url, cause })
  if (isHTTPError(cause)) return httpError(cause.response, url, cause)
  if (isTimeoutError(cause)) {
    const message = `${url} did not answer in time. Try again later, or allow more than ${settings.timeoutMs / 1000} s.`
    return new DirectoryError(message, { kind: 'timeout', url, cause })
  }
  if (cause instanceof BodyTooLarge) {
    const message = `${url} answered with more than ${cause.limit} bytes. Check the API address, or raise maxBodyBytes.`
    return new DirectoryError(message, { kind: 'invalid', url, cause })
  }
  const message = `${url} could not be reached, or the connection broke. Check the connection and the API address.`
  return new DirectoryError(message, { kind: 'network', url, cause })
}

function httpError(response: Response, url: string, cause: unknown): DirectoryError {
  const { status } = response
  const wait = Math.ceil(retryAfterMs(response) / 1000)
  const advice =
    status === 429
      ? `It asks for fewer requests: try again ${wait > 0 ? `in ${wait} s` : 'later'}.`
      : status >= 500
        ? 'The directory is failing: try again later.'
        : 'Check the API address.'
  return new DirectoryError(`${url} answered with status ${status}. ${advice}`, { kind: 'http', url, status, cause })
}
