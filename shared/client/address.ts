import { LIMITS } from '../contract/index.ts'
import { DirectoryError } from './error.ts'
import type { PluginsQuery } from './types.ts'

/** The largest page that is right on every server. */
export const WHOLE_PAGE = LIMITS.safePageSizes[2]

/**
 * The query part of a plugins address, from a query that keeps its rules. Without a page size it is the smallest that is
 * right on every server.
 */
export function pluginsSearch({ q, category, limit, installCheck, page }: PluginsQuery): string {
  const search = new URLSearchParams()
  const parameters = { q, category, limit: limit ?? LIMITS.safePageSizes[0], installCheck, page: page ?? 1 }
  for (const [name, value] of Object.entries(parameters)) if (value) search.set(name, String(value))
  return search.toString()
}

/**
 * The directory's address without a trailing slash.
 * @throws DirectoryError of kind `invalid` when it is not a plain http or https address
 */
export function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    const message = `The API address must be an http or https address without user, query or hash, not ${JSON.stringify(baseUrl)}.`
    throw new DirectoryError(message, { kind: 'invalid', url: String(baseUrl) })
  }
  return url.href.replace(/\/+$/, '')
}
