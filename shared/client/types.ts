import type { IndexDocument, PluginRecord, Verdict } from '../contract/index.ts'

/** Query of `GET /api/v1/plugins`. Every field is optional, and checked before anything is sent. */
export interface PluginsQuery {
  /** Free text over repository name, both summaries and description; at most 200 characters. */
  readonly q?: string
  /** A category id. An id that the server does not know matches nothing. */
  readonly category?: string
  /** 1 to 100. Every server handles 24, 48 and 96 correctly. @default 24 */
  readonly limit?: number
  readonly installCheck?: Verdict
  /** 1-based. @default 1 */
  readonly page?: number
}

/** One page of listings. */
export interface PluginsPage {
  readonly records: readonly PluginRecord[]
  /** The server's count of listings that match, over all pages; null when it sends none. */
  readonly total: number | null
  /** Rows in the response, including bad ones that were dropped. 0 means that this page is past the last one. */
  readonly received: number
}

/** A row that breaks the contract. */
export interface Rejection {
  /** Address of the request. */
  readonly url: string
  /** Position in the response, 0-based. */
  readonly index: number
  /** Reason in plain words. */
  readonly reason: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Retries of each request. @default the client's */
  readonly retries?: number
  /** Time limit of one attempt, its body included, in ms. @default the client's */
  readonly timeoutMs?: number
  /** Time limit of a request with all its retries, in ms. @default the client's */
  readonly totalTimeoutMs?: number
}

/** Result of `verifiedPlugins`. */
export interface VerifiedPlugin {
  readonly record: PluginRecord
  /** Source of the verification: the record's own verdict, or a server that was found to filter by `installCheck`. */
  readonly by: 'record' | 'server-filter'
}

/** A client of a directory. Every call rejects with DirectoryError. */
export interface DirectoryClient {
  /** Origin and path prefix of the directory, without a trailing slash. */
  readonly baseUrl: string
  plugins(query?: PluginsQuery, options?: CallOptions): Promise<PluginsPage>
  /** Yields every match once. Requests pages of 96, one at a time. */
  allPlugins(
    query?: Omit<PluginsQuery, 'limit' | 'page'>,
    options?: CallOptions,
  ): AsyncGenerator<PluginRecord, void, undefined>
  /** Returns the listing with the listing key of `fullName`, or null. Sends at most four requests. */
  plugin(fullName: string, options?: CallOptions): Promise<PluginRecord | null>
  /** Yields listings whose install check has passed, and none when that cannot be known. */
  verifiedPlugins(
    query?: Omit<PluginsQuery, 'limit' | 'page' | 'installCheck'>,
    options?: CallOptions,
  ): AsyncGenerator<VerifiedPlugin, void, undefined>
  /** Returns the index, its rows undecoded; `@plugmark/shared/index-cache` decodes and stores it. */
  index(options?: CallOptions): Promise<IndexDocument>
}
