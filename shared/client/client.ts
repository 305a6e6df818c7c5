import * as v from 'valibot'
import { IndexDocumentSchema, LIMITS, type PluginRecord } from '../contract/index.ts'
import { contractError, describeIssue, getIndex, getPlugins, indexUrl } from './get.ts'
import { createVerifiedPlugins, findPlugin, pagesOf } from './paging.ts'
import { validateBaseUrl, validateFullName, validateQuery } from './query.ts'
import { createKySend } from './send-ky.ts'
import type { DirectoryClient, Rejection } from './types.ts'

export interface DirectoryClientOptions {
  /** Address of the directory: origin and perhaps a path prefix. */
  readonly baseUrl: string
  /** Called for every row that breaks the contract. */
  readonly onRejected?: (rejection: Rejection) => void
  /** Called with the records of every response, including those that a call skips. */
  readonly onRecords?: (records: readonly PluginRecord[]) => void
  /** Called as `fetch(url, {headers, signal, …})`; network failures must reject. @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** Time limit of one attempt, its body included, in ms. @default 10_000 */
  readonly timeoutMs?: number
  /** Time limit of one request with all its retries, in ms. @default 30_000 */
  readonly totalTimeoutMs?: number
  /** Retries of a request whose failure may be temporary. @default 2 */
  readonly retries?: number
  /** Largest body accepted, in bytes after decompression. @default 8_000_000 */
  readonly maxBodyBytes?: number
}

/**
 * Creates a client of one directory, built on ky.
 *
 * @throws DirectoryError of kind `invalid` when `baseUrl` is not a plain http or https address
 * @example
 * const directory = createDirectoryClient({ baseUrl: BASE_URL })
 * for await (const { record } of directory.verifiedPlugins({ category: 'memory' })) console.log(record.fullName)
 */
export function createDirectoryClient(options: DirectoryClientOptions): DirectoryClient {
  const { onRejected, onRecords } = options
  const baseUrl = validateBaseUrl(options.baseUrl)
  const send = createKySend({
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? 10_000,
    totalTimeoutMs: options.totalTimeoutMs ?? 30_000,
    retries: options.retries ?? 2,
    maxBodyBytes: options.maxBodyBytes ?? LIMITS.bodyBytes,
  })
  const plugins: DirectoryClient['plugins'] = async (query = {}, call) => {
    validateQuery(query, baseUrl)
    const page = await getPlugins(send, { baseUrl, onRejected }, query, call)
    onRecords?.(page.records)
    return page
  }
  return {
    baseUrl,
    plugins,
    async index(call = {}) {
      const parsed = v.safeParse(IndexDocumentSchema, await getIndex(send, baseUrl, call))
      if (parsed.success) return parsed.output
      throw contractError(indexUrl(baseUrl), `no index document: ${describeIssue(parsed.issues[0])}`)
    },
    async *allPlugins(query = {}, call = {}) {
      for await (const { records } of pagesOf({ baseUrl, plugins }, query, call)) yield* records
    },
    async plugin(fullName, call = {}) {
      validateFullName(fullName, baseUrl)
      return findPlugin({ plugins }, fullName, call)
    },
    verifiedPlugins: createVerifiedPlugins({ baseUrl, plugins }),
  }
}
