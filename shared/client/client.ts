import { LIMITS } from '../contract/index.ts'
import { checkBaseUrl } from './address.ts'
import { type ClientOptions, createEndpoints, type Endpoints } from './endpoints.ts'
import { findPlugin } from './find.ts'
import { pagesOf } from './pages.ts'
import { checkFullName, checkQuery } from './query.ts'
import { sendWithRetries } from './send-ky.ts'
import type { DirectoryClient } from './types.ts'
import { createVerified } from './verified.ts'

export interface DirectoryClientOptions extends ClientOptions {
  /** Called as `fetch(url, {headers, signal, …})`; network failures must reject. @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** Time limit of one attempt, its body included, in ms. @default 10_000 */
  readonly timeoutMs?: number
  /** Time limit of one request with all its retries, in ms. @default 30_000 */
  readonly totalTimeoutMs?: number
  /** How often a request that may pass is sent again. @default 2 */
  readonly retries?: number
  /** Largest answer read, in bytes after decompression. @default 8_000_000 */
  readonly maxBodyBytes?: number
}

/**
 * A client of one directory, built on ky.
 *
 * @throws DirectoryError of kind `invalid` when the address cannot be a directory's
 * @example
 * const directory = createDirectoryClient({ baseUrl: BASE_URL })
 * for await (const { record } of directory.verifiedPlugins({ category: 'memory' })) console.log(record.fullName)
 */
export function createDirectoryClient(options: DirectoryClientOptions): DirectoryClient {
  const send = sendWithRetries({
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? 10_000,
    totalTimeoutMs: options.totalTimeoutMs ?? 30_000,
    retries: options.retries ?? 2,
    maxBodyBytes: options.maxBodyBytes ?? LIMITS.bodyBytes,
  })
  const { plugins, ...rest } = createEndpoints(send, { ...options, baseUrl: checkBaseUrl(options.baseUrl) })
  const endpoints: Endpoints = {
    ...rest,
    async plugins(query = {}, call) {
      checkQuery(query, rest.baseUrl)
      return plugins(query, call)
    },
  }
  return {
    ...endpoints,
    async *allPlugins(query = {}, call = {}) {
      for await (const { records } of pagesOf(endpoints, query, call)) yield* records
    },
    async plugin(fullName, call = {}) {
      checkFullName(fullName, rest.baseUrl)
      return findPlugin(endpoints, fullName, call)
    },
    verifiedPlugins: createVerified(endpoints),
  }
}
