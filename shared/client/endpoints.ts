import * as v from 'valibot'
import { LIMITS, type PluginRecord, PluginRecordSchema, WholeNumberSchema } from '../contract/index.ts'
import { DirectoryError } from './errors.ts'
import { getJson, type Send } from './send.ts'
import type { CallOptions, PluginsPage, PluginsQuery, Rejection } from './types.ts'

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
