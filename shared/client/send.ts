import { BodyTooLarge, DirectoryError, HttpFailure } from './errors.ts'
import type { CallOptions } from './types.ts'

/**
 * Sends one GET and reads the body of a successful response as text.
 *
 * @throws HttpFailure, BodyTooLarge, a DOMException named TimeoutError, or anything else for a failed connection
 */
export type Send = (url: string, options: CallOptions) => Promise<{ readonly text: string; readonly status: number }>

/** Options of every request: they need no preflight (Accept needs none) and do not identify the person. */
export const REQUEST = {
  headers: { accept: 'application/json' },
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
} satisfies RequestInit

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
    const start = text.trimStart()
    const what = start === '' ? 'nothing' : start.startsWith('<') ? 'a web page' : 'text that is not JSON'
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
  if (cause instanceof HttpFailure) {
    const { status } = cause
    const message = `${url} answered with status ${status}. ${httpAdvice(cause)}`
    return new DirectoryError(message, { kind: 'http', url, status, cause })
  }
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

function httpAdvice({ status, retryAfterMs }: HttpFailure): string {
  const seconds = Math.ceil(retryAfterMs / 1000)
  if (status === 429) return `Too many requests: try again ${seconds > 0 ? `in ${seconds} s` : 'later'}.`
  return status >= 500 ? 'The directory has a problem: try again later.' : 'Check the API address.'
}
