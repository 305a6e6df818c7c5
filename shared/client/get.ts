import * as v from 'valibot'
import { LIMITS, type PluginRecord, PluginRecordSchema, WholeNumberSchema } from '../contract/index.ts'
import { BodyTooLarge, DirectoryError, HttpFailure } from './errors.ts'
import type { CallOptions, PluginsPage, PluginsQuery, Rejection } from './types.ts'

/** With these, the part of the client that needs no ky: the caller provides the `Send`. */
export { BodyTooLarge, HttpFailure } from './errors.ts'
export { findPlugin } from './paging.ts'
export { validateBaseUrl } from './query.ts'

/** Fetches the index. The caller validates it. */
export function getIndex(send: Send, baseUrl: string, call: CallOptions): Promise<unknown> {
  return getJson(indexUrl(baseUrl), send, call)
}

export function indexUrl(baseUrl: string): string {
  return `${baseUrl}/api/v1/index`
}

/**
 * Fetches one page of listings.
 *
 * @param options.baseUrl without a trailing slash
 * @param options.onRejected called for every row that breaks the contract
 * @param query sent unchecked; `limit` defaults to the smallest page size that is right on every server
 * @throws DirectoryError
 */
export async function getPlugins(
  send: Send,
  { baseUrl, onRejected }: { baseUrl: string; onRejected?: ((rejection: Rejection) => void) | undefined },
  query: PluginsQuery = {},
  call: CallOptions = {},
): Promise<PluginsPage> {
  const { q, category, limit = LIMITS.safePageSizes[0], installCheck, page = 1 } = query
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ q, category, limit, installCheck, page })) {
    if (value) search.set(name, String(value))
  }
  const url = `${baseUrl}/api/v1/plugins?${search}`
  return decodePlugins(await getJson(url, send, call), url, onRejected)
}

/**
 * Decodes a response of the plugins endpoint: `{results, total?, count?}`, or a bare array of rows. Rows that break the
 * contract are reported and dropped.
 *
 * @throws DirectoryError of kind `invalid` when the response is neither
 */
function decodePlugins(body: unknown, url: string, onRejected?: (rejection: Rejection) => void): PluginsPage {
  const envelope: { results?: unknown; total?: unknown } = Array.isArray(body) ? { results: body } : Object(body)
  const { results, total } = envelope
  if (!Array.isArray(results)) throw contractError(url, 'neither an array nor an object with an array called results')
  const records: PluginRecord[] = []
  for (const [index, row] of results.entries()) {
    const parsed = v.safeParse(PluginRecordSchema, row)
    if (parsed.success) records.push(parsed.output)
    else onRejected?.({ url, index, reason: describeIssue(parsed.issues[0]) })
  }
  return { records, total: v.is(WholeNumberSchema, total) ? total : null, received: results.length }
}

export function describeIssue(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'row'}: ${issue.message}`
}

/** @param what description of the actual response */
export function contractError(url: string, what: string): DirectoryError {
  const message = `${url} answered with ${what}. Check that the API address is a plugin directory's.`
  return new DirectoryError(message, { kind: 'invalid', url, status: 200 })
}

/**
 * Sends one GET and reads the body of a successful response as text.
 *
 * @throws HttpFailure, BodyTooLarge, a DOMException named TimeoutError, or anything else for a failed connection
 */
export type Send = (url: string, options: CallOptions) => Promise<{ readonly text: string; readonly status: number }>

/** Options of every request: they need no preflight (Accept needs none) and do not identify the user. */
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
