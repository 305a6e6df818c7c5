import { BodyTooLarge } from './body.ts'
import { DirectoryError } from './error.ts'
import { HttpFailure, type Send } from './send.ts'
import type { CallOptions } from './types.ts'

/**
 * Sends one GET and parses its JSON.
 *
 * @throws DirectoryError
 */
export async function getJson(url: string, send: Send, options: CallOptions): Promise<unknown> {
  try {
    const { text, status } = await send(url, options)
    return parseJson(text, url, status)
  } catch (error) {
    throw toDirectoryError(error, url, options.signal)
  }
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

function toDirectoryError(cause: unknown, url: string, signal?: AbortSignal): DirectoryError {
  if (cause instanceof DirectoryError) return cause
  if (signal?.aborted)
    return new DirectoryError(`The request to ${url} was cancelled.`, { kind: 'aborted', url, cause })
  if (cause instanceof HttpFailure) return httpError(cause, url)
  if (cause instanceof BodyTooLarge) {
    const message = `${url} answered with more than ${cause.limit} bytes. Check the API address.`
    return new DirectoryError(message, { kind: 'invalid', url, cause })
  }
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    const message = `${url} did not answer in time. Try again later.`
    return new DirectoryError(message, { kind: 'timeout', url, cause })
  }
  const message = `${url} could not be reached, or the connection broke. Check the connection and the API address.`
  return new DirectoryError(message, { kind: 'network', url, cause })
}

function httpError(cause: HttpFailure, url: string): DirectoryError {
  const { status } = cause
  const wait = Math.ceil(cause.retryAfterMs / 1000)
  const advice =
    status === 429
      ? `Too many requests: try again ${wait > 0 ? `in ${wait} s` : 'later'}.`
      : status >= 500
        ? 'The directory has a problem: try again later.'
        : 'Check the API address.'
  return new DirectoryError(`${url} answered with status ${status}. ${advice}`, { kind: 'http', url, status, cause })
}
