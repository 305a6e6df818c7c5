import { LIMITS, type PluginRecord } from '../contract/index.ts'
import { decodeIndex, decodePlugins } from './decode.ts'
import { findPlugin } from './find.ts'
import { pagesOf } from './pages.ts'
import { checkBaseUrl, pluginsSearch } from './query.ts'
import { getJson, type RequestSettings } from './request.ts'
import type { CallOptions, DirectoryClient, PluginsQuery, Rejection } from './types.ts'
import { createVerified } from './verified.ts'

export interface DirectoryClientOptions {
  /** Address of the directory: origin and perhaps a path prefix. */
  readonly baseUrl: string
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
  /** Told of every row that does not parse. @default nobody */
  readonly onRejected?: (rejection: Rejection) => void
  /** Told of the records of every answer, also of those that a call passes over. @default nobody */
  readonly onRecords?: (records: readonly PluginRecord[]) => void
}

/**
 * A client of one directory.
 *
 * @throws DirectoryError of kind `invalid` when the address cannot be a directory's
 * @example
 * const directory = createDirectoryClient({ baseUrl: DEFAULTS.baseUrl })
 * for await (const { record } of directory.verifiedPlugins({ category: 'memory' })) console.log(record.fullName)
 */
export function createDirectoryClient(options: DirectoryClientOptions): DirectoryClient {
  const baseUrl = checkBaseUrl(options.baseUrl)
  const { onRejected = () => {}, onRecords = () => {} } = options
  const settings: RequestSettings = {
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? 10_000,
    totalTimeoutMs: options.totalTimeoutMs ?? 30_000,
    retries: options.retries ?? 2,
    maxBodyBytes: options.maxBodyBytes ?? LIMITS.bodyBytes,
  }

  const requests = {
    baseUrl,
    async plugins(query: PluginsQuery = {}, call: CallOptions = {}) {
      const url = `${baseUrl}/api/v1/plugins?${pluginsSearch(query, baseUrl)}`
      const page = decodePlugins(await getJson(url, settings, call), url, onRejected)
      onRecords(page.records)
      return page
    },
  }

  return {
    ...requests,
    async *allPlugins(query = {}, call = {}) {
      for await (const { records } of pagesOf(requests, query, call)) yield* records
    },
    plugin: (fullName, call = {}) => findPlugin(requests, fullName, call),
    verifiedPlugins: createVerified(requests),
    async index(call = {}) {
      const url = `${baseUrl}/api/v1/index`
      return decodeIndex(await getJson(url, settings, call), url)
    },
  }
}
